/** Writes a page of a form as PDF: text, lines and form fields, positioned from the top left. */
import { makePdfOf, streamOf } from "../../server/src/reading/testing/make-pdf.ts";

export const pageHeight = 842;
const pageWidth = 595;

/** Widths of the characters of Helvetica, in thousandths of the font size. */
const letterWidths: Record<number, string> = {
  191: "'",
  222: "ijl",
  278: " ft.,:;/[]I!",
  333: "r()-",
  500: "ckszvxyJ",
  611: "FTZ",
  667: "ABEKPSVXY",
  722: "CDHNRUw",
  778: "GOQ",
  833: "mM",
  944: "W",
};
const widthOf = new Map(
  Object.entries(letterWidths).flatMap(([width, letters]) => [...letters].map((letter) => [letter, Number(width)])),
);
const plainLetter = (letter: string): string => letter.normalize("NFD").charAt(0);
export const textWidth = (text: string, size: number): number =>
  ([...text].reduce((sum, letter) => sum + (widthOf.get(plainLetter(letter)) ?? 556), 0) * size) / 1000;

const dingbats = "/F2";

export class Sheet {
  readonly #operators: string[] = [];
  /**
   * Bodies of the PDF objects that differ between forms. They come after the objects that every
   * form has.
   */
  readonly #objects: string[] = [];
  readonly #fields: number[] = [];
  readonly #widgets: number[] = [];
  /** Characters of the symbol font. The position of a character determines its code. */
  readonly #symbols: string;

  /** @param symbols characters that `symbol` can write, at most 26 */
  constructor(symbols: string) {
    this.#symbols = symbols;
  }

  /** Writes text with its baseline at `y`. Returns the x coordinate of its end. */
  text(text: string, x: number, y: number, size = 10, bold = false): number {
    this.#show(text, x, y, size, bold ? "/F1" : "/F0");
    return x + textWidth(text, size);
  }

  /** Writes a character of the symbol font. */
  symbol(character: string, x: number, y: number, size = 10): void {
    this.#show(String.fromCharCode(0x61 + [...this.#symbols].indexOf(character)), x, y, size, "/F3");
  }

  #show(text: string, x: number, y: number, size: number, font: string): void {
    const escaped = text.replace(/[\\()]/gu, String.raw`\$&`);
    this.draw(`BT ${font} ${size} Tf ${x.toFixed(2)} ${(pageHeight - y).toFixed(2)} Td (${escaped}) Tj ET`);
  }

  line(x0: number, y0: number, x1: number, y1: number): void {
    this.draw(`${x0} ${pageHeight - y0} m ${x1} ${pageHeight - y1} l S`);
  }

  /** Adds PDF drawing operators, whose coordinates are measured from the bottom left. */
  draw(operators: string): void {
    this.#operators.push(operators);
  }

  /** Adds an appearance stream for a form field. Returns a reference to it. */
  appearance(operators: string, width: number, height: number): string {
    const resources = `/Resources << /Font << /F0 4 0 R ${dingbats} 6 0 R >> >>`;
    return `${this.#add(streamOf(operators, `/Type /XObject /Subtype /Form /BBox [0 0 ${width} ${height}] ${resources}`))} 0 R`;
  }

  /**
   * Adds a form field, or a widget of the field `parent`. The coordinates of the box are measured
   * from the top left.
   */
  widget(entries: string, [x0, y0, x1, y1]: readonly number[], parent?: number): void {
    const rect = [x0, pageHeight - (y1 ?? 0), x1, pageHeight - (y0 ?? 0)].map((edge) => (edge ?? 0).toFixed(2));
    const of = parent === undefined ? "" : `/Parent ${parent} 0 R `;
    const number = this.#add(`<< /Type /Annot /Subtype /Widget /F 4 ${of}/Rect [${rect.join(" ")}] ${entries} >>`);
    this.#widgets.push(number);
    if (parent === undefined) this.#fields.push(number);
    else this.#objects[parent - firstFree] = (this.#objects[parent - firstFree] ?? "").replace("]", `${number} 0 R ]`);
  }

  /** Adds a field whose widgets are added afterwards. Returns its object number. */
  parent(entries: string): number {
    const number = this.#add(`<< ${entries} /Kids [] >>`);
    this.#fields.push(number);
    return number;
  }

  #add(body: string): number {
    return this.#objects.push(body) + firstFree - 1;
  }

  finish(): Uint8Array {
    const references = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(" ");
    const fonts = `<< /F0 4 0 R /F1 5 0 R ${dingbats} 6 0 R /F3 7 0 R >>`;
    const form = `/AcroForm << /Fields [${references(this.#fields)}] /NeedAppearances true /DA (/F0 10 Tf 0 g) /DR << /Font ${fonts} >> >>`;
    return makePdfOf([
      `<< /Type /Catalog /Pages 2 0 R ${this.#fields.length > 0 ? form : ""} >>`,
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents 8 0 R /Resources << /Font ${fonts} >> /Annots [${references(this.#widgets)}] >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 9 0 R >>",
      streamOf(this.#operators.join("\n")),
      streamOf(this.#toUnicode()),
      ...this.#objects,
    ]);
  }

  #toUnicode(): string {
    const lines = [...this.#symbols].map((character, at) => {
      const code = (0x61 + at).toString(16);
      return `<${code}> <${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}>`;
    });
    const ranges = `1 begincodespacerange\n<00> <ff>\nendcodespacerange\n${lines.length} beginbfchar\n${lines.join("\n")}\nendbfchar`;
    return `/CIDInit /ProcSet findresource begin\nbegincmap\n/CMapName /Symbols def\n${ranges}\nendcmap\nend`;
  }
}

/** Number of the first PDF object after those that every form has. */
const firstFree = 10;
