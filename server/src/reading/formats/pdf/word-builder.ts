/** Groups the characters of a page into words, in the order of the file. */
import type { Box } from "../../document.ts";
import type { DrawnWord } from "../../layout/page-content.ts";
import type { Character, CharacterStyle, CharacterVisitor } from "./characters.ts";
import { isRightToLeft, textOf } from "./code-points.ts";
import { overprintOfSize, relationOf } from "./word-breaks.ts";

interface OpenWord {
  text: string;
  box: [number, number, number, number];
  style: CharacterStyle;
  last: Character;
  origin: DrawnWord["origin"];
  /**
   * State of a word that has only right-to-left letters so far: position of the first letter, and
   * text of each letter.
   */
  rightToLeft?: { x: number; parts: string[] };
}

/** Collects characters one by one. `finish` returns the words. */
export class WordBuilder implements CharacterVisitor {
  readonly #words: DrawnWord[] = [];
  readonly #byText = new Map<string, DrawnWord[]>();
  readonly #width: number;
  readonly #height: number;
  #open: OpenWord | undefined;
  #spaced = false;

  /** @param width width of the page; words outside of the page are dropped */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  add(character: Character): void {
    this.#append(character);
    this.#spaced = false;
  }

  space(drawn: boolean): void {
    if (drawn) this.#end();
    else this.#spaced = true;
  }

  finish(): DrawnWord[] {
    this.#end();
    return this.#words;
  }

  #append(character: Character): void {
    if (isLineHyphen(character.code)) {
      this.#endWithHyphen(character);
      return;
    }
    const text = textOf(character.code);
    const open = this.#open;
    if (text === "") {
      if (open !== undefined) open.last = character;
      return;
    }
    const relation = open ? relationOf(open.style, open.last, character, this.#spaced) : "apart";
    if (open === undefined || relation === "apart" || relation === "mark") {
      this.#end();
      const { left, top, right, bottom, style } = character;
      const origin = open && relation === "mark" ? this.#markOrigin(open, character) : originOf(character);
      this.#open = { text, box: [left, top, right, bottom], style, last: character, origin };
      if (isRightToLeft(character.code)) this.#open.rightToLeft = { x: character.x, parts: [text] };
    } else if (relation === "part") {
      open.text += text;
      if (open.rightToLeft !== undefined) {
        if (isRightToLeft(character.code)) open.rightToLeft.parts.push(text);
        else delete open.rightToLeft;
      }
      grow(open.box, character);
      open.last = character;
    }
  }

  /**
   * Returns the origin of the next word. A raised or lowered mark has the same origin as the word
   * beside it, whether the mark comes before or after the word.
   */
  #markOrigin(open: OpenWord, next: Character): DrawnWord["origin"] {
    if (next.style.size <= open.style.size) return open.origin;
    const origin = originOf(next);
    const mark = this.#words.at(-1);
    if (mark?.origin === open.origin) mark.origin = origin;
    return origin;
  }

  #end(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const box = this.#clip(open.box);
    const text = textInOrder(open).toWellFormed();
    if (box === undefined || text === "") return;
    const { style, origin } = open;
    const word: DrawnWord = { text, box, size: hundredth(style.size), direction: style.direction, origin };
    if (style.bold) word.bold = true;
    if (!this.#isRepeated(word)) this.#words.push(word);
  }

  /** Returns true if the same word was already drawn at this position. */
  #isRepeated(word: DrawnWord): boolean {
    const same = this.#byText.get(word.text);
    if (same === undefined) {
      this.#byText.set(word.text, [word]);
      return false;
    }
    const near = overprintOfSize * Math.max(word.size, 1);
    if (same.some(({ box }) => isNear(box, word.box, near))) return true;
    if (same.length < maxCompared) same.push(word);
    return false;
  }

  #endWithHyphen(character: Character): void {
    if (this.#open !== undefined) {
      this.#open.text += "-";
      grow(this.#open.box, character);
    }
    this.#end();
  }

  /**
   * Returns the part of the box that is on the page, or undefined if the middle of the box is
   * outside, as with printer's marks.
   */
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

const isNear = (a: Box, b: Box, near: number): boolean =>
  Math.abs(a[0] - b[0]) < near &&
  Math.abs(a[1] - b[1]) < near &&
  Math.abs(a[2] - b[2]) < near &&
  Math.abs(a[3] - b[3]) < near;

/**
 * Maximum number of earlier words with the same text that a word is compared with. This limits the
 * time for a page with a million dots.
 */
const maxCompared = 500;

/**
 * Returns true for the codes that PDFium uses for a hyphen that splits a word at the end of a line.
 */
const isLineHyphen = (code: number): boolean => code === 0x2 || code === 0xfffe;

/**
 * Rounds to a hundredth of a point. This is precise enough for any position, and short to store.
 */
export const hundredth = (value: number): number => Math.round(value * 100) / 100;

/**
 * Returns the text of a word in logical order. PDFium reverses right-to-left text, because most
 * files draw its letters from left to right. If the reversed letters run to the right, or have the
 * same position, the file stored them in logical order. They are then reversed again.
 */
function textInOrder({ text, rightToLeft, last }: OpenWord): string {
  if (rightToLeft === undefined || rightToLeft.parts.length < 2 || last.x < rightToLeft.x) return text;
  return rightToLeft.parts.reverse().join("");
}

const originOf = ({ x, y }: Character): DrawnWord["origin"] => [x, y];

function grow(box: OpenWord["box"], { left, top, right, bottom }: Character): void {
  if (left < box[0]) box[0] = left;
  if (top < box[1]) box[1] = top;
  if (right > box[2]) box[2] = right;
  if (bottom > box[3]) box[3] = bottom;
}
