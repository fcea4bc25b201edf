/**
 * Every format has its own limits on processor time and wall time, which hold whatever the process
 * does. Needs Linux.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { defaultReadingSettings, openReader } from "../open-reader.ts";
import { type ReadableExtension, ReadingError, type ReadingSettings, readableExtensions } from "../reader.ts";
import type { Surroundings } from "../testing/escaping-process.ts";
import { inlineRows, makeXlsx } from "../testing/make-office.ts";
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
 * Reads with a process that does `endless` instead of reading. Returns the milliseconds until the
 * read failed with `timeout`.
 */
async function timeoutAfter(
  endless: NonNullable<Surroundings["endless"]>,
  extension: ReadableExtension,
  settings: ReadingSettings,
  background = false,
): Promise<number> {
  const around = { files: [], database: "", folder: "", tcpPort: 0, udpPort: 0, unixPath: "" };
  const bytes = Buffer.from(JSON.stringify({ ...around, endless } satisfies Surroundings));
  const path = join(folder, "order");
  await writeFile(path, bytes);
  await using handle = await open(path);
  const process = new ReadingProcess(settings, "testing/escaping-process.ts");
  await process.ready;
  const startedAt = performance.now();
  const options = { onPage: () => {}, background };
  const reading = new ReadingSession({ handle, bytes: bytes.length, extension }, settings, options, () => {});
  void reading.join(process);
  await assert.rejects(reading.result, isTimeout);
  const ms = performance.now() - startedAt;
  await process.ended;
  return ms;
}

for (const extension of readableExtensions) {
  test(`${extension}: a read that exceeds its processor time is stopped`, async () => {
    const settings = settingsFor(extension, { wallMs: hour, cpuMs: 300 });
    const ms = await timeoutAfter("turns", extension, settings, true);
    assert.ok(ms >= 300, `after ${ms} ms`);
  });
  test(`${extension}: a read that waits is stopped at its wall time limit`, async () => {
    const ms = await timeoutAfter("sleep", extension, settingsFor(extension, { wallMs: 1_000, cpuMs: 900 }));
    assert.ok(ms >= 990, `after ${ms} ms`);
  });
}

test("a PDF, which has no format limit, gets processor time by its pages", async () => {
  const deadlineMs = { base: 2_000, perPage: 0, perOcrPage: 0 };
  // Wall time alone would end it after 12 s in the background.
  const ms = await timeoutAfter("turns", "pdf", { ...defaultReadingSettings, deadlineMs }, true);
  assert.ok(ms >= 2_000 && ms < 12_000, `after ${ms} ms`);
});

test("a background read may wait longer", async () => {
  const ms = await timeoutAfter("sleep", "png", settingsFor("png", { wallMs: 300, cpuMs: hour }), true);
  assert.ok(ms >= 1_500, `after ${ms} ms`);
});

test("every format but PDF ends within half a minute while a caller waits", () => {
  const counts = { pages: 5_000, ocrPages: 1, background: false };
  for (const extension of readableExtensions.filter((each) => each !== "pdf")) {
    const { wallMs, cpuMs } = budgetOf(defaultReadingSettings, extension, counts);
    assert.ok(wallMs < 30_000 && cpuMs < 30_000, extension);
  }
  assert.ok(budgetOf(defaultReadingSettings, "pdf", { ...counts, ocrPages: 5_000 }).wallMs > 5_000 * 30_000);
});

test("on a busy machine a large workbook times out for a caller and is read in the background", async () => {
  const busy = Array.from({ length: 6 }, () => spawn(process.execPath, ["--eval", "for (;;);"]));
  const settings = settingsFor("xlsx", { wallMs: 28_000, cpuMs: 25_000 });
  const path = join(folder, "large.xlsx");
  const rows = Array.from({ length: 20_000 }, (_, row) => [`name ${row}`, `town ${row % 97}`, String(row * 7)]);
  await writeFile(path, makeXlsx({ sheets: { Data: inlineRows(rows) } }));
  const hasty = openReader({ ...settings, processes: 1, formatLimits: { xlsx: { wallMs: 100, cpuMs: 25_000 } } });
  const patient = openReader({ ...settings, processes: 1 });
  try {
    await Promise.all([hasty.warm(), patient.warm()]);
    const startedAt = performance.now();
    await assert.rejects(hasty.read(path, "xlsx"), isTimeout);
    assert.ok(performance.now() - startedAt < 30_000);
    assert.ok((await patient.read(path, "xlsx", { background: true })).pages.length > 0);
  } finally {
    for (const child of busy) child.kill("SIGKILL");
    await Promise.all([hasty.close(), patient.close()]);
  }
});
