/** Groups the characters of a page into words, in the order of the file. */
import type { Box, Word } from "../document.ts";
import type { Character, Style } from "./characters.ts";

/** A word, and how it was drawn: what the layout needs beside the word itself. */
export interface PlacedWord extends Word {
  size: number;
  /** Unit vector along which the text runs. */
  direction: readonly [x: number, y: number];
  /** Where the baseline is across the direction of the text: for level text its y. */
  baseline: number;
}

interface OpenWord {
  text: string;
  box: [number, number, number, number];
  style: Style;
  last: Character;
}

/** A gap wider than this part of the font size parts words where the file has no space. */
const gapOfSize = 0.4;
/** So far back may the next character begin: kerning and accents step back, a new column or line does so by more. */
const stepBackOfSize = 0.6;
const baselineShiftOfSize = 0.45;
/** A raised or lowered mark is a word of its own where it is smaller by this factor: "total²" is no number. */
const markRatio = 1.25;
const markShiftOfSize = 0.1;
const overprintOfSize = 0.12;
/** The sine of the angle from which on text leans. */
const maxLean = 0.14;

export class WordBuilder {
  readonly words: PlacedWord[] = [];
  #open: OpenWord | undefined;
  readonly #byText = new Map<string, PlacedWord[]>();
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  add(character: Character | undefined): void {
    if (character === undefined) this.end();
    else if (character.code === 0x2 || character.code === 0xfffe) this.#endWithHyphen(character);
    else this.#append(character, textOf(character.code));
  }

  #append(character: Character, text: string): void {
    if (text === "") return;
    const open = this.#open;
    if (open === undefined || !continues(open, character)) {
      this.end();
      this.#open = { text, box: [...character.box], style: character.style, last: character };
    } else if (!isOverprint(open.last, character)) {
      open.text += text;
      grow(open.box, character.box);
      open.last = character;
    }
  }

  end(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const box = this.#clip(open.box);
    const text = open.text.toWellFormed();
    if (box === undefined || text === "") return;
    const word = placed(text, box, open);
    if (!this.#isRepeated(word)) this.words.push(word);
  }

  /** True for a word that is drawn over itself. */
  #isRepeated(word: PlacedWord): boolean {
    const same = this.#byText.get(word.text);
    if (same === undefined) this.#byText.set(word.text, [word]);
    else {
      const near = overprintOfSize * Math.max(word.size, 1);
      if (same.some((other) => other.box.every((edge, index) => Math.abs(edge - (word.box[index] ?? 0)) < near)))
        return true;
      same.push(word);
    }
    return false;
  }

  /** PDFium marks a hyphen at the end of a line so, where the word goes on in the next one. */
  #endWithHyphen(character: Character): void {
    if (this.#open !== undefined) {
      this.#open.text += "-";
      grow(this.#open.box, character.box);
    }
    this.end();
  }

  /** The part on the page; undefined where the middle of the word is off it, as printer's marks are. */
  #clip([x0, y0, x1, y1]: Box): Box | undefined {
    const x = (x0 + x1) / 2;
    const y = (y0 + y1) / 2;
    if (x < 0 || y < 0 || x > this.#width || y > this.#height) return undefined;
    return [
      hundredth(Math.max(x0, 0)),
      hundredth(Math.max(y0, 0)),
      hundredth(Math.min(x1, this.#width)),
      hundredth(Math.min(y1, this.#height)),
    ];
  }
}

function placed(text: string, box: Box, { style, last }: OpenWord): PlacedWord {
  const [ux, uy] = style.direction;
  const word: PlacedWord = {
    text,
    box,
    size: hundredth(style.size),
    direction: style.direction,
    baseline: last.origin[1] * ux - last.origin[0] * uy,
  };
  if (style.bold) word.bold = true;
  return word;
}

/** Boxes are kept to a hundredth of a point: enough for any mark on a page, and short to store. */
export const hundredth = (value: number): number => Math.round(value * 100) / 100;

function grow(box: [number, number, number, number], other: Box): void {
  box[0] = Math.min(box[0], other[0]);
  box[1] = Math.min(box[1], other[1]);
  box[2] = Math.max(box[2], other[2]);
  box[3] = Math.max(box[3], other[3]);
}

function continues(open: OpenWord, next: Character): boolean {
  const { style, last } = open;
  const [ux, uy] = next.style.direction;
  if (next.style !== style && ux * style.direction[0] + uy * style.direction[1] < 0.9) return false;
  const larger = Math.max(style.size, next.style.size, 1);
  const shift = Math.abs((next.origin[1] - last.origin[1]) * ux - (next.origin[0] - last.origin[0]) * uy);
  if (shift > baselineShiftOfSize * larger) return false;
  const ratio = larger / Math.max(Math.min(last.style.size, next.style.size), 0.1);
  if (ratio > markRatio && shift > markShiftOfSize * larger) return false;
  // The box of a leaning character says too little of its width; there PDFium's own spaces must do.
  if (Math.min(Math.abs(ux), Math.abs(uy)) > maxLean) return true;
  const gap = along(next.box, ux, uy, Math.min) - along(last.box, ux, uy, Math.max);
  if (gap > gapOfSize * larger) return false;
  // Right-to-left text stands in logical order here, so each character begins left of the one before.
  return gap > -stepBackOfSize * larger - width(last.box, ux, uy) || isRightToLeft(next.code);
}

/** The first or last edge of a box along a direction that is level or upright. */
function along(box: Box, ux: number, uy: number, pick: (a: number, b: number) => number): number {
  return Math.abs(ux) > Math.abs(uy) ? pick(box[0] * ux, box[2] * ux) : pick(box[1] * uy, box[3] * uy);
}

const width = (box: Box, ux: number, uy: number): number => along(box, ux, uy, Math.max) - along(box, ux, uy, Math.min);

/**
 * The same character drawn again at nearly the same place makes it look bold. The letters of a ligature share their place too, but they
 * are drawn once.
 */
function isOverprint(last: Character, next: Character): boolean {
  const near = overprintOfSize * Math.max(next.style.size, 1);
  return (
    last.code === next.code &&
    last.object !== next.object &&
    Math.abs(last.origin[0] - next.origin[0]) < near &&
    Math.abs(last.origin[1] - next.origin[1]) < near
  );
}

function isRightToLeft(code: number): boolean {
  return (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfeff);
}

/** What a code stands for: nothing for control characters and invisible marks, letters for ligatures and presentation forms. */
function textOf(code: number): string {
  if (code < 0x7f) return code > 0x20 ? String.fromCharCode(code) : "";
  if (code < 0xad) return code > 0xa0 ? String.fromCharCode(code) : "";
  if (code > 0x10ffff) return "\ufffd";
  if (code === 0xad) return "-";
  if (isInvisible(code)) return "";
  const text = String.fromCodePoint(code);
  return code >= 0xfb00 && code <= 0xfefc ? text.normalize("NFKC") : text;
}

function isInvisible(code: number): boolean {
  if (code < 0x200b) return code === 0x61c || code === 0x180e;
  return (
    code <= 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    (code >= 0xfff0 && code <= 0xfffb) ||
    code === 0xffff ||
    (code >= 0xe0000 && code <= 0xe007f)
  );
}
