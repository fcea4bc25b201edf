/**
 * Reads the boxes of each row, with the texts of their options. The text is after its box ("☐ yes ☒
 * no") or before it ("yes ☐ no ☒"). Boxes in the columns of a table have no text.
 */
import type { Box } from "../../reading/document.ts";
import { type PageRuns, type TextRun, unionOf, wordAt, wordsBetween } from "./text-runs.ts";

/** A part of a text run. */
export interface Piece {
  run: TextRun;
  /** Start and end of the piece in the text of its run, in UTF-16 units. */
  start: number;
  end: number;
  text: string;
  box: Box;
}

export interface OptionBox extends Piece {
  checked: boolean;
}

export interface RowOption {
  mark: OptionBox;
  /** Undefined for a box without text beside it. */
  text?: Piece;
}

const yesWords = /^(?:yes|ja|oui|s[ií]|sì|sim)(?=$|[,;:(])/iu;
const noWords = /^(?:no|nein|non|nee|não)(?=$|[,;:(])/iu;
/**
 * Returns true for "yes" and false for "no" in several languages, and undefined for any other text.
 */
export const answerOf = (text: string): boolean | undefined =>
  yesWords.test(text) ? true : noWords.test(text) ? false : undefined;

/** Boxes of one row, and the text before them. */
export interface OptionRow {
  lead: Piece[];
  options: RowOption[];
  /** True if the boxes have no texts because they are in the columns of a table. */
  bare: boolean;
}

const empty = /[☐□▢❏❐❑❒⬜]|\[ ?\]|\( ?\)/u;
const sure = /[☑☒🗹]|\[ ?[xX✓✔✗✘] ?\]/u;
const unsure = /[✓✔✗✘■]|\( ?[xX✓] ?\)/u;
const mark = /[☐□▢❏❐❑❒⬜☑☒🗹✓✔✗✘■●◉⦿○◯]|\[ ?[xX✓✔✗✘]? ?\]|\( ?[xX✓]? ?\)/gu;
const [emptyCircle, fullCircle] = [/[○◯]/u, /[●◉⦿]/u];

/** Maximum number of boxes that are read per page. Chosen by hand, 2026-11. */
const maxBoxes = 1_000;
/** Maximum length of a run that is searched, in UTF-16 units. Chosen by hand, 2026-11. */
const maxSearched = 1_000;
/** Maximum gap between a box and its text, in heights of the text. Chosen by hand, 2026-11. */
const maxGap = 5;

/** For each row of a page, its texts or its boxes. */
export interface PageOptions {
  /** For each row without boxes, its pieces of text. Empty for a row with boxes. */
  texts: readonly (readonly Piece[])[];
  rows: readonly (readonly OptionRow[])[];
}

/** Returns the rows with their options, or undefined if the page has no boxes. */
export function readOptionRows(page: PageRuns): PageOptions | undefined {
  const isBox = boxTest(page);
  if (!isBox) return undefined;
  let count = 0;
  const rows = page.rows.map((row) => {
    const pieces = row.flatMap((run) => piecesOf(page, run, isBox));
    count += pieces.filter(isMark).length;
    return count > maxBoxes ? [] : pieces;
  });
  if (count === 0) return undefined;
  return {
    texts: rows.map((pieces) => (pieces.some(isMark) ? [] : pieces)),
    rows: rows.map((pieces) => (pieces.some(isMark) ? rowsOf(page, pieces) : [])),
  };
}

const isMark = (piece: Piece): piece is OptionBox => "checked" in piece;

/**
 * Returns a function that recognizes the boxes of this page. Ticks, squares and circles may be
 * bullets instead. They count as boxes only if the page also has empty boxes.
 */
function boxTest({ runs }: PageRuns): ((text: string) => boolean) | undefined {
  const has = (pattern: RegExp): boolean => runs.some(({ text }) => pattern.test(text));
  const hasEmpty = has(empty);
  const hasCircles = has(emptyCircle) && has(fullCircle);
  if (!hasEmpty && !hasCircles && !has(sure)) return undefined;
  return (text) =>
    empty.test(text) ||
    sure.test(text) ||
    (unsure.test(text) && hasEmpty) ||
    (hasCircles && (emptyCircle.test(text) || fullCircle.test(text)));
}

function piecesOf(page: PageRuns, run: TextRun, isBox: (text: string) => boolean): (Piece | OptionBox)[] {
  const pieces: (Piece | OptionBox)[] = [];
  const add = (start: number, end: number): void => {
    const piece = pieceOf(page, run, start, end);
    if (piece) pieces.push(piece);
  };
  let from = 0;
  for (const { 0: text, index } of run.text.slice(0, maxSearched).matchAll(mark)) {
    if (!isBox(text)) continue;
    add(from, index);
    from = index + text.length;
    const checked = !empty.test(text) && !emptyCircle.test(text);
    pieces.push({ run, start: index, end: from, text, box: boxOfSpan(page, run, index, from), checked });
  }
  add(from, run.text.length);
  return pieces;
}

/** Returns the piece without spaces and dots at its ends, or undefined if nothing is left. */
export function pieceOf(page: PageRuns, run: TextRun, start: number, end: number): Piece | undefined {
  let [from, to] = [start, end];
  while (from < to && isFiller(run.text.charAt(from))) from++;
  while (to > from && isFiller(run.text.charAt(to - 1))) to--;
  const text = run.text.slice(from, to);
  return from < to ? { run, start: from, end: to, text, box: boxOfSpan(page, run, from, to) } : undefined;
}

const isFiller = (letter: string): boolean => /[\s._…·|*]/u.test(letter);

/**
 * Returns the bounding box of a span. If the span covers only a part of a word, only that part of
 * the word's box is included.
 */
function boxOfSpan(page: PageRuns, run: TextRun, start: number, end: number): Box {
  const words = wordsBetween(run, start, end);
  return words
    .map((word): Box => {
      const { text, box } = wordAt(page.page, word);
      const at = run.starts[run.words.indexOf(word)] ?? 0;
      const share = (place: number): number => Math.min(1, Math.max(0, (place - at) / Math.max(1, text.length)));
      const width = box[2] - box[0];
      return [box[0] + width * share(start), box[1], box[0] + width * share(end), box[3]];
    })
    .reduce(unionOf, run.box[0] > run.box[2] ? run.box : ([Infinity, Infinity, -Infinity, -Infinity] as const));
}

function rowsOf(page: PageRuns, pieces: readonly (Piece | OptionBox)[]): OptionRow[] {
  const marks = pieces.filter(isMark);
  const touching = pieces.some(
    (piece, at) => isMark(piece) && at + 1 < pieces.length && isMark(pieces[at + 1] ?? piece),
  );
  if (touching) {
    const lead = pieces.filter((piece) => !isMark(piece));
    return [{ lead, options: marks.map((each) => ({ mark: each })), bare: true }];
  }
  const last = pieces.at(-1);
  const precedes = last !== undefined && isMark(last) && !isMark(pieces[0] ?? last);
  if (!precedes) return followed(page, pieces);
  const [first] = pieces;
  const split = marks.length > 1 && first && isMark(pieces[1] ?? first) ? splitLabel(page, first) : undefined;
  return preceded(split ? [...split, ...pieces.slice(1)] : pieces);
}

/**
 * Splits the text after a box into the answer of that box and the next question. In "☐ no Smoker ☐
 * yes", the text "no Smoker" is split after "no".
 */
function withoutNext(page: PageRuns, piece: Piece): [Piece, Piece?] {
  const { run, start, end, text } = piece;
  const [word = ""] = text.split(" ");
  if (word.length === text.length || answerOf(word) === undefined) return [piece];
  const [answer, next] = [pieceOf(page, run, start, start + word.length), pieceOf(page, run, start + word.length, end)];
  return answer && next ? [answer, next] : [piece];
}

/** Reads the options of a row in which each text follows its box. */
function followed(page: PageRuns, pieces: readonly (Piece | OptionBox)[]): OptionRow[] {
  const rows: OptionRow[] = [];
  let lead: Piece[] = [];
  for (const [at, piece] of pieces.entries()) {
    const before = pieces[at - 1];
    if (!isMark(piece)) {
      const option = before && isMark(before) ? rows.at(-1)?.options.at(-1) : undefined;
      if (option && piece.box[0] - option.mark.box[2] <= maxGap * piece.run.height) {
        const [text, next] = at + 1 < pieces.length ? withoutNext(page, piece) : [piece];
        option.text = text;
        if (next) lead.push(next);
      } else lead.push(piece);
      continue;
    }
    const [text] = pieces.slice(at + 1);
    const repeats = rows.at(-1)?.options.some((option) => option.text !== undefined && option.text.text === text?.text);
    if (lead.length > 0 || rows.length === 0 || repeats) rows.push({ lead, options: [], bare: false });
    lead = [];
    rows.at(-1)?.options.push({ mark: piece });
  }
  // If the row has a single box and the text after it is too far away to be its option, the text is
  // part of the question.
  const [only] = rows;
  if (rows.length === 1 && only && lead.length > 0 && only.options.every(({ text }) => !text)) only.lead.push(...lead);
  return rows.map((row) => ({ ...row, bare: row.options.every(({ text }) => !text) }));
}

/** Reads the options of a row in which each text precedes its box. */
function preceded(pieces: readonly (Piece | OptionBox)[]): OptionRow[] {
  const rows: OptionRow[] = [];
  let texts: Piece[] = [];
  for (const piece of pieces) {
    if (!isMark(piece)) {
      texts.push(piece);
      continue;
    }
    const text = texts.pop();
    if (texts.length > 0 || rows.length === 0) rows.push({ lead: texts, options: [], bare: false });
    texts = [];
    rows.at(-1)?.options.push({ mark: piece, ...(text && { text }) });
  }
  return rows;
}

/**
 * Splits "Smoker: yes" into label and option: after a colon or question mark, or at the widest gap
 * between words.
 */
function splitLabel(page: PageRuns, piece: Piece): [Piece, Piece] | undefined {
  const { run, start, end, text } = piece;
  const marks = [...text.matchAll(/[:?](?=\s)/gu)];
  const at = marks.at(-1)?.index;
  const cut = at === undefined ? widestGap(page, piece) : start + at + 1;
  const [first, second] = cut === undefined ? [] : [pieceOf(page, run, start, cut), pieceOf(page, run, cut, end)];
  return first && second ? [first, second] : undefined;
}

/**
 * Minimum gap that separates a label from the first option, in text heights. Chosen by hand,
 * 2026-11.
 */
const minLabelGap = 0.45;

function widestGap(page: PageRuns, { run, start, end }: Piece): number | undefined {
  let [widest, cut]: [number, number | undefined] = [minLabelGap * run.height, undefined];
  for (let at = 1; at < run.words.length; at++) {
    const place = run.starts[at] ?? 0;
    if (place <= start || place >= end) continue;
    const gap = wordAt(page.page, run.words[at] ?? 0).box[0] - wordAt(page.page, run.words[at - 1] ?? 0).box[2];
    if (gap > widest) [widest, cut] = [gap, place];
  }
  return cut;
}
