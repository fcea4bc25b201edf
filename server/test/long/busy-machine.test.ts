/** A large file on a machine whose processors are busy. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { defaultReadingSettings, openReader } from "../../src/reading/open-reader.ts";
import { inlineRows, makeXlsx } from "../../src/reading/testing/make-office.ts";

test("on a busy machine a large workbook times out for a waiting client, but is read in the background", async () => {
  const busy = Array.from({ length: 6 }, () => spawn(process.execPath, ["--eval", "for (;;);"]));
  const folder = await mkdtemp(join(tmpdir(), "reading-"));
  const path = join(folder, "large.xlsx");
  const rows = Array.from({ length: 20_000 }, (_, row) => [`name ${row}`, `town ${row % 97}`, String(row * 7)]);
  await writeFile(path, makeXlsx({ sheets: { Data: inlineRows(rows) } }));
  const deadlineMs = { base: 3_600_000, perPage: 0, perOcrPage: 0 };
  const readerFor = (wallMs: number) => {
    const formatLimits = { xlsx: { wallMs, cpuMs: 25_000 } };
    return openReader({ ...defaultReadingSettings, deadlineMs, processes: 1, formatLimits });
  };
  const [hasty, patient] = [readerFor(100), readerFor(28_000)];
  try {
    await Promise.all([hasty.warm(), patient.warm()]);
    const startedAt = performance.now();
    await assert.rejects(hasty.read(path, "xlsx"), { name: "ReadingError", reason: "timeout" });
    assert.ok(performance.now() - startedAt < 30_000);
    assert.ok((await patient.read(path, "xlsx", { background: true })).pages.length > 0);
  } finally {
    for (const child of busy) child.kill("SIGKILL");
    await Promise.all([hasty.close(), patient.close()]);
    await rm(folder, { recursive: true });
  }
});
