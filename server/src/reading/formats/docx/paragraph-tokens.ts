/** Splits a paragraph into words, tabs and line ends. */

import { wordsOf } from "../ooxml/draft-page.ts";
import { textWidth } from "../ooxml/text-width.ts";
import type { Inline, Paragraph, StoryBlock } from "./model.ts";

export type ParagraphToken =
  | { kind: "word"; text: string; size: number; bold: boolean; width: number }
  | { kind: "tab" }
  | { kind: "newline" }
  | { kind: "blocks"; blocks: StoryBlock[] };

/**
 * Returns the tokens of a paragraph. A word may consist of several runs: only white space, notes
 * and text boxes separate words.
 */
export function tokensOf(paragraph: Paragraph, pageNumber: number): ParagraphToken[] {
  const reader = new TokenReader();
  const [first] = paragraph.content.filter((inline) => inline.kind === "text");
  const { size, bold } = first ?? { size: paragraph.size, bold: false };
  reader.addText(`${paragraph.label} `, size, bold);
  for (const inline of paragraph.content) addInline(reader, inline, pageNumber);
  reader.endWord();
  return reader.tokens;
}

function addInline(reader: TokenReader, inline: Inline, pageNumber: number): void {
  if (inline.kind === "text") reader.addText(inline.text, inline.size, inline.bold);
  else if (inline.kind === "pageNumber") reader.addText(shownNumber(inline.text, pageNumber), inline.size, inline.bold);
  else if (inline.kind === "note") reader.addText(` ${inline.mark} `, inline.size, false);
  else if (inline.kind === "blocks") reader.add({ kind: "blocks", blocks: inline.blocks });
}

/**
 * Returns the text to show for a page number. A number that is not decimal, such as "iv", stays as
 * it was when the file was saved.
 */
const shownNumber = (text: string, pageNumber: number): string =>
  pageNumber > 0 && /^\s*\d+\s*$/u.test(text) ? text.replace(/\d+/u, String(pageNumber)) : text;

class TokenReader {
  readonly tokens: ParagraphToken[] = [];
  #word = "";
  #size = 0;
  #bold = false;

  addText(text: string, size: number, bold: boolean): void {
    for (const piece of text.split(/([\t\n]|[^\S\t\n]+)/u)) {
      if (piece === "") continue;
      if (piece === "\t") this.add({ kind: "tab" });
      else if (piece === "\n") this.add({ kind: "newline" });
      else if (piece.trim() === "") this.endWord();
      else this.#grow(piece, size, bold);
    }
  }

  add(token: ParagraphToken): void {
    this.endWord();
    this.tokens.push(token);
  }

  #grow(text: string, size: number, bold: boolean): void {
    if (this.#word === "") {
      this.#size = size;
      this.#bold = bold;
    }
    this.#word += text;
  }

  endWord(): void {
    for (const text of wordsOf(this.#word)) {
      const width = textWidth(text, this.#size);
      this.tokens.push({ kind: "word", text, size: this.#size, bold: this.#bold, width });
    }
    this.#word = "";
  }
}
