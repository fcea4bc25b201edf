import assert from "node:assert/strict";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { defaultReadingSettings } from "../open-reader.ts";
import { ReadingError } from "../reader.ts";
import { packPage } from "./messages.ts";
import { ReadingProcess } from "./reading-process.ts";
import { ReadingSession } from "./reading-session.ts";

const opened = { kind: "opened", pages: 2, metadata: {}, outline: [] };
const blank = {
  number: 1,
  width: 1,
  height: 1,
  rotation: 0,
  source: "text",
  words: [],
  lines: [],
  blocks: [],
  tables: [],
} as const;
// This page is valid, but typed arrays do not survive the conversion to JSON, so it is invalid when
// it arrives.
const packed = packPage({ ...blank, words: [], lines: [], blocks: [], tables: [] });
const page = { kind: "pages", pages: [packed] };
const usage = { rssBytes: 1, cpuSeconds: 1 };

for (const [name, messages] of Object.entries({
  "something else": [null],
  "a page before it opened the file": [page],
  "a message of pages without pages": [opened, { kind: "pages" }],
  "half a page": [opened, page],
  "the end before its pages": [opened, { kind: "done", usage }],
  "two starts": [opened, opened],
  "more pages than allowed": [{ ...opened, pages: 1e9 }],
  "invalid metadata": [{ ...opened, metadata: [1] }],
  "an unknown reason": [{ kind: "failed", reason: "__proto__", message: "x" }],
  "an end without a start": [{ kind: "done" }],
})) {
  test(`a process that sends ${name} is killed, and its document rejected`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "reading-"));
    const path = join(folder, "script.json");
    const text = JSON.stringify(messages);
    await writeFile(path, text);
    const process = new ReadingProcess(defaultReadingSettings, "testing/malformed-messages-process.ts");
    await process.ready;
    const file = await open(path);
    const toRead = { handle: file, bytes: text.length, extension: "pdf" } as const;
    const reading = new ReadingSession(toRead, defaultReadingSettings, { onPage: () => {} }, () => {});
    void reading.join(process);
    await assert.rejects(reading.result, (error) => {
      return error instanceof ReadingError && error.reason === "too_complex";
    });
    assert.equal(process.fit, false);
    await process.ended;
    await file.close();
    await rm(folder, { recursive: true });
  });
}
