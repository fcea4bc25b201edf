/** Tests copies of pages of a PDF, which are made in a reading process. */
import assert from "node:assert/strict";
import { pageText } from "../document.ts";
import { makePdf, onePage } from "../testing/make-pdf.ts";
import { failsWith, onlyChild, readsGood, save, withReader } from "../testing/pool-reader.ts";

const pages = Array.from({ length: 5 }, (_, index) => ({ marks: [{ text: `Page ${index + 1}`, x: 100, y: 700 }] }));

withReader("the copy holds the pages of the range with their text, and no others", {}, async (reader) => {
  const path = await save(makePdf({ pages }));
  for (const [from, to] of [
    [1, 1],
    [2, 4],
    [1, 5],
  ] as const) {
    const copy = await reader.copyPages(path, { from, to });
    const read = await reader.read(await save(copy), "pdf");
    const expected = pages.slice(from - 1, to).map(({ marks }) => marks[0]?.text);
    assert.deepEqual(read.pages.map(pageText), expected);
  }
});

withReader("a copy of broken or other pages fails alone", {}, async (reader) => {
  await reader.warm();
  const child = onlyChild();
  const path = await save(makePdf({ pages }));
  await failsWith(reader.copyPages(path, { from: 5, to: 6 }), "empty");
  await failsWith(reader.copyPages(await save(Buffer.from("no PDF")), { from: 1, to: 1 }), "corrupt");
  const locked = await save(makePdf({ pages, encrypted: true }));
  await failsWith(reader.copyPages(locked, { from: 1, to: 1 }), "encrypted");
  for (const range of [
    { from: 0, to: 1 },
    { from: 2, to: 1 },
    { from: 1.5, to: 2 },
  ])
    await assert.rejects(reader.copyPages(path, range), RangeError);
  await readsGood(reader);
  assert.equal(onlyChild(), child);
});

withReader("an aborted copy rejects with the reason", {}, async (reader) => {
  const reason = new Error("left");
  const path = await save(onePage({ text: "Text", x: 100, y: 700 }));
  await assert.rejects(reader.copyPages(path, { from: 1, to: 1 }, { signal: AbortSignal.abort(reason) }), reason);
});
