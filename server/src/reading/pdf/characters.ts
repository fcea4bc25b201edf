/** The characters of a page as PDFium finds them, with place, size and weight on the page as it is seen. */
import { isSpace } from "./code-points.ts";
import type { PageSpace } from "./page-space.ts";
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
  x: number;
  y: number;
  /** From ascent to descent and over the whole advance, so that the height does not depend on the glyph. */
  left: number;
  top: number;
  right: number;
  bottom: number;
  style: Style;
  /** Which text object it belongs to: the characters of one are drawn by one operator. */
  object: number;
}

/** Weights by font pointer; fonts live as long as their document. */
export type FontWeights = Map<number, boolean>;

export interface CharacterVisitor {
  add(character: Character): void;
  /** White space; `drawn` where the file has it, and not only PDFium's reckoning. */
  space(drawn: boolean): void;
}

/** Visits the characters in the order of the file, at most `maxCharacters`; returns false where the page has more. */
export function visitCharacters(
  pdfium: Pdfium,
  text: number,
  space: PageSpace,
  fonts: FontWeights,
  maxCharacters: number,
  visitor: CharacterVisitor,
): boolean {
  const { call } = pdfium;
  const found = call.FPDFText_CountChars(text);
  let object = -1;
  let style: Style | undefined;
  for (let index = 0; index < Math.min(found, maxCharacters); index++) {
    const code = call.FPDFText_GetUnicode(text, index);
    if (isSpace(code)) {
      visitor.space(call.FPDFText_IsGenerated(text, index) === 0);
      continue;
    }
    const owner = call.FPDFText_GetTextObject(text, index);
    if (style === undefined || owner !== object) {
      object = owner;
      style = styleOf(pdfium, text, index, owner, space, fonts);
    }
    const character = characterAt(pdfium, text, index, space, code, style, object);
    if (character !== undefined) visitor.add(character);
  }
  return found <= maxCharacters;
}

function characterAt(
  { call, scratch, memory }: Pdfium,
  text: number,
  index: number,
  { matrix: [a, b, c, d, e, f] }: PageSpace,
  code: number,
  style: Style,
  object: number,
): Character | undefined {
  // This runs once for each character of a document, so it makes one object and no arrays.
  if (call.FPDFText_GetLooseCharBox(text, index, scratch) === 0) return undefined;
  call.FPDFText_GetCharOrigin(text, index, scratch + 16, scratch + 24);
  const floats = memory.floats;
  const at = scratch >> 2;
  const u0 = floats[at] ?? 0;
  const v0 = floats[at + 1] ?? 0;
  const u1 = floats[at + 2] ?? 0;
  const v1 = floats[at + 3] ?? 0;
  const x0 = a * u0 + c * v0 + e;
  const y0 = b * u0 + d * v0 + f;
  const x1 = a * u1 + c * v1 + e;
  const y1 = b * u1 + d * v1 + f;
  if (!Number.isFinite(x0 + y0 + x1 + y1)) return undefined;
  const u = memory.doubles[(scratch >> 3) + 2] ?? 0;
  const v = memory.doubles[(scratch >> 3) + 3] ?? 0;
  return {
    code,
    x: a * u + c * v + e,
    y: b * u + d * v + f,
    left: Math.min(x0, x1),
    top: Math.min(y0, y1),
    right: Math.max(x0, x1),
    bottom: Math.max(y0, y1),
    style,
    object,
  };
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
