/** Account numbers that go on behind a line's end: the check digits tell which pieces belong together. */

import { overlapShare, type PageRuns, type TextRun, wordAt } from "../page/text-runs.ts";
import { isIban } from "./codes.ts";

export interface WrappedCode {
  /** Where the first part begins in the run's text. */
  start: number;
  text: string;
  /** Words of the page, of both lines. */
  words: number[];
}

const beginPattern = /(?<![\p{L}\d])[A-Z]{2}\d{2}[A-Z\d]{0,30}(?: [A-Z\d]{1,30}){0,8}$/u;
const maxRowsDown = 2;
const maxGap = 1.5;
const maxPieces = 8;
/** ISO 13616. */
const maxLength = 34;

/** The IBAN that begins at the run's end and ends on the next line; undefined if the pieces don't pass the check. */
export function wrappedIban(page: PageRuns, run: TextRun): WrappedCode | undefined {
  const begin = beginPattern.exec(run.text);
  if (!begin || isIban(begin[0])) return undefined;
  const own = run.words.filter((_, at) => (run.starts[at] ?? 0) >= begin.index);
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

/** Where the line may go on: right below, or at the begin of the next row. */
function* linesBelow(page: PageRuns, run: TextRun): Generator<TextRun> {
  for (let down = 1; down <= maxRowsDown; down++) {
    for (const [at, other] of (page.rows[run.row + down] ?? []).entries()) {
      if (other.box[1] - run.box[3] > maxGap * run.height) return;
      if (at === 0 || overlapShare(other.box, run.box) > 0) yield other;
    }
  }
}
