/** Groups lines, which are in reading order, into blocks: headings, paragraphs and lists. */
import type { BlockKind, Box } from "../document.ts";
import { heightOf, horizontalOverlap, median, unionOf } from "./geometry.ts";
import { inLogicalOrder } from "./logical-order.ts";
import { isAmount } from "./number-words.ts";
import type { PlacedWord } from "./placed-word.ts";

export interface DraftLine {
  words: readonly PlacedWord[];
  box: Box;
  /** Number of text runs of the line. */
  runs: number;
}

export interface DraftBlock {
  kind: BlockKind;
  lines: DraftLine[];
}

/** Two font sizes count as equal if their ratio is at most this. Chosen by hand, 2026-11. */
const sameSize = 1.12;
/**
 * Minimum font size of a heading, as a multiple of the size of most text. Chosen by hand, 2026-11.
 */
const headingSize = 1.18;
/** Maximum number of words of a heading. Chosen by hand, 2026-11. */
const maxHeadingWords = 14;
/**
 * Minimum gap between paragraphs, as a share of the line height. The minimum does not apply if the
 * gaps between all lines are that wide. Chosen by hand, 2026-11.
 */
const gapOfHeight = 0.45;
/**
 * A line is short if it leaves at least this share of the column's width empty. Chosen by hand,
 * 2026-11.
 */
const shortPart = 0.2;
/** Minimum number of words of a line that can end a paragraph. Chosen by hand, 2026-11. */
const minSentenceWords = 3;

const bullet = /^(?:[•◦▪▫■□●○‣⁃∙·*–—-]|\p{Co}|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])$/u;

/** Returns the blocks of a column. `bodySize` is the font size of most text on the page. */
export function blocksOf(lines: readonly DraftLine[], bodySize: number): DraftBlock[] {
  const [left, , right] = lines.length > 0 ? unionOf(lines) : [0, 0, 0];
  const shortEnd = right - shortPart * (right - left);
  const pitch = median(
    lines
      .slice(1)
      .map((line, index) => gapBetween(lines[index] ?? line, line))
      .filter((gap) => gap >= 0),
  );
  const groups: DraftLine[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const above = group?.at(-1);
    if (group && above && goesOn(above, line, pitch) && !endsParagraph(above, shortEnd)) group.push(line);
    else groups.push([line]);
  }
  return joinLists(groups.map((group) => ({ kind: kindOf(group, bodySize), lines: group })));
}

/**
 * Maximum gap between lines of one block, as a multiple of the median gap between the lines of the
 * column. Chosen by hand, 2026-11.
 */
const gapOfPitch = 1.3;
/**
 * Minimum type size, in points. Smaller sizes are raised to it before they are used as a divisor.
 */
const minSize = 0.1;
/**
 * Minimum font size of a heading in bold type, as a multiple of the size of most text. Chosen by
 * hand, 2026-11.
 */
const boldHeadingSize = 0.95;

const gapBetween = (above: DraftLine, below: DraftLine): number => below.box[1] - above.box[3];

function goesOn(above: DraftLine, line: DraftLine, pitch: number): boolean {
  const height = Math.min(heightOf(above), heightOf(line));
  const gap = gapBetween(above, line);
  if (gap < -height || gap > Math.max(gapOfHeight * height, Math.min(pitch * gapOfPitch, height))) return false;
  if (startsItem(line) || isBold(above) !== isBold(line)) return false;
  const ratio = sizeOf(above) / Math.max(sizeOf(line), minSize);
  return ratio < sameSize && ratio > 1 / sameSize && horizontalOverlap(above.box, line.box) > -height;
}

/** Returns true for a line whose sentence ends well before the right edge of the column. */
function endsParagraph(line: DraftLine, shortEnd: number): boolean {
  return (
    line.words.length >= minSentenceWords &&
    line.box[2] < shortEnd &&
    /[.!?…]["”»)]?$/.test(line.words.at(-1)?.text ?? "")
  );
}

function sizeOf(line: DraftLine): number {
  return median(line.words.map((word) => word.size));
}

const isBold = (line: DraftLine): boolean => line.words.every((word) => word.bold);
const startsItem = (line: DraftLine): boolean => line.words.length > 1 && bullet.test(line.words[0]?.text ?? "");

function kindOf(lines: readonly DraftLine[], bodySize: number): BlockKind {
  const first = lines[0];
  if (first === undefined) return "paragraph";
  if (startsItem(first)) return isHeading(lines, bodySize) && lines.length === 1 ? "heading" : "list";
  return isHeading(lines, bodySize) ? "heading" : "paragraph";
}

function isHeading(lines: readonly DraftLine[], bodySize: number): boolean {
  if (lines.length > 3 || lines.some((line) => line.runs > 1)) return false;
  const words = lines.flatMap((line) => line.words);
  if (words.length > maxHeadingWords) return false;
  if (!words.some((word) => /\p{L}{2}/u.test(word.text)) || words.some((word) => isAmount(word.text))) return false;
  const last = words.at(-1)?.text ?? "";
  if (/[.,;:]$/.test(last)) return false;
  const size = median(words.map((word) => word.size));
  return (
    size >= headingSize * bodySize ||
    (lines.length === 1 && words.every((word) => word.bold) && size >= boldHeadingSize * bodySize)
  );
}

/** Joins list items that follow each other into one list. */
function joinLists(blocks: readonly DraftBlock[]): DraftBlock[] {
  const result: DraftBlock[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last?.kind === "list" && block.kind === "list") last.lines.push(...block.lines);
    else result.push(block);
  }
  return result;
}

/** Returns a line of words. `words` must be sorted from left to right. */
export const lineOf = (words: readonly PlacedWord[], runs: number): DraftLine => ({
  words: inLogicalOrder(words),
  box: unionOf(words),
  runs,
});
