/**
 * Compares the server that stores the file of an upload with one that only discards the body:
 * speed, memory and event loop delay. Can also be run alone: `node bench/upload.ts`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchRow, table } from "./rows.ts";
import { type UploadSource, uploadSource, uploadSpeed } from "./upload-client.ts";
import { MeasuredProcess } from "./upload-process.ts";
import type { ProcessReport } from "./upload-watch.ts";

/** Size of the largest file that is accepted, in MiB. The JSON that contains it takes 84 MB. */
const fileMib = 60;
const fileBytes = fileMib * 1024 * 1024;
const rounds = 3;
const maxStallMs = 50;

interface Measured extends ProcessReport {
  /** Bytes of JSON per second: the median of all rounds. */
  speed: number;
}

/** Measures in a new process each time, so that an earlier peak of memory does not count. */
async function measure(path: string, source: UploadSource, parallel: number, folder: string): Promise<Measured> {
  await using server = new MeasuredProcess(new URL("./upload-server.ts", import.meta.url), [folder]);
  const url = `http://127.0.0.1:${await server.message<number>("port")}${path}`;
  await server.reset();
  const speeds: number[] = [];
  for (let round = 0; round < rounds; round++) speeds.push(await uploadSpeed({ url, source, parallel }));
  const report = await server.report();
  return { ...report, speed: speeds.sort((a, b) => a - b)[rounds >> 1] ?? 0 };
}

function rowsOf(name: string, drained: Measured, received: Measured, maxGrowthMib: number): BenchRow[] {
  return [
    {
      name: `${name}: speed`,
      value: received.speed / 1e6,
      unit: "MB/s of JSON",
      against: `drain only ${(drained.speed / 1e6).toFixed(0)}`,
      ratio: received.speed / drained.speed,
    },
    limitedRow(`${name}: peak RSS growth`, "MiB", growthMib(received), growthMib(drained), maxGrowthMib),
    limitedRow(`${name}: longest stall`, "ms", received.longestStallMs, drained.longestStallMs, maxStallMs),
  ];
}

function growthMib({ rssBefore, rssPeak }: ProcessReport): number {
  return (rssPeak - rssBefore) / 2 ** 20;
}

function limitedRow(name: string, unit: string, value: number, drained: number, limit: number): BenchRow {
  return { name, value, unit, against: `limit ${limit} (drain only ${drained.toFixed(1)})`, ratio: value / limit };
}

/**
 * Receives files of the maximum size, one and eight at a time, with base64 in a single line and in
 * lines of 76 characters. Takes about 20 seconds.
 */
export async function benchUpload(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "upload-bench-"));
  const rows: BenchRow[] = [];
  try {
    for (const [kind, source] of [
      ["plain", uploadSource({ fileBytes })],
      ["wrapped", uploadSource({ fileBytes, lineLength: 76 })],
    ] as const) {
      for (const [parallel, maxGrowth] of [
        [1, 50],
        [8, 250],
      ] as const) {
        const drained = await measure("/drain", source, parallel, folder);
        const received = await measure("/receive", source, parallel, folder);
        rows.push(...rowsOf(`${parallel} × ${fileMib} MiB, ${kind}`, drained, received, maxGrowth));
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return rows;
}

if (import.meta.main) console.log(table(await benchUpload()));
