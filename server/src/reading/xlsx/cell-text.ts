/** The words of a cell inside of its edges. */
import type { Box, Word } from "../document.ts";
import { hundredth, wordsOf } from "../ooxml/draft-page.ts";
import { spaceWidth, textWidth } from "../ooxml/text-width.ts";

export interface TextLook {
  /** In points. */
  size: number;
  bold: boolean;
}

const padding = 2;
const lineSpacing = 1.2;
const isNumber = /^[-+(]?[\p{Sc}\s]*\d[\d.,\s%)]*$/u;

/** Adds the words of a text, narrowed where they need more room than there is. Numbers stand at the right edge. */
export function setText(text: string, box: Box, look: TextLook, words: Word[]): void {
  const lines = text.includes("\n") || text.includes("\r") ? text.split(/\r\n?|\n/u).map(wordsOf) : [wordsOf(text)];
  const height = Math.min(look.size * lineSpacing, (box[3] - box[1]) / lines.length);
  const atEnd = isNumber.test(text);
  for (const [index, line] of lines.entries()) {
    if (line.length > 0) setLine(line, { box, top: box[1] + height * index, height, look, atEnd }, words);
  }
}

interface LinePlace {
  box: Box;
  top: number;
  height: number;
  look: TextLook;
  atEnd: boolean;
}

function setLine(line: readonly string[], { box, top, height, look, atEnd }: LinePlace, words: Word[]): void {
  const { size, bold } = look;
  const room = Math.max(box[2] - box[0] - 2 * padding, 1);
  const widths = line.map((text) => textWidth(text, size));
  const gap = spaceWidth * size;
  const width = widths.reduce((sum, each) => sum + each, (line.length - 1) * gap);
  const scale = Math.min(1, room / width);
  const bottom = hundredth(top + height);
  const wordTop = hundredth(top + height - Math.min(size, height));
  let x = box[0] + padding + (atEnd ? room - width * scale : 0);
  for (const [at, text] of line.entries()) {
    const end = x + (widths[at] ?? 0) * scale;
    const place: Box = [hundredth(x), wordTop, hundredth(end), bottom];
    words.push(bold ? { text, box: place, size, bold } : { text, box: place, size });
    x = end + gap * scale;
  }
}
