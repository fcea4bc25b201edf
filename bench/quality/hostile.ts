/**
 * `npm run quality -- hostile`: sends every hostile file to a running service, one at a time, under
 * strace. Scores the results, and lists all connections that were made and all files that were
 * written outside the data folder.
 */
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import { memoryOfTree } from "../../server/src/reading/testing/child-processes.ts";
import { dataFolder } from "../data.ts";
import { type StartedService, type Target, targetOf } from "../service-target.ts";

interface HostileFile {
  file: string;
  ext: string;
  expected: string;
}

interface Outcome {
  outcome: "parsed" | "error" | "crash" | "timeout";
  code?: string;
  ms: number;
  rss_mb: number;
}

const timeoutMs = 40_000;
const params = [{ name: "title", format: "text", description: "Title of the document" }];
const syscalls = "connect,sendto,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat";

export async function runHostile(outFolder: string): Promise<void> {
  const manifest: HostileFile[] = JSON.parse(await readFile(join(dataFolder, "hostile/manifest.json"), "utf8"));
  const folder = await mkdtemp(join(tmpdir(), "sheaf-hostile-"));
  const trace = join(folder, "trace");
  try {
    const { outcomes, url } = await underStrace(trace, join(folder, "data"), async (target, pid) => ({
      outcomes: await sendAll(manifest, target, pid),
      url: target.url,
    }));
    await mkdir(outFolder, { recursive: true });
    const path = join(outFolder, "hostile.json");
    await writeFile(path, JSON.stringify(outcomes, null, 1));
    const scorer = await import(pathToFileURL(join(dataFolder, "../score/score_hostile.mjs")).href);
    console.log(JSON.stringify(scorer.scoreHostile(outcomes, manifest, { maxRss: 1536 }), null, 1));
    const peak = Math.max(...Object.values(outcomes).map(({ rss_mb }) => rss_mb));
    console.log(
      `slowest ${Math.max(...Object.values(outcomes).map(({ ms }) => ms))} ms, peak memory of all processes ${peak} MB`,
    );
    report(await readFile(trace, "utf8"), folder, new URL(url).port);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function underStrace<T>(
  trace: string,
  data: string,
  use: (target: Target, pid: number) => Promise<T>,
): Promise<T> {
  const script = fileURLToPath(new URL("../service-server.ts", import.meta.url));
  const child = fork(script, [], {
    execPath: "strace",
    execArgv: ["-f", "--seccomp-bpf", "-qq", "-y", "-e", `trace=${syscalls}`, "-o", trace, process.execPath],
    env: { PATH: process.env.PATH, SHEAF_DATA_DIR: data, SHEAF_PORT: "0" },
  });
  try {
    const [{ service }] = (await once(child, "message")) as [{ service: StartedService }];
    return await use(await targetOf(service), child.pid ?? 0);
  } finally {
    const exited = once(child, "exit");
    child.disconnect();
    await exited;
  }
}

async function sendAll(manifest: HostileFile[], target: Target, pid: number): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  for (const each of manifest) outcomes[each.file] = await sendOne(each, target, pid);
  return outcomes;
}

async function sendOne({ file, ext }: HostileFile, target: Target, pid: number): Promise<Outcome> {
  const bytes = await readFile(join(dataFolder, "hostile", file));
  const body = JSON.stringify({ filename: `file.${ext}`, params, file: bytes.toString("base64") });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOfTree(pid));
  }, 50);
  const startedAt = performance.now();
  const end = (outcome: Outcome["outcome"], code?: string): Outcome => ({
    outcome,
    ...(code === undefined ? {} : { code }),
    ms: Math.round(performance.now() - startedAt),
    rss_mb: Math.round(peak / 2 ** 20),
  });
  try {
    const answer = endpointAccepts(ext)
      ? await post(target, body)
      : await runCommand(join(dataFolder, "hostile", file));
    if (answer.status === 200) return end("parsed");
    const known = answer.status === 502 || answer.status === 504 || answer.status === 422;
    return end(known ? "error" : "crash", [answer.code, answer.reason].filter(Boolean).join("/"));
  } catch (error) {
    return end((error as Error).name === "TimeoutError" ? "timeout" : "crash");
  } finally {
    clearInterval(watch);
  }
}

const endpointAccepts = (extension: string): boolean => extractionExtensions.some((each) => each === extension);

/**
 * Extracts from a file with the command-line program, because the endpoint does not accept this
 * type of file.
 */
async function runCommand(path: string): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-hostile-"));
  try {
    const paramsPath = join(folder, "params.json");
    await writeFile(paramsPath, JSON.stringify(params));
    const main = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [main, "extract", path, "--params", paramsPath], {
      timeout: timeoutMs,
    }).catch((error: { stdout: string }) => error);
    const { status, code, detail } = JSON.parse(stdout) as {
      status: string;
      code?: string;
      detail?: { reason?: string };
    };
    return { status: status === "success" ? 200 : 502, code, reason: detail?.reason };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Answer {
  status: number;
  code: string | undefined;
  reason: string | undefined;
}

async function post({ url, token }: Target, body: string): Promise<Answer> {
  const headers = { "x-api-key": token, "content-type": "application/json" };
  const response = await fetch(`${url}/v2/extractor`, {
    method: "POST",
    body,
    headers,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { code, detail } = (await response.json()) as { code?: string; detail?: { reason?: string } };
  return { status: response.status, code, reason: detail?.reason };
}

const writing =
  /^\d+ +(?:(?:creat|mkdir|mkdirat|rename|renameat|renameat2|link|linkat|symlink|symlinkat)\(|openat\(.*O_(?:WRONLY|RDWR|CREAT))/;

/**
 * Prints connections and written files. Omits the service's connections to its own port, which it
 * opens to measure the accept delay.
 */
function report(trace: string, folder: string, ownPort: string): void {
  const lines = trace.split("\n");
  const connections = lines.filter(
    (line) => /\b(connect|sendto)\(.*AF_INET/.test(line) && !line.includes(`htons(${ownPort})`),
  );
  const writes = lines.filter((line) => writing.test(line) && !line.includes("= -1"));
  const outside = writes.filter((line) => !line.includes(folder) && !/"\/dev\/(null|tty|shm)|\/proc\/self/.test(line));
  console.log(`connections made: ${connections.length}; files written outside the data folder: ${outside.length}`);
  for (const line of [...connections, ...outside].slice(0, 20)) console.log(`  ${line.slice(0, 200)}`);
}
