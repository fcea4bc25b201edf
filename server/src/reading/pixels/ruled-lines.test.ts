import assert from "node:assert/strict";
import { test } from "node:test";
import { type Mark, makePdf } from "../testing/make-pdf.ts";
import { grayOf, pictureOf } from "../testing/page-pictures.ts";
import type { GrayImage } from "./gray-image.ts";
import { isRule, longLines, type RuledLine, ruledLines, withoutLines } from "./ruled-lines.ts";

/** Returns an image of 600×400 pixels, in which one point of the page is two pixels. */
const imageOf = async (...marks: Mark[]): Promise<GrayImage> =>
  grayOf(await pictureOf(makePdf({ pages: [{ marks, mediaBox: [0, 0, 300, 200] }] }), 600));

const noisy = ({ pixels, ...size }: GrayImage): GrayImage => {
  let state = 7;
  const noise = (): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state / 2147483648 - 0.5) * 30;
  };
  return { ...size, pixels: pixels.map((pixel) => Math.min(255, Math.max(0, pixel * 0.9 + noise()))) };
};

const ends = ({ x0, y0, x1, y1 }: RuledLine): number[] => [x0, y0, x1, y1];
const isNear = (found: RuledLine, expected: readonly number[]): boolean =>
  ends(found).every((value, at) => Math.abs(value - (expected[at] ?? 0)) <= 5);

test("horizontal and vertical lines are found at the correct positions, even in noise", async () => {
  const image = noisy(await imageOf({ line: [20, 150, 280, 150] }, { line: [100, 40, 100, 180] }));
  const { level, upright } = longLines(ruledLines(image), 100, 100);
  assert.deepEqual([level.length, upright.length], [1, 1]);
  assert.ok(level.some((line) => isNear(line, [40, 100, 560, 100]) && isRule(image, line)));
  assert.ok(upright.some((line) => isNear(line, [200, 40, 200, 320]) && isRule(image, line)));
});

test("a line that slopes a little is found as one line", async () => {
  const { level } = longLines(ruledLines(await imageOf({ line: [20, 150, 280, 152] })), 100, 100);
  assert.equal(level.length, 1);
  assert.ok(level.some((line) => isNear(line, [40, 100, 560, 96])));
});

test("the edges of a shaded row are found as lines", async () => {
  const shade: Mark = { raw: "0.93 g 20 100 260 20 re f" };
  const { level } = longLines(ruledLines(await imageOf(shade)), 300, 100);
  assert.deepEqual(
    level.map(({ y0 }) => Math.round(y0 / 4)).sort((a, b) => a - b),
    [40, 50],
  );
});

test("rows of small letters are not ruled lines, and are not erased", async () => {
  const marks = Array.from({ length: 9 }, (_, index) => ({
    ...{ text: "minimum union communion aluminium", x: 20, y: 180 - index * 18, size: 5 },
  }));
  const image = await imageOf(...marks);
  const lines = ruledLines(image);
  assert.deepEqual(
    longLines(lines, 60, 60).level.filter((line) => isRule(image, line)),
    [],
  );
  assert.deepEqual(withoutLines(image, lines).pixels, image.pixels);
});

test("lines are erased, and letters that touch them are kept", async () => {
  const text: Mark = { text: "Typ", x: 100, y: 152, size: 20 };
  const image = await imageOf({ line: [20, 150, 280, 150] }, text);
  const erased = withoutLines(image, ruledLines(image));
  const darkIn = ({ pixels }: GrayImage, from: number, to: number): number => {
    let count = 0;
    for (let y = 90; y < 115; y++) for (let x = from; x < to; x++) if ((pixels[y * 600 + x] ?? 0) < 128) count++;
    return count;
  };
  assert.ok(darkIn(image, 40, 190) > 100);
  assert.equal(darkIn(erased, 40, 190), 0);
  // The lower parts of "y" and "p" cross the line.
  assert.ok(darkIn(erased, 200, 300) > 60);
});
