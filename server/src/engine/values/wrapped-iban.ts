/**
 * Finds IBANs that continue on a line below. The check digits show which pieces belong together.
 */

import { overlapShare, type PageRuns, type TextRun, wordAt, wordsBetween } from "../page/text-runs.ts";
import { isIban } from "./codes.ts";

export interface WrappedCode {
  /** Start of the first part in the text of the run, in UTF-16 units. */
  start: number;
  text: string;
  /** Indices of the words on the page, from both lines. */
  words: number[];
}

const beginPattern = /(?<![\p{L}\d])[A-Z]{2}\d{2}[A-Z\d]{0,30}(?: [A-Z\d]{1,30}){0,8}$/u;
/** Maximum number of rows to search below the row of the beginning. Chosen by hand, 2026-11. */
const maxRowsDown = 2;
/** Maximum gap between the two lines, in line heights. Chosen by hand, 2026-11. */
const maxGap = 1.5;
/** Maximum number of words of the IBAN on the second line. Chosen by hand, 2026-11. */
const maxPieces = 8;
/** Maximum length of an IBAN in characters (ISO 13616). */
const maxLength = 34;

/**
 * Returns the IBAN that starts at the end of the run and continues in a row below, or undefined if
 * the check digits are wrong for all combinations of pieces.
 */
export function wrappedIban(page: PageRuns, run: TextRun): WrappedCode | undefined {
  const begin = beginPattern.exec(run.text);
  if (!begin || isIban(begin[0])) return undefined;
  // The IBAN may begin inside a word, as in "IBAN:CH93".
  const own = wordsBetween(run, begin.index, run.text.length);
  for (const next of linesBelow(page, run)) {
    const pieces: number[] = [];
    let text = begin[0];
    for (const word of next.words.slice(0, maxPieces)) {
      const piece = wordAt(page.page, word).text.replace(/(?<![).,;])[).,;]+$/, "");
      if (!/^[A-Z\d]+$/.test(piece) || text.length + piece.length > maxLength + maxPieces) break;
      pieces.push(word);
      text += ` ${piece}`;
      if (isIban(text)) return { start: begin.index, text, words: [...own, ...pieces] };
    }
  }
  return undefined;
}

/**
 * Yields the runs in which the IBAN may continue. These are, in each row below, the first run and
 * all runs that overlap `run` horizontally.
 */
function* linesBelow(page: PageRuns, run: TextRun): Generator<TextRun> {
  for (let down = 1; down <= maxRowsDown; down++) {
    for (const [at, other] of (page.rows[run.row + down] ?? []).entries()) {
      if (other.box[1] - run.box[3] > maxGap * run.height) return;
      if (at === 0 || overlapShare(other.box, run.box) > 0) yield other;
    }
  }
}
