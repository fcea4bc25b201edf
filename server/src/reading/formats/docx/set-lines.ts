/** Arranges the tokens of a paragraph in lines. */
import type { Word } from "../../document.ts";
import { boxOf } from "../ooxml/draft-page.ts";
import { spaceWidth } from "../ooxml/text-width.ts";
import type { Paragraph, TabStop } from "./model.ts";
import type { ParagraphToken } from "./paragraph-tokens.ts";

type WordToken = Extract<ParagraphToken, { kind: "word" }>;

interface SetWord {
  token: WordToken;
  x: number;
}

export interface SetLine {
  words: Word[];
  height: number;
}

/** Line height, as a multiple of the font size. Chosen by hand, 2026-11. */
const lineSpacing = 1.2;
/** Distance between default tab stops, in points. */
const usualTab = 36;
/** Minimum width of a line, in points. Chosen by hand, 2026-11. */
const leastRoom = 40;

/**
 * Returns the lines of a paragraph between `left` and `right`, beginning at `top`. An empty line
 * takes space but is not returned.
 */
export function setLines(
  paragraph: Paragraph,
  tokens: readonly ParagraphToken[],
  place: { left: number; right: number; top: number },
): { lines: SetLine[]; bottom: number } {
  const setter = new LineSetter(paragraph, place);
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "word") setter.addWord(token);
    else if (token.kind === "tab") setter.addTab(tokens, index);
    else if (token.kind === "newline") setter.endLine();
  }
  setter.endLine();
  return { lines: setter.lines, bottom: setter.y };
}

class LineSetter {
  readonly lines: SetLine[] = [];
  y: number;
  readonly #paragraph: Paragraph;
  readonly #edges: { left: number; right: number };
  /** Left edge of the lines. */
  readonly #start: number;
  #x: number;
  #words: SetWord[] = [];
  #afterTab = true;

  constructor(paragraph: Paragraph, { left, right, top }: { left: number; right: number; top: number }) {
    this.#paragraph = paragraph;
    this.#edges = { left, right };
    this.y = top;
    const most = Math.max(left, right - leastRoom);
    this.#start = Math.min(left + Math.max(0, paragraph.indent), most);
    this.#x = Math.min(Math.max(left, this.#start + paragraph.firstLine), most);
  }

  addWord(token: WordToken): void {
    const gap = this.#afterTab ? 0 : spaceWidth * token.size;
    if (this.#words.length > 0 && this.#x + gap + token.width > this.#edges.right) {
      this.endLine();
      this.addWord(token);
      return;
    }
    this.#words.push({ token, x: this.#x + gap });
    this.#x += gap + token.width;
    this.#afterTab = false;
  }

  /**
   * Moves to the next tab stop. At a right tab stop, the text after the tab ends at the stop. At a
   * centre tab stop, that text is centred on the stop.
   */
  addTab(tokens: readonly ParagraphToken[], index: number): void {
    const { left, right } = this.#edges;
    const x = this.#x - left;
    const stop = this.#nextStop(x);
    const width = stop.align === "left" ? 0 : widthToTab(tokens, index + 1);
    const target = left + stop.position - (stop.align === "center" ? width / 2 : width);
    this.#x = Math.min(
      Math.max(target, this.#x + (this.#words.length > 0 ? spaceWidth * this.#paragraph.size : 0)),
      right,
    );
    this.#afterTab = true;
  }

  #nextStop(x: number): TabStop {
    const own = this.#paragraph.tabs.find(({ position }) => position > x + 1);
    const hanging = this.#start - this.#edges.left;
    const usual = x < hanging ? hanging : (Math.floor(x / usualTab) + 1) * usualTab;
    return own ?? { position: usual, align: "left" };
  }

  endLine(): void {
    const size = this.#words.reduce((most, { token }) => Math.max(most, token.size), 0) || this.#paragraph.size;
    const words = this.#aligned().map(({ token, x }) => this.#wordOf(token, x, size));
    if (words.length > 0) this.lines.push({ words, height: size * lineSpacing });
    this.y += size * lineSpacing;
    this.#words = [];
    this.#x = this.#start;
    this.#afterTab = true;
  }

  #aligned(): SetWord[] {
    const { align } = this.#paragraph;
    const room = Math.max(0, this.#edges.right - this.#x);
    const shift = align === "start" ? 0 : align === "end" ? room : room / 2;
    return shift === 0 ? this.#words : this.#words.map(({ token, x }) => ({ token, x: x + shift }));
  }

  /**
   * Returns a word with its box. All words of a line have the same baseline. In a right-to-left
   * line, the box is mirrored.
   */
  #wordOf({ text, size, bold, width }: WordToken, x: number, lineSize: number): Word {
    const { left, right } = this.#edges;
    const end = Math.min(x + width, Math.max(right, x + 1));
    const [x0, x1] = this.#paragraph.rightToLeft ? [left + right - end, left + right - x] : [x, end];
    const bottom = this.y + lineSize * lineSpacing * 0.95;
    const box = boxOf(Math.max(0, x0), bottom - size, Math.max(x1, 1), bottom);
    return bold ? { text, box, size, bold } : { text, box, size };
  }
}

function widthToTab(tokens: readonly ParagraphToken[], from: number): number {
  let width = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== "word") break;
    width += token.width + (at > from ? spaceWidth * token.size : 0);
  }
  return width;
}
