/** Divides the words of a cell into lines, and drops the lines that only explain the text above. */
import { centreY, type PageRuns, wordAt } from "../../page/text-runs.ts";
import { notePattern } from "./priced-items.ts";

/** Groups the words of a cell by line. */
export function linesOf(page: PageRuns["page"], words: readonly number[]): number[][] {
  const lines: number[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const index of words) {
    const { box } = wordAt(page, index);
    if (centreY(box) > bottom) {
      lines.push([]);
      bottom = box[3];
    }
    lines.at(-1)?.push(index);
  }
  return lines;
}

/** Returns the words of a cell up to the first line that is a note about the text above. */
export function withoutNotes(page: PageRuns["page"], words: readonly number[]): number[] {
  const lines = linesOf(page, words);
  const textOf = (line: readonly number[]): string => line.map((index) => wordAt(page, index).text).join(" ");
  const note = lines.findIndex((line, at) => at > 0 && notePattern.test(textOf(line)));
  return (note < 0 ? lines : lines.slice(0, note)).flat();
}

/**
 * Maximum height of small print, as a share of the height of the first line. Chosen by hand,
 * 2026-11.
 */
const maxSmall = 0.93;

/**
 * Returns the words of a cell up to the first line in smaller print. A smaller line is a detail,
 * such as a serial number or a reference, and does not continue the text.
 */
export function withoutSmallPrint(page: PageRuns["page"], words: readonly number[]): number[] {
  const lines = linesOf(page, words);
  const heightOf = (line: readonly number[]): number =>
    Math.max(...line.map((index) => wordAt(page, index).box[3] - wordAt(page, index).box[1]));
  const usual = heightOf(lines[0] ?? []);
  const small = lines.findIndex((line, at) => at > 0 && heightOf(line) < maxSmall * usual);
  return (small < 0 ? lines : lines.slice(0, small)).flat();
}
