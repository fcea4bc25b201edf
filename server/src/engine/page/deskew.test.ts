import assert from "node:assert/strict";
import { test } from "node:test";
import type { Box, Document, Page, Word } from "../../reading/document.ts";
import { extractBuiltin } from "../extract/extract-fields.ts";
import { deskewed, pageAsScanned } from "./deskew.ts";

const texts = [
  "Harbour Street Bakery Ltd",
  "14 Harbour Street, Bristol",
  "Invoice number: 20417",
  "Invoice date: 23 March 2025",
  "Rye bread, two large loaves 7.40",
  "Total amount: 22.95",
];

/**
 * Returns a page of 400 by 500 points with a line every 40 points, rotated clockwise by `degrees`
 * about its centre.
 */
function turnedPage(degrees: number): Page {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const turned = (x: number, y: number, width: number): Box => {
    const [fromX, fromY] = [x + width / 2 - 200, y + 6 - 250];
    const [middleX, middleY] = [200 + fromX * cos - fromY * sin, 250 + fromX * sin + fromY * cos];
    const [halfX, halfY] = Math.abs(sin) > Math.abs(cos) ? [6, width / 2] : [width / 2, 6];
    return [middleX - halfX, middleY - halfY, middleX + halfX, middleY + halfY];
  };
  const page: Page = {
    ...{ number: 1, width: 400, height: 500, rotation: 0, source: "ocr" },
    ...{ words: [], lines: [], blocks: [], tables: [] },
  };
  for (const [row, text] of texts.entries()) {
    const start = page.words.length;
    let x = 60;
    for (const word of text.split(" ")) {
      page.words.push({ text: word, box: turned(x, 60 + row * 40, word.length * 7) } satisfies Word);
      x += word.length * 7 + 5;
    }
    page.lines.push({ box: turned(60, 60 + row * 40, x - 60), start, end: page.words.length });
  }
  return page;
}

const documentOf = (page: Page): Document => ({ mime: "image/png", pages: [page], metadata: {} });

for (const degrees of [-6, 2, 90, 180, 270, 184]) {
  test(`text rotated by ${degrees} degrees is deskewed, and its evidence has the original boxes`, () => {
    const document = documentOf(turnedPage(degrees));
    const page = deskewed(document).pages[0] ?? assert.fail();
    for (const [row, { start, end }] of page.lines.entries()) {
      const words = page.words.slice(start, end);
      const middles = words.map(({ box }) => (box[1] + box[3]) / 2);
      assert.ok(Math.max(...middles) - Math.min(...middles) < 1.5, `line ${row} is level`);
      assert.deepEqual(
        words.toSorted((a, b) => a.box[0] - b.box[0]),
        words,
      );
    }
    assert.equal(pageAsScanned(page), document.pages[0]);
    const params = [{ name: "total", format: "number" as const, description: "Total amount" }];
    const { data, evidence } = extractBuiltin({ document, params: params as never });
    assert.equal(data.total, 22.95);
    const shown = evidence.total as unknown as { boxes: Box[] };
    assert.deepEqual(shown.boxes.at(-1), document.pages[0]?.words.at(-1)?.box);
  });
}

test("a level page is unchanged", () => {
  const document = documentOf(turnedPage(0));
  assert.equal(deskewed(document), document);
});

test("right-to-left lines count as level", () => {
  const words = ["שלום", "עולם"].map(
    (text, index): Word => ({ text, box: [200 - index * 60, 10, 250 - index * 60, 22] }),
  );
  const page: Page = { ...turnedPage(0), words, lines: [{ box: [140, 10, 250, 22], start: 0, end: 2 }] };
  const document = documentOf(page);
  assert.equal(deskewed(document), document);
});
