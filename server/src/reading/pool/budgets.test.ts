/**
 * Every format has its own limits on processor time and wall time. They hold whatever the reading
 * process does. These tests need Linux.
 */
import assert from "node:assert/strict";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { defaultReadingSettings } from "../open-reader.ts";
import { type ReadableExtension, ReadingError, type ReadingSettings, readableExtensions } from "../reader.ts";
import type { Surroundings } from "../testing/escaping-process.ts";
import { budgetOf } from "./budgets.ts";
import { ReadingProcess } from "./reading-process.ts";
import { ReadingSession } from "./reading-session.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "reading-"));
});
after(() => rm(folder, { recursive: true }));

const hour = 3_600_000;
const isTimeout = (error: unknown): boolean => error instanceof ReadingError && error.reason === "timeout";

function settingsFor(extension: ReadableExtension, limit: { wallMs: number; cpuMs: number }): ReadingSettings {
  const deadlineMs = { base: hour, perPage: 0, perOcrPage: 0 };
  return { ...defaultReadingSettings, deadlineMs, formatLimits: { [extension]: limit } };
}

/**
 * Starts a read with a process that performs the action `endless` instead of reading. Returns how
 * many milliseconds the read took to fail with `timeout`, and the processor time that the process
 * had used shortly before that.
 */
async function timeoutAfter(
  endless: NonNullable<Surroundings["endless"]>,
  extension: ReadableExtension,
  settings: ReadingSettings,
  background = false,
): Promise<{ ms: number; cpuMs: number }> {
  const around = { files: [], database: "", folder: "", tcpPort: 0, udpPort: 0, unixPath: "" };
  const bytes = Buffer.from(JSON.stringify({ ...around, endless } satisfies Surroundings));
  const path = join(folder, "order");
  await writeFile(path, bytes);
  await using handle = await open(path);
  const process = new ReadingProcess(settings, "testing/escaping-process.ts");
  await process.ready;
  const startedAt = performance.now();
  const cpuMsBefore = process.cpuMs ?? 0;
  let cpuMs = 0;
  const look = setInterval(() => {
    cpuMs = Math.max(cpuMs, (process.cpuMs ?? 0) - cpuMsBefore);
  }, 50);
  const options = { onPage: () => {}, background };
  const reading = new ReadingSession({ handle, bytes: bytes.length, extension }, settings, options, () => {});
  void reading.join(process);
  await assert.rejects(reading.result, isTimeout);
  const ms = performance.now() - startedAt;
  await process.ended;
  clearInterval(look);
  return { ms, cpuMs };
}

for (const extension of readableExtensions) {
  test(`${extension}: a read that exceeds its processor time is stopped`, async () => {
    const settings = settingsFor(extension, { wallMs: hour, cpuMs: 300 });
    const { ms } = await timeoutAfter("turns", extension, settings, true);
    assert.ok(ms >= 300, `after ${ms} ms`);
  });
  test(`${extension}: a read that waits is stopped at its wall time limit`, async () => {
    const { ms } = await timeoutAfter("sleep", extension, settingsFor(extension, { wallMs: 1_000, cpuMs: 900 }));
    assert.ok(ms >= 990, `after ${ms} ms`);
  });
}

test("the processor time limit of a PDF, which has no format limit, depends on its pages", async () => {
  const deadlineMs = { base: 1_000, perPage: 0, perOcrPage: 0 };
  // With the limit on wall time alone, the background read would end only after 6 s.
  const { ms, cpuMs } = await timeoutAfter("turns", "pdf", { ...defaultReadingSettings, deadlineMs }, true);
  assert.ok(ms >= 1_000 && cpuMs < 4_000, `after ${ms} ms and ${cpuMs} ms of processor time`);
});

test("a background read has a longer wall time limit", async () => {
  const { ms } = await timeoutAfter("sleep", "png", settingsFor("png", { wallMs: 300, cpuMs: hour }), true);
  assert.ok(ms >= 1_500, `after ${ms} ms`);
});

test("while a caller waits, reads of all formats except PDF end within half a minute", () => {
  const counts = { pages: 5_000, ocrPages: 1, background: false };
  for (const extension of readableExtensions.filter((each) => each !== "pdf")) {
    const { wallMs, cpuMs } = budgetOf(defaultReadingSettings, extension, counts);
    assert.ok(wallMs < 30_000 && cpuMs < 30_000, extension);
  }
  assert.ok(budgetOf(defaultReadingSettings, "pdf", { ...counts, ocrPages: 5_000 }).wallMs > 5_000 * 30_000);
});
