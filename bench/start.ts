/**
 * Measures a service before its first request: the time from the start of the process to `/readyz`,
 * and the memory of all its processes half a minute later. Can also be run alone:
 * `node bench/start.ts`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { youngSpace } from "../server/src/lib/process-setup.ts";
import { processorSeconds, residentBytes } from "./processor.ts";
import { type BenchRow, quantile, table, withinLimit } from "./rows.ts";
import { settingsIn, withFolder } from "./service-target.ts";

const starts = 7;
/** Maximum time until the service is ready, on a machine without other load. */
const maxReadyMs = 600;
/** Maximum memory of the idle service, on a machine without other load. */
const maxIdleMib = 150;
const idleMs = 30_000;

const root = join(import.meta.dirname, "..");

interface Started {
  child: ChildProcess;
  /** Time from the start of the process until `/readyz` responds with 200, in milliseconds. */
  readyMs: number;
  /** User and system time until `/readyz` responds, in milliseconds. */
  processorMs: number;
}

/**
 * Starts the service like `npm start`, but without npm. When a start is measured, the folder
 * already contains an installation.
 */
async function startIn(folder: string): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [youngSpace, join(root, "server/src/main.ts"), "serve"], {
    env: {
      PATH: process.env.PATH,
      MALLOC_ARENA_MAX: "2",
      NODE_COMPILE_CACHE: join(root, "node_modules/.cache/sheaf"),
      SHEAF_LOG_LEVEL: "error",
      ...settingsIn(folder),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await urlOf(child);
  const response = await fetch(`${url}/readyz`);
  const readyMs = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`/readyz: ${response.status} ${await response.text()}`);
  return { child, readyMs, processorMs: processorSeconds(child.pid as number) * 1000 };
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("The standard output of the service is not piped.");
  for await (const line of createInterface(stdout)) {
    const [, url] = /^Sheaf is ready at (\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      stdout.resume();
      return url;
    }
  }
  throw new Error("The service ended before it was ready.");
}

async function stop({ child }: Started): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Takes about a minute. */
export const benchStart = (): Promise<BenchRow[]> =>
  withFolder(async (folder) => {
    // The first start is not measured: it creates the installation and, if missing, the cache of
    // compiled modules.
    await stop(await startIn(folder));
    const all: Started[] = [];
    for (let i = 0; i < starts; i++) {
      const started = await startIn(folder);
      all.push(started);
      if (i < starts - 1) await stop(started);
    }
    const last = all.at(-1) as Started;
    await setTimeout(idleMs);
    const idle = residentBytes(last.child.pid as number);
    await stop(last);
    const ready = all.map(({ readyMs }) => readyMs);
    const processor = all.map(({ processorMs }) => processorMs);
    return [
      { name: "start to ready, fastest of 7", ...withinLimit(Math.min(...ready), "ms", maxReadyMs) },
      { name: "start to ready, median of 7", value: quantile(ready, 0.5), unit: "ms", against: "" },
      { name: "start to ready: processor time, minimum of 7", value: Math.min(...processor), unit: "ms", against: "" },
      {
        name: "memory 30 s after the start, all processes",
        ...withinLimit(idle / 2 ** 20, "MiB", maxIdleMib),
      },
    ];
  });

if (import.meta.main) console.log(table(await benchStart()));
