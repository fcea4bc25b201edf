import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Block, BlockKind, Document, Line, Page, Table, Word } from "../reading/document.ts";
import { passagesOf } from "./passages.ts";

const box = [0, 0, 1, 1] as const;

/** Returns a page with these blocks. Each has a kind, a font size and lines. */
function pageOf(number: number, parts: readonly [kind: BlockKind, size: number, ...lines: string[]][]): Page {
  const words: Word[] = [];
  const lines: Line[] = [];
  const blocks: Block[] = [];
  for (const [kind, size, ...texts] of parts) {
    const first = lines.length;
    for (const text of texts) {
      const start = words.length;
      words.push(...text.split(" ").map((word) => ({ text: word, box, size })));
      lines.push({ box, start, end: words.length });
    }
    blocks.push({ kind, box, start: first, end: lines.length });
  }
  return { number, width: 1, height: 1, rotation: 0, source: "text", words, lines, blocks, tables: [] };
}

const documentOf = (...pages: Page[]): Document => ({ mime: "application/pdf", pages, metadata: {} });
const about = { name: "lease.v2.pdf", path: "" };
const sentences = (count: number) =>
  Array.from({ length: count }, (_, i) => `This is sentence number ${i} of them all.`);

test("short blocks are joined, with their heading and the path of headings", () => {
  const page = pageOf(3, [
    ["heading", 20, "Lease"],
    ["heading", 14, "1 Term"],
    ["paragraph", 10, "The lease runs", "for two years."],
    ["list", 10, ...sentences(5)],
    ["heading", 14, "2 Rent"],
    ["paragraph", 10, ...sentences(20)],
  ]);
  const [first, second] = passagesOf(documentOf(page), about);
  assert.deepEqual(first, {
    page: 3,
    start: 0,
    end: 49,
    text: ["Lease", "1 Term", "The lease runs", "for two years.", ...sentences(5)].join("\n"),
    title: "lease.v2",
    headings: ["Lease", "1 Term"],
  });
  assert.deepEqual(second?.headings, ["Lease", "2 Rent"]);
});

test("long text is cut at sentence ends and repeats the previous sentence", () => {
  const passages = passagesOf(documentOf(pageOf(1, [["paragraph", 10, sentences(60).join(" ")]])), about);
  assert.ok(passages.length >= 2 && passages.length <= 4);
  for (const { text, start, end } of passages) {
    assert.match(text, /^This .* all\.$/s);
    assert.ok(end - start <= 220);
  }
  for (const [i, next] of passages.slice(1).entries()) assert.equal((passages[i]?.end ?? 0) - next.start, 8);
});

test("each part of a long table includes the header", () => {
  const rows = Array.from({ length: 80 }, (_, i) => `item${i} ${i} EUR ${i}.00`);
  const page = pageOf(1, [["table", 10, "Item Count Price", ...rows]]);
  const cells: Table["cells"] = page.lines.map((line, row) => ({
    row,
    column: 0,
    rowSpan: 1,
    columnSpan: 1,
    box,
    words: Array.from({ length: line.end - line.start }, (_, i) => line.start + i),
  }));
  page.tables = [{ box, rows: 81, columns: 1, headerRows: 1, ruled: true, cells }];
  const passages = passagesOf(documentOf(page), about);
  assert.ok(passages.length > 1);
  assert.deepEqual(
    passages.map(({ headings }) => headings),
    [[], ...passages.slice(1).map(() => ["Item Count Price"])],
  );
  for (const { text } of passages) assert.match(text, /\d\.00$/);
});

test("text without spaces is cut by length", () => {
  const line = "本合同自双方签字之日起生效。".repeat(3);
  const passages = passagesOf(
    documentOf(pageOf(1, [["paragraph", 10, ...Array.from({ length: 60 }, () => line)]])),
    about,
  );
  assert.ok(passages.length >= 5);
  for (const { text } of passages) assert.ok(text.length < 600);
});

test("passages cover every word of a page, and their text consists of the words of their span", {
  timeout: 60_000,
}, () => {
  const kind = fc.constantFrom<BlockKind>("heading", "paragraph", "list", "table");
  const text = fc
    .array(fc.stringMatching(/^[a-z。.麦]{1,9}$/), { minLength: 1, maxLength: 120 })
    .map((all) => all.join(" "));
  const part = fc.tuple(kind, fc.integer({ min: 0, max: 20 }), fc.array(text, { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.nat(3), (parts, dropped) => {
      const page = pageOf(
        1,
        parts.map(([of, size, lines]) => [of, size, ...lines]),
      );
      page.blocks.splice(dropped, 1);
      const passages = passagesOf(documentOf(page), about);
      const held = new Set<number>();
      for (const { start, end, text: shown } of passages) {
        assert.ok(start < end);
        assert.equal(
          shown.replaceAll("\n", " "),
          page.words
            .slice(start, end)
            .map((word) => word.text)
            .join(" "),
        );
        for (let i = start; i < end; i++) held.add(i);
      }
      assert.equal(held.size, page.words.length);
    }),
    { numRuns: 200 },
  );
});
