/**
 * Reads the characters of a page from PDFium, with their position, size and weight on the rotated
 * page.
 */
import { isSpace } from "./code-points.ts";
import type { PageSpace } from "./page-space.ts";
import { type Pdfium, readByteString } from "./pdfium.ts";

/** Style shared by all characters of one text object. */
export interface CharacterStyle {
  /** Font height on the page, in points. */
  size: number;
  bold: boolean;
  /** Unit vector of the text direction, x to the right and y down. */
  direction: readonly [x: number, y: number];
}

export interface Character {
  code: number;
  /** Position of the pen: on the baseline, at the left end of the glyph. */
  x: number;
  y: number;
  /**
   * Box of the character. It extends from ascent to descent and over the whole advance width, so
   * that its height does not depend on the glyph.
   */
  left: number;
  top: number;
  right: number;
  bottom: number;
  style: CharacterStyle;
  /**
   * Text object to which the character belongs. All characters of a text object are drawn by a
   * single operator of the PDF.
   */
  object: number;
}

/**
 * Stores whether each font is bold. The key is the pointer to the font, which is valid as long as
 * its document is open.
 */
export type FontWeights = Map<number, boolean>;

export interface CharacterVisitor {
  add(character: Character): void;
  /**
   * Called for white space. `drawn` is true if the file contains it, and false if PDFium only
   * inferred it.
   */
  space(drawn: boolean): void;
}

/**
 * Visits the characters in the order of the file. Stops after `maxCharacters` and then returns
 * false.
 */
export function visitCharacters(
  pdfium: Pdfium,
  text: number,
  space: PageSpace,
  fonts: FontWeights,
  maxCharacters: number,
  visitor: CharacterVisitor,
): boolean {
  const { call, scratch, memory } = pdfium;
  const styles = new CharacterStyles(pdfium, text, space, fonts);
  const [a, b, c, d, e, f] = space.matrix;
  const found = call.FPDFText_CountChars(text);
  const count = Math.min(found, maxCharacters);
  let object = -1;
  let style: CharacterStyle | undefined;
  // This code runs for every character of a document, so it creates no arrays.
  for (let index = 0; index < count; index++) {
    const code = call.FPDFText_GetUnicode(text, index);
    if (isSpace(code)) {
      visitor.space(call.FPDFText_IsGenerated(text, index) === 0);
      continue;
    }
    const owner = call.FPDFText_GetTextObject(text, index);
    if (style === undefined || owner !== object) {
      object = owner;
      style = styles.at(index, owner);
    }
    if (call.FPDFText_GetLooseCharBox(text, index, scratch) === 0) continue;
    call.FPDFText_GetCharOrigin(text, index, scratch + 16, scratch + 24);
    const { floats, doubles } = memory;
    const at = scratch >> 2;
    const u0 = floats[at] ?? 0;
    const v0 = floats[at + 1] ?? 0;
    const u1 = floats[at + 2] ?? 0;
    const v1 = floats[at + 3] ?? 0;
    const x0 = a * u0 + c * v0 + e;
    const y0 = b * u0 + d * v0 + f;
    const x1 = a * u1 + c * v1 + e;
    const y1 = b * u1 + d * v1 + f;
    if (!Number.isFinite(x0 + y0 + x1 + y1)) continue;
    const u = doubles[(scratch >> 3) + 2] ?? 0;
    const v = doubles[(scratch >> 3) + 3] ?? 0;
    visitor.add({
      code,
      x: a * u + c * v + e,
      y: b * u + d * v + f,
      left: Math.min(x0, x1),
      top: Math.min(y0, y1),
      right: Math.max(x0, x1),
      bottom: Math.max(y0, y1),
      style,
      object,
    });
  }
  return found <= maxCharacters;
}

/**
 * Computes the styles of the text objects of a page. The last style is cached, because consecutive
 * objects usually have the same style.
 */
class CharacterStyles {
  readonly #pdfium: Pdfium;
  readonly #text: number;
  readonly #matrix: PageSpace["matrix"];
  readonly #fonts: FontWeights;
  /** Values from which the last style was computed: matrix of the object, font size, and font. */
  readonly #drawn = { a: 0, b: 0, c: 0, d: 0, fontSize: 0, font: 0 };
  #style: CharacterStyle | undefined;

  constructor(pdfium: Pdfium, text: number, space: PageSpace, fonts: FontWeights) {
    this.#pdfium = pdfium;
    this.#text = text;
    this.#matrix = space.matrix;
    this.#fonts = fonts;
  }

  /** Returns the style of the character at `index`, which belongs to the text object `object`. */
  at(index: number, object: number): CharacterStyle {
    const { call, scratch, memory } = this.#pdfium;
    const hasMatrix = call.FPDFText_GetMatrix(this.#text, index, scratch) !== 0;
    const fontSize = call.FPDFText_GetFontSize(this.#text, index);
    const font = object === 0 ? 0 : call.FPDFTextObj_GetFont(object);
    const { floats } = memory;
    const start = scratch >> 2;
    const a = hasMatrix ? (floats[start] ?? 1) : 1;
    const b = hasMatrix ? (floats[start + 1] ?? 0) : 0;
    const c = hasMatrix ? (floats[start + 2] ?? 0) : 0;
    const d = hasMatrix ? (floats[start + 3] ?? 1) : 1;
    const last = this.#drawn;
    const isAlike = a === last.a && b === last.b && c === last.c && d === last.d && fontSize === last.fontSize;
    if (this.#style !== undefined && isAlike && font === last.font) return this.#style;
    Object.assign(last, { a, b, c, d, fontSize, font });
    this.#style = this.#styleOf(a, b, c, d, fontSize, font);
    return this.#style;
  }

  #styleOf(a: number, b: number, c: number, d: number, fontSize: number, font: number): CharacterStyle {
    const size = Math.abs(fontSize) * Math.hypot(c, d);
    const sign = fontSize < 0 ? -1 : 1;
    const [ma, mb, mc, md] = this.#matrix;
    const x = sign * (ma * a + mc * b);
    const y = sign * (mb * a + md * b);
    const length = Math.hypot(x, y);
    return {
      size: Number.isFinite(size) ? size : 0,
      bold: isBold(this.#pdfium, font, this.#fonts),
      direction: length > 0 && Number.isFinite(length) ? [x / length, y / length] : [1, 0],
    };
  }
}

function isBold(pdfium: Pdfium, font: number, fonts: FontWeights): boolean {
  if (font === 0) return false;
  const known = fonts.get(font);
  if (known !== undefined) return known;
  const name = readByteString(pdfium, (buffer, bytes) => pdfium.call.FPDFFont_GetBaseFontName(font, buffer, bytes));
  const bold = /bold|black|heavy|demi/i.test(name) || pdfium.call.FPDFFont_GetWeight(font) >= 600;
  fonts.set(font, bold);
  return bold;
}
