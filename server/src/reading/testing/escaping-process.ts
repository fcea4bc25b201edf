/**
 * Acts as a compromised reading process. It receives a description of its surroundings, such as
 * other files and open ports, as JSON. It tries to reach each of them in every way that Node
 * offers. It then refuses the document, and reports the outcome of each attempt in the message of
 * that refusal. If the description asks for it, the process uses up time or memory instead.
 */
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { cpSync, openAsBlob, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { takeOver } from "./taken-over.ts";

export interface Surroundings {
  /** Paths of files other than the document. All of them contain JSON. */
  files: string[];
  database: string;
  /** Path of a folder in which the process tries to create files. */
  folder: string;
  tcpPort: number;
  udpPort: number;
  unixPath: string;
  /** An endless action that the process performs instead of trying to escape. */
  endless?: "turns" | "sleep" | "objects" | "buffers" | "wasm";
}

type Attempts = Record<string, () => unknown>;

const readings = (path: string): Attempts => ({
  [`read ${path}`]: () => readFileSync(path),
  [`read ${path} through the program`]: () => readFileSync(`${import.meta.dirname}/${"../".repeat(20)}${path}`),
  [`read ${path} as bytes`]: () => readFileSync(Buffer.from(path)),
  [`read ${path} later`]: () => readFile(path),
  [`open ${path}`]: () => openSync(path, "r"),
  [`import ${path}`]: () => import(path, { with: { type: "json" } }),
  [`require ${path}`]: () => createRequire(import.meta.url)(path),
  [`settings of ${path}`]: () => process.loadEnvFile(path),
  [`blob of ${path}`]: () => openAsBlob(path),
});

/**
 * Opens a database with Node's SQLite module. The module is loaded only here, because some versions
 * of Node do not have it.
 */
function openDatabase(path: string): unknown {
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite") as { DatabaseSync: typeof DatabaseSync };
  return new Database(path).prepare("select name from sqlite_master").all();
}

const connected = (socket: Socket) => once(socket, "connect");
const listening = (server: Server) => once(server, "listening");

async function sendTo(port: number): Promise<void> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.send("x", port, "127.0.0.1", (error) => (error ? reject(error) : resolve()));
  });
}

const attemptsIn = ({ files, database, folder, tcpPort, udpPort, unixPath }: Surroundings): Attempts => ({
  ...Object.assign({}, ...files.map(readings)),
  "read a database": () => openDatabase(database),
  "make a database": () => openDatabase(`${folder}/new.db`),
  "list a folder": () => readdirSync(folder),
  write: () => writeFileSync(`${folder}/new`, "x"),
  "write later": () => writeFile(`${folder}/new`, "x"),
  append: () => writeFileSync(files[0] ?? "", "x", { flag: "a" }),
  copy: () => cpSync(files[0] ?? "", `${folder}/copy`),
  link: () => symlinkSync(files[0] ?? "", `${folder}/link`),
  "write a report": () => process.report.writeReport(`${folder}/report.json`),
  "write a snapshot": () => process.getBuiltinModule("node:v8").writeHeapSnapshot(`${folder}/heap`),
  "start a program": () => once(spawn("/bin/true"), "spawn"),
  "become a program": () => process.execve?.("/bin/true", ["true"], {}),
  "start a thread": () => new Worker("", { eval: true }),
  "run a text": () => new Function("return 1")(),
  "load native code": () => process.dlopen({ exports: {} }, files[0] ?? ""),
  "ask for Node's insides": () => (process as unknown as { binding(name: string): unknown }).binding("tcp_wrap"),
  "connect over TCP": () => connected(connect(tcpPort, "127.0.0.1")),
  "connect to a socket of the machine": () => connected(connect(unixPath)),
  "listen over TCP": () => listening(createServer().listen(0, "127.0.0.1")),
  "listen at a socket of the machine": () => listening(createServer().listen(`${folder}/socket`)),
  "send over UDP": () => sendTo(udpPort),
  fetch: () => fetch(`http://127.0.0.1:${tcpPort}/`),
  "open the inspector": () => process.getBuiltinModule("node:inspector").open(0),
  "signal the service": () => process.kill(process.ppid, "SIGCONT"),
  "signal every process": () => process.kill(-1, 0),
});

/**
 * Returns the error of each attempt, as its code or message. Null means that the attempt succeeded,
 * and that the process is not confined well enough.
 */
async function escapeFrom(surroundings: Surroundings): Promise<Record<string, string | null>> {
  // An attempt can fail a second time, after its first error was reported. Nothing else handles
  // such an error.
  process.on("uncaughtException", () => {});
  const outcomes: Record<string, string | null> = {};
  for (const [name, attempt] of Object.entries(attemptsIn(surroundings))) {
    try {
      await attempt();
      outcomes[name] = null;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      outcomes[name] = code ?? message;
    }
  }
  return outcomes;
}

/**
 * Allocates WebAssembly memory. Node's types do not include WebAssembly, so the part that is used
 * is declared here.
 */
function makeMemory(): { buffer: ArrayBuffer } {
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: { Memory: new (size: { initial: number }) => { buffer: ArrayBuffer } };
  };
  return new WebAssembly.Memory({ initial: 256 });
}

function takeAll(what: NonNullable<Surroundings["endless"]>): never {
  const kept: unknown[] = [];
  for (;;) {
    if (what === "sleep") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (what === "objects") kept.push(Array.from({ length: 65_536 }, (_, index) => ({ index })));
    if (what === "buffers") kept.push(Buffer.alloc(16 * 2 ** 20, 1));
    if (what === "wasm") {
      const memory = makeMemory();
      new Uint8Array(memory.buffer).fill(1);
      kept.push(memory);
    }
  }
}

async function serve(surroundings: Surroundings): Promise<void> {
  if (surroundings.endless) takeAll(surroundings.endless);
  const seen = { outcomes: await escapeFrom(surroundings), environment: process.env };
  process.send?.({
    ...{ kind: "failed", reason: "corrupt", message: JSON.stringify(seen) },
    usage: { rssBytes: 1, cpuSeconds: 1 },
  });
}

takeOver((file) => void serve(JSON.parse(file)));
