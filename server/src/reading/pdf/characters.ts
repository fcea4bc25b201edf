/** The characters of a page as PDFium finds them, with place, size and weight on the page as it is seen. */
import type { Box } from "../document.ts";
import { isSpace } from "./code-points.ts";
import { boxOnPage, type PageSpace, toPage } from "./page-space.ts";
import { type Pdfium, readByteString } from "./pdfium.ts";

/** How the characters of one text object are drawn. */
export interface Style {
  /** Height of the font on the page, in points. */
  size: number;
  bold: boolean;
  /** Unit vector along which the text runs, x to the right and y down. */
  direction: readonly [x: number, y: number];
}

export interface Character {
  code: number;
  /** Where the pen stands: on the baseline, at the left of the glyph. */
  origin: readonly [x: number, y: number];
  /** From ascent to descent and over the whole advance, so that the height does not depend on the glyph. */
  box: Box;
  style: Style;
  /** Which text object it belongs to: the characters of one are drawn by one operator. */
  object: number;
}

/** Weights by font pointer; fonts live as long as their document. */
export type FontWeights = Map<number, boolean>;

/**
 * Calls `visit` for each character in the order of the file; `undefined` stands for white space, drawn or found by PDFium between
 * characters. Reads at most `maxCharacters`, and returns false where the page has more.
 */
export function visitCharacters(
  pdfium: Pdfium,
  text: number,
  space: PageSpace,
  fonts: FontWeights,
  maxCharacters: number,
  visit: (character: Character | undefined) => void,
): boolean {
  const { call } = pdfium;
  const found = call.FPDFText_CountChars(text);
  let object = -1;
  let style: Style | undefined;
  for (let index = 0; index < Math.min(found, maxCharacters); index++) {
    const code = call.FPDFText_GetUnicode(text, index);
    if (isSpace(code)) {
      visit(undefined);
      continue;
    }
    const owner = call.FPDFText_GetTextObject(text, index);
    if (style === undefined || owner !== object) {
      object = owner;
      style = styleOf(pdfium, text, index, owner, space, fonts);
    }
    const box = looseBox(pdfium, text, index, space);
    if (box !== undefined) visit({ code, origin: originOf(pdfium, text, index, space), box, style, object });
  }
  return found <= maxCharacters;
}

function looseBox(pdfium: Pdfium, text: number, index: number, space: PageSpace): Box | undefined {
  const { call, scratch } = pdfium;
  if (call.FPDFText_GetLooseCharBox(text, index, scratch) === 0) return undefined;
  const floats = pdfium.memory.floats;
  const at = scratch >> 2;
  const box = boxOnPage(space, floats[at] ?? 0, floats[at + 1] ?? 0, floats[at + 2] ?? 0, floats[at + 3] ?? 0);
  return box.every(Number.isFinite) ? box : undefined;
}

function originOf(pdfium: Pdfium, text: number, index: number, space: PageSpace): [number, number] {
  const { call, scratch } = pdfium;
  call.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8);
  const doubles = pdfium.memory.doubles;
  return toPage(space, doubles[scratch >> 3] ?? 0, doubles[(scratch >> 3) + 1] ?? 0);
}

function styleOf(
  pdfium: Pdfium,
  text: number,
  index: number,
  object: number,
  space: PageSpace,
  fonts: FontWeights,
): Style {
  const { call, scratch } = pdfium;
  const hasMatrix = call.FPDFText_GetMatrix(text, index, scratch) !== 0;
  const at = scratch >> 2;
  const [a = 1, b = 0, c = 0, d = 1] = hasMatrix ? pdfium.memory.floats.subarray(at, at + 4) : [];
  const fontSize = call.FPDFText_GetFontSize(text, index);
  const size = Math.abs(fontSize) * Math.hypot(c, d);
  const sign = fontSize < 0 ? -1 : 1;
  const [ma, mb, mc, md] = space.matrix;
  const x = sign * (ma * a + mc * b);
  const y = sign * (mb * a + md * b);
  const length = Math.hypot(x, y);
  return {
    size: Number.isFinite(size) ? size : 0,
    bold: isBold(pdfium, object, fonts),
    direction: length > 0 && Number.isFinite(length) ? [x / length, y / length] : [1, 0],
  };
}

function isBold(pdfium: Pdfium, object: number, fonts: FontWeights): boolean {
  const font = object === 0 ? 0 : pdfium.call.FPDFTextObj_GetFont(object);
  if (font === 0) return false;
  const known = fonts.get(font);
  if (known !== undefined) return known;
  const name = readByteString(pdfium, (buffer, bytes) => pdfium.call.FPDFFont_GetBaseFontName(font, buffer, bytes));
  const bold = /bold|black|heavy|demi/i.test(name) || pdfium.call.FPDFFont_GetWeight(font) >= 600;
  fonts.set(font, bold);
  return bold;
}
