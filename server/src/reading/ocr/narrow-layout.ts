/**
 * Lays out narrow pages such as receipts. They have no room for two columns of text, so all words
 * at the same height form one line, even if there is a wide gap, such as between a label and its
 * amount.
 */
import type { Page } from "../document.ts";
import { blocksOf, type DraftBlock, lineOf } from "../layout/blocks.ts";
import { median, unionOf } from "../layout/geometry.ts";
import type { DrawnWord, PageLayout } from "../layout/page-content.ts";
import type { PlacedWord } from "../layout/placed-word.ts";
import { appended, byDirection, placedWords, rotatedBack } from "../layout/rotation.ts";
import { rowsOf } from "../layout/text-rows.ts";
import { maxColumnLetters } from "./strategy.ts";

/**
 * Returns a layout without tables, or undefined if the page is too wide for this layout. The boxes
 * of `words` may be in any unit.
 */
export function narrowLayout(words: readonly DrawnWord[]): PageLayout | undefined {
  const directed = byDirection(words).map(({ quarters, words }) => ({ quarters, words: placedWords(words, quarters) }));
  const [main] = directed;
  if (main === undefined || !isNarrow(main.words)) return undefined;
  return directed
    .map(({ quarters, words }) => rotatedBack(layOutRows(words), quarters))
    .reduce(appended, { words: [], lines: [], blocks: [], tables: [] });
}

function isNarrow(words: readonly PlacedWord[]): boolean {
  const letterWidths = words
    .filter(({ text }) => text.length > 3)
    .map(({ box, text }) => (box[2] - box[0]) / text.length);
  const [left, , right] = unionOf(words);
  return letterWidths.length > 0 && right - left < maxColumnLetters * median(letterWidths);
}

function layOutRows(words: readonly PlacedWord[]): PageLayout {
  const lines = rowsOf(words, []).map(({ runs }) =>
    lineOf(
      runs.flatMap((run) => run.words),
      runs.length,
    ),
  );
  return finished(blocksOf(lines, median(words.map(({ size }) => size))));
}

function finished(blocks: readonly DraftBlock[]): PageLayout {
  const page: Pick<Page, "words" | "lines" | "blocks"> = { words: [], lines: [], blocks: [] };
  for (const { kind, lines } of blocks) {
    const first = page.lines.length;
    for (const { words, box } of lines) {
      const start = page.words.length;
      page.words.push(...words.map(({ baseline, ...word }) => word));
      page.lines.push({ box, start, end: page.words.length });
    }
    page.blocks.push({ kind, box: unionOf(lines), start: first, end: page.lines.length });
  }
  return { ...page, tables: [] };
}
