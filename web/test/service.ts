/** Starts the service as a user would: with `npm start` and an empty data folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

const root = resolve(import.meta.dirname, "../..");
const readyLine = /Sheaf is ready at (http:\/\/\S+) /;

export class Service implements AsyncDisposable {
  readonly url: string;
  /** The data folder of the service. */
  readonly folder: string;
  readonly #process: ChildProcess;

  private constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url;
    this.folder = folder;
    this.#process = process;
  }

  static async start(settings: Record<string, string> = {}): Promise<Service> {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-web-"));
    const env = { ...process.env, SHEAF_DATA_DIR: folder, PORT: "0", SHEAF_LOG_LEVEL: "warn", ...settings };
    // Starts a separate process group, because the service is a child of npm and must be stopped
    // with it.
    const child = spawn("npm", ["start"], { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
    return new Service(await urlOf(child), folder, child);
  }

  /** Returns the link for the first sign-in. */
  async firstLink(): Promise<string> {
    const path = join(this.folder, "first-sign-in.txt");
    // The service writes the file with the link right after it has reported that it is ready.
    for (let attempt = 0; attempt < 100 && !existsSync(path); attempt++) await setTimeout(50);
    return (await readFile(path, "utf8")).trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((done) => this.#process.once("exit", done));
    process.kill(-(this.#process.pid as number), "SIGTERM");
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Returns the URL once the service reports that it is ready. Continues to read the output, so that
 * the service does not block.
 */
function urlOf(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((found, failed) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk;
      const url = readyLine.exec(output)?.[1];
      if (url !== undefined) found(url);
    });
    child.once("exit", () => failed(new Error(`The service ended before it was ready:\n${output}`)));
  });
}
