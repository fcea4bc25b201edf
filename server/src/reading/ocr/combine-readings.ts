/**
 * Combines the words that Tesseract read with the lines that the second recognizer read. If both
 * recognizers agree on a word, its confidence is high. If they differ, one reading of the word is
 * chosen, by its confidence and by how plausible its characters are. Only Tesseract knows all
 * letters, but the second recognizer reads poor print better.
 */
import type { Box } from "../document.ts";
import { median, middleX, middleY } from "../layout/geometry.ts";
import type { GrayImage } from "../pixels/gray-image.ts";
import { aligned } from "./align-characters.ts";
import { betterOf, type Candidate } from "./choose-reading.ts";
import { LineInk } from "./line-ink.ts";
import type { RecognizedLine } from "./line-recognizer.ts";
import type { OcrWord } from "./ocr-engine.ts";

/** One character position of a line, and what one or both recognizers read there. */
interface Column {
  x: number;
  word?: OcrWord;
  /** The character that Tesseract read. */
  first?: string;
  second?: { text: string; confidence: number };
}

/**
 * Returns the combined words. Their line numbers are new: they do not match those of `words`.
 * @param words words that Tesseract read, in pixels of `image`
 * @param lines lines that the second recognizer read, in pixels of `image`
 */
export function combined(words: readonly OcrWord[], lines: readonly RecognizedLine[], image: GrayImage): OcrWord[] {
  const { inLines, others } = assigned(words, lines);
  const result = lines.flatMap((line, index) => combinedLine(line, inLines[index] ?? [], image, index));
  return [...result, ...others.map((word) => ({ ...word, line: word.line + lines.length }))];
}

/**
 * Returns the words of each line, from left to right, and separately the words that are in no line.
 */
function assigned(words: readonly OcrWord[], lines: readonly RecognizedLine[]) {
  const inLines: OcrWord[][] = lines.map(() => []);
  const others: OcrWord[] = [];
  for (const word of words) {
    const index = lineOf(word, lines);
    if (index === undefined) others.push(word);
    else inLines[index]?.push(word);
  }
  for (const line of inLines) line.sort((a, b) => a.box[0] - b.box[0]);
  return { inLines, others };
}

/**
 * Maximum vertical distance between the middle of a word and the middle of its line, as a share of
 * the height of the line.
 */
const maxDistance = 0.3;

export const isInLine = (word: OcrWord, box: Box): boolean =>
  middleX(word) >= box[0] && middleX(word) <= box[2] && distanceTo(word, box) <= maxDistance;

const distanceTo = (word: OcrWord, box: Box): number => Math.abs(middleY(word) - middleY({ box })) / (box[3] - box[1]);

function lineOf(word: OcrWord, lines: readonly RecognizedLine[]): number | undefined {
  let best: { index: number; distance: number } | undefined;
  for (const [index, { box }] of lines.entries()) {
    if (!isInLine(word, box)) continue;
    const distance = distanceTo(word, box);
    if (best === undefined || distance < best.distance) best = { index, distance };
  }
  return best?.index;
}

/**
 * Height of the letters, as a share of the height of the box that the second recognizer reports for
 * a line.
 */
const letterPart = 0.6;

function combinedLine(
  { box, characters }: RecognizedLine,
  words: readonly OcrWord[],
  image: GrayImage,
  line: number,
): OcrWord[] {
  const ink = new LineInk(image, box);
  const letterHeight = (box[3] - box[1]) * letterPart;
  const first = words.flatMap((word) => charactersOf(word));
  const columns = aligned(first, characters, letterHeight).map(([i, j]): Column => {
    const [a, b] = [i === undefined ? undefined : first[i], j === undefined ? undefined : characters[j]];
    return { x: b?.x ?? a?.x ?? 0, ...(a && { word: a.word, first: a.text }), ...(b && { second: b }) };
  });
  const gaps = gapsOf(characters, ink);
  const runs = runsOf(columns, gaps);
  return runs.flatMap((run, index) => {
    const from = runs[index - 1]?.at(-1);
    const to = runs[index + 1]?.[0];
    const word = wordOf(run, () => boxOf(run, { from, to }, box, ink));
    return word === undefined ? [] : [{ ...word, line }];
  });
}

const charactersOf = (word: OcrWord) => {
  const letters = [...word.text];
  const step = (word.box[2] - word.box[0]) / letters.length;
  return letters.map((text, index) => ({ text, x: word.box[0] + (index + 0.5) * step, word }));
};

interface Gap {
  /**
   * Strength of the evidence that the gap is a space. If Tesseract gives no evidence, a value above
   * 1 counts as a space.
   */
  space: number;
  /**
   * True if the gap is next to the decimal point of a number. Digits of equal width leave gaps
   * there that look like spaces but are not.
   */
  inNumber: boolean;
}

/** Maps each character of the second reading to the gap before it. */
type Gaps = ReadonlyMap<object, Gap>;

/**
 * Minimum amount by which a space is wider than the usual gap between letters, as a share of the
 * usual distance between the middles of neighbouring characters.
 */
const spacePart = 0.33;

function gapsOf(characters: RecognizedLine["characters"], ink: LineInk): Gaps {
  const pairs = characters.slice(1).map((letter, index) => {
    const before = characters[index] ?? letter;
    const gap = ink.gapBetween(before.x, letter.x);
    const [last, next] = [characters[index - 1]?.text ?? "", characters[index + 2]?.text ?? ""];
    const behindPoint = isDigit.test(last) && isPoint.test(before.text) && isDigit.test(letter.text);
    const beforePoint = isDigit.test(before.text) && isPoint.test(letter.text) && isDigit.test(next);
    const inNumber = behindPoint || beforePoint;
    const part = inNumber ? pointPart : isDigit.test(before.text + letter.text) ? digitPart : 1;
    return { letter, width: gap.to - gap.from, distance: letter.x - before.x, inNumber, part };
  });
  const pitch = median(pairs.map(({ distance }) => distance));
  const usual = lowerQuartile(pairs.map(({ width }) => width));
  return new Map(
    pairs.map(({ letter, width, inNumber, part }) => {
      const space = (width - usual) / (spacePart * pitch) + spaceWeight * letter.space;
      return [letter, { space: space * part, inNumber }];
    }),
  );
}

const isDigit = /^\d+$/;
const isPoint = /^[.,:]$/;
/**
 * Weight of the probability of a space that the second recognizer reports. Chosen on 30 receipts,
 * 2026-11.
 */
const spaceWeight = 0.6;
/**
 * Factors by which the evidence for a space is reduced: next to the decimal point of a number, and
 * between two digits. A printed "1" is narrow but takes as much room as other digits, so there are
 * wide gaps beside it. Chosen on 30 receipts, 2026-11.
 */
const [pointPart, digitPart] = [0.4, 0.7];

const lowerQuartile = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 2] ?? 0;

/**
 * Thresholds of the evidence for a space. Below `surelyNone` there is no space, and above
 * `surelySpace` there is a space, even if Tesseract says the opposite.
 */
const [surelyNone, surelySpace] = [0.2, 2.2];

function runsOf(columns: readonly Column[], gaps: Gaps): Column[][] {
  const runs: Column[][] = [];
  let lastWord: OcrWord | undefined;
  let space = 0;
  for (const column of columns) {
    const gap = column.second && gaps.get(column.second);
    space = Math.max(space, gap?.space ?? 0);
    const isNew = column.word && lastWord && !gap?.inNumber ? column.word !== lastWord : undefined;
    const minSpace = isNew === undefined ? 1 : isNew ? surelyNone : surelySpace;
    if (runs.length === 0 || space > minSpace || (isNew && gap === undefined)) runs.push([column]);
    else runs.at(-1)?.push(column);
    if (column.second) space = 0;
    if (column.word) lastWord = column.word;
  }
  return runs;
}

function wordOf(run: readonly Column[], box: () => Box): Omit<OcrWord, "line"> | undefined {
  const words = [...new Set(run.flatMap(({ word }) => word ?? []))];
  const first: Candidate | undefined =
    words.length > 0
      ? {
          text: run.map((column) => column.first ?? "").join(""),
          confidence: Math.min(...words.map(({ confidence }) => confidence)),
        }
      : undefined;
  const letters = run.flatMap(({ second }) => second ?? []);
  const second: Candidate | undefined =
    letters.length > 0
      ? {
          text: letters.map(({ text }) => text).join(""),
          confidence: Math.min(...letters.map(({ confidence }) => confidence)),
        }
      : undefined;
  const chosen = betterOf(first, second, run);
  if (chosen === undefined) return undefined;
  const [word] = words;
  // If the run is exactly one word of Tesseract, Tesseract's box is used, because it is exact.
  const isWhole = words.length === 1 && word?.text === first?.text;
  return { ...chosen, box: isWhole && word ? word.box : box() };
}

function boxOf(
  run: readonly Column[],
  { from, to }: { from: Column | undefined; to: Column | undefined },
  box: Box,
  ink: LineInk,
): Box {
  const [first, last] = [run[0], run.at(-1)];
  const left = from && first ? middleOf(ink.gapBetween(from.x, first.x)) : box[0];
  const right = to && last ? middleOf(ink.gapBetween(last.x, to.x)) : box[2];
  return ink.boxBetween(left, Math.max(right, left + 1));
}

const middleOf = ({ from, to }: { from: number; to: number }): number => (from + to) / 2;
