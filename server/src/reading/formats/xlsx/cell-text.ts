/** Places the words of a cell inside its borders. */
import type { Box, Word } from "../../document.ts";
import { hundredth, isPlainWord, wordsOf } from "../ooxml/draft-page.ts";
import { spaceWidth, textWidth } from "../ooxml/text-width.ts";

export interface TextLook {
  /** Size in points. */
  size: number;
  bold: boolean;
  /** Cache of texts that were laid out before. It belongs to the caller. */
  known: Map<string, TextLines>;
}

interface TextLine {
  words: string[];
  /** Width of each word at a font size of 1. */
  widths: number[];
}

export interface TextLines {
  lines: TextLine[];
  isNumber: boolean;
}

const padding = 2;
/** Line height, as a multiple of the font size. Chosen by hand, 2026-11. */
const lineSpacing = 1.2;
const isNumber = /^[-+(]?[\p{Sc}\s]*\d[\d.,\s%)]*$/u;

/**
 * Adds the words of a text to `words`. Words that need more space than the box has are made
 * narrower. Numbers are right-aligned.
 */
export function setText(text: string, box: Box, look: TextLook, words: Word[]): void {
  if (isPlainWord(text)) {
    words.push(onlyWord(text, box, look));
    return;
  }
  let known = look.known.get(text);
  if (known === undefined) {
    known = textLines(text);
    look.known.set(text, known);
  }
  const { lines, isNumber: atEnd } = known;
  const height = Math.min(look.size * lineSpacing, (box[3] - box[1]) / lines.length);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined || line.words.length === 0) continue;
    setLine(line, { box, top: box[1] + height * index, height, look, atEnd }, words);
  }
}

function textLines(text: string): TextLines {
  const parts = text.includes("\n") || text.includes("\r") ? text.split(/\r\n?|\n/u) : [text];
  const lines = parts.map((part) => {
    const words = wordsOf(part);
    return { words, widths: words.map((word) => textWidth(word, 1)) };
  });
  return { lines, isNumber: isNumber.test(text) };
}

/**
 * Returns the word of a text that has only one word, as most cells have. This is a fast path of
 * `setLine`.
 */
function onlyWord(text: string, box: Box, { size, bold }: TextLook): Word {
  const height = Math.min(size * lineSpacing, box[3] - box[1]);
  const room = Math.max(box[2] - box[0] - 2 * padding, 1);
  const whole = textWidth(text, size);
  const width = whole * Math.min(1, room / whole);
  const x = box[0] + padding + (isNumber.test(text) ? room - width : 0);
  const top = hundredth(box[1] + height - Math.min(size, height));
  const place: Box = [hundredth(x), top, hundredth(x + width), hundredth(box[1] + height)];
  return bold ? { text, box: place, size, bold } : { text, box: place, size };
}

interface LinePlace {
  box: Box;
  top: number;
  height: number;
  look: TextLook;
  atEnd: boolean;
}

function setLine({ words: texts, widths }: TextLine, place: LinePlace, words: Word[]): void {
  const { box, top, height, look, atEnd } = place;
  const { size, bold } = look;
  const room = Math.max(box[2] - box[0] - 2 * padding, 1);
  const gap = spaceWidth * size;
  let width = (texts.length - 1) * gap;
  for (const each of widths) width += each * size;
  const scale = Math.min(1, room / width);
  const bottom = hundredth(top + height);
  const wordTop = hundredth(top + height - Math.min(size, height));
  let x = box[0] + padding + (atEnd ? room - width * scale : 0);
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? "";
    const end = x + (widths[at] ?? 0) * size * scale;
    const edges: Box = [hundredth(x), wordTop, hundredth(end), bottom];
    words.push(bold ? { text, box: edges, size, bold } : { text, box: edges, size });
    x = end + gap * scale;
  }
}
