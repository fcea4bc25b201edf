/**
 * Writes small PDF files for tests, with text, lines, rectangles, form fields and an outline.
 * Coordinates are as in PDF: y counts from the bottom of the page.
 */
import { deflateSync } from "node:zlib";

export interface TextMark {
  text: string;
  x: number;
  y: number;
  /** Font size in points. The default is 12. */
  size?: number;
  bold?: boolean;
  /** Rotation in degrees, counter-clockwise. */
  angle?: number;
}

export interface LineMark {
  line: readonly [x0: number, y0: number, x1: number, y1: number];
}

/**
 * Japanese text written from top to bottom. Each character fills a square whose side is the font
 * size, and `x` is the middle of the column.
 */
export interface VerticalMark {
  down: string;
  x: number;
  y: number;
  size: number;
}

export interface RectangleMark {
  /** A rectangle filled with light gray: left, bottom, width, height. */
  shade: readonly [x: number, y: number, width: number, height: number];
}

/**
 * PDF operators that are copied verbatim, for content that the other types of marks can't express.
 */
export interface RawMark {
  raw: string;
}

export type Mark = TextMark | VerticalMark | LineMark | RectangleMark | RawMark;

export interface PdfAnnotation {
  subtype: "Widget" | "FreeText" | "Link";
  rect: readonly [x0: number, y0: number, x1: number, y1: number];
  text: string;
  /**
   * True if the field has no appearance stream. Some real files omit it and leave it to the viewer
   * to draw the field.
   */
  bare?: boolean;
  hidden?: boolean;
}

export interface PdfPage {
  marks: readonly Mark[];
  mediaBox?: readonly [number, number, number, number];
  cropBox?: readonly [number, number, number, number];
  rotate?: number;
  /** Size of a user space unit in points (`UserUnit`). */
  userUnit?: number;
  /** True if the content is compressed, as in decompression bombs. */
  compressed?: boolean;
  annotations?: readonly PdfAnnotation[];
}

export interface PdfOptions {
  pages: readonly PdfPage[];
  info?: Record<string, string>;
  outline?: readonly { title: string; page: number }[];
  /** True if the file should require a password. */
  encrypted?: boolean;
  /**
   * Maps characters of the text to the Unicode text that the fonts declare for them (`ToUnicode`),
   * instead of the usual letters.
   */
  toUnicode?: Record<string, string>;
}

/** Returns the bytes of a PDF. They are always the same for the same options. */
export function makePdf(options: PdfOptions): Uint8Array {
  const writer = new Writer();
  const catalog = writer.reserve();
  const pages = writer.reserve();
  const fonts = ["Helvetica", "Helvetica-Bold"].map((name) => addFont(writer, name, options.toUnicode));
  if (options.pages.some(({ marks }) => marks.some((mark) => "down" in mark))) fonts.push(addVerticalFont(writer));
  const fields: number[] = [];
  const kids = options.pages.map((page) => addPage(writer, pages, fonts, page, fields));
  writer.set(pages, `<< /Type /Pages /Count ${kids.length} /Kids [${references(kids)}] >>`);
  const outline = addOutline(writer, kids, options.outline ?? []);
  const form =
    fields.length > 0
      ? ` /AcroForm << /Fields [${references(fields)}] /DA (/F0 12 Tf 0 g) /DR << /Font << /F0 ${fonts[0]} 0 R >> >> >>`
      : "";
  writer.set(catalog, `<< /Type /Catalog /Pages ${pages} 0 R${outline}${form} >>`);
  const info = writer.add(
    `<< ${Object.entries(options.info ?? {})
      .map(([key, text]) => `/${key} (${escaped(text)})`)
      .join(" ")} >>`,
  );
  const hex = "00".repeat(32);
  const encryption = `<< /Filter /Standard /V 1 /R 2 /O <${hex}> /U <${hex}> /P -4 >>`;
  const encrypt = options.encrypted ? ` /Encrypt ${writer.add(encryption)} 0 R /ID [<00> <00>]` : "";
  return writer.finish(`/Root ${catalog} 0 R /Info ${info} 0 R${encrypt}`);
}

/** Returns an A4 page that contains only these marks. */
export const onePage = (...marks: Mark[]): Uint8Array => makePdf({ pages: [{ marks }] });

/**
 * Returns a PDF file that consists of these objects. They are numbered from 1, and the first one is
 * the catalog.
 */
export function makePdfOf(objects: readonly string[]): Uint8Array {
  const writer = new Writer();
  for (const body of objects) writer.add(body);
  return writer.finish("/Root 1 0 R");
}

/** Returns the text of a PDF stream object. */
export const streamOf = (body: string, entries = ""): string =>
  `<< /Length ${body.length} ${entries} >>\nstream\n${body}\nendstream`;

class Writer {
  readonly #objects: string[] = [];

  reserve(): number {
    return this.#objects.push("");
  }

  set(number: number, body: string): void {
    this.#objects[number - 1] = body;
  }

  add(body: string): number {
    return this.#objects.push(body);
  }

  stream(body: string, entries = ""): number {
    return this.add(streamOf(body, entries));
  }

  finish(trailer: string): Uint8Array {
    let file = "%PDF-1.7\n";
    const offsets = this.#objects.map((body, index) => {
      const offset = file.length;
      file += `${index + 1} 0 obj\n${body}\nendobj\n`;
      return `${String(offset).padStart(10, "0")} 00000 n \n`;
    });
    const size = offsets.length + 1;
    const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
    file += `${table}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
    return Buffer.from(file, "latin1");
  }
}

const references = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(" ");
const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);

function addFont(writer: Writer, name: string, toUnicode: PdfOptions["toUnicode"]): number {
  const map = toUnicode ? ` /ToUnicode ${writer.stream(characterMap(toUnicode))} 0 R` : "";
  return writer.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding${map} >>`);
}

function addVerticalFont(writer: Writer): number {
  const name = "/BaseFont /KozMinPr6N-Regular";
  const system = "<< /Registry (Adobe) /Ordering (Japan1) /Supplement 4 >>";
  const letters = writer.add(`<< /Type /Font /Subtype /CIDFontType0 ${name} /CIDSystemInfo ${system} /DW 1000 >>`);
  return writer.add(
    `<< /Type /Font /Subtype /Type0 ${name} /Encoding /UniJIS-UCS2-V /DescendantFonts [${letters} 0 R] >>`,
  );
}

function characterMap(toUnicode: Record<string, string>): string {
  const lines = Object.entries(toUnicode).map(([from, to]) => {
    const code = from.charCodeAt(0).toString(16).padStart(2, "0");
    const units = [...Buffer.from(to, "utf16le").swap16()].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return `<${code}> <${units}>`;
  });
  const ranges = "1 begincodespacerange\n<00> <ff>\nendcodespacerange";
  const body = `${ranges}\n${lines.length} beginbfchar\n${lines.join("\n")}\nendbfchar`;
  return `/CIDInit /ProcSet findresource begin\nbegincmap\n/CMapName /Test def\n${body}\nendcmap\nend`;
}

function addPage(writer: Writer, parent: number, fonts: readonly number[], page: PdfPage, fields: number[]): number {
  const operators = page.marks.map(operatorsOf).join("\n");
  const content = page.compressed
    ? writer.stream(deflateSync(operators).toString("latin1"), " /Filter /FlateDecode")
    : writer.stream(operators);
  const resources = `<< /Font << ${fonts.map((font, index) => `/F${index} ${font} 0 R`).join(" ")} >> >>`;
  const annotations = (page.annotations ?? []).map((annotation) =>
    addAnnotation(writer, annotation, resources, fields),
  );
  const box = (name: string, edges: readonly number[] | undefined) => (edges ? ` /${name} [${edges.join(" ")}]` : "");
  const entries = [
    `/Type /Page /Parent ${parent} 0 R /Contents ${content} 0 R /Resources ${resources}`,
    box("MediaBox", page.mediaBox ?? [0, 0, 595, 842]),
    box("CropBox", page.cropBox),
    page.rotate ? ` /Rotate ${page.rotate}` : "",
    page.userUnit ? ` /UserUnit ${page.userUnit}` : "",
    annotations.length > 0 ? ` /Annots [${references(annotations)}]` : "",
  ];
  return writer.add(`<< ${entries.join("")} >>`);
}

function operatorsOf(mark: Mark): string {
  if ("raw" in mark) return mark.raw;
  if ("line" in mark) return `${mark.line.slice(0, 2).join(" ")} m ${mark.line.slice(2).join(" ")} l S`;
  if ("down" in mark) {
    const code = Buffer.from(mark.down, "utf16le").swap16().toString("hex");
    return `BT /F2 ${mark.size} Tf ${mark.x} ${mark.y} Td <${code}> Tj ET`;
  }
  if ("shade" in mark) return `q 0.9 g ${mark.shade.join(" ")} re f Q`;
  const { text, x, y, size = 12, bold = false, angle = 0 } = mark;
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)].map((value) =>
    value.toFixed(6),
  );
  const matrix = `${cos} ${sin} ${-Number(sin)} ${cos} ${x} ${y} Tm`;
  return `BT /F${bold ? 1 : 0} ${size} Tf ${matrix} (${escaped(text)}) Tj ET`;
}

function addAnnotation(writer: Writer, annotation: PdfAnnotation, resources: string, fields: number[]): number {
  const { subtype, rect, text, bare = false, hidden = false } = annotation;
  const [x0, y0, x1, y1] = rect;
  const entries = [`/Type /Annot /Subtype /${subtype} /Rect [${rect.join(" ")}] /F ${hidden ? 2 : 4}`];
  if (subtype === "Widget")
    entries.push(` /FT /Tx /T (field${fields.length}) /V (${escaped(text)}) /DA (/F0 12 Tf 0 g)`);
  if (subtype === "FreeText") entries.push(` /Contents (${escaped(text)}) /DA (/F0 12 Tf 0 g)`);
  if (!bare && subtype !== "Link") {
    const body = `/Tx BMC q BT /F0 12 Tf 2 4 Td (${escaped(text)}) Tj ET Q EMC`;
    const form = ` /Type /XObject /Subtype /Form /BBox [0 0 ${x1 - x0} ${y1 - y0}] /Resources ${resources}`;
    entries.push(` /AP << /N ${writer.stream(body, form)} 0 R >>`);
  }
  const number = writer.add(`<< ${entries.join("")} >>`);
  if (subtype === "Widget") fields.push(number);
  return number;
}

function addOutline(writer: Writer, pages: readonly number[], entries: NonNullable<PdfOptions["outline"]>): string {
  if (entries.length === 0) return "";
  const root = writer.reserve();
  const items = entries.map(() => writer.reserve());
  for (const [index, { title, page }] of entries.entries()) {
    const next = index + 1 < items.length ? ` /Next ${items[index + 1]} 0 R` : "";
    const target = `/Dest [${pages[page - 1]} 0 R /Fit]`;
    writer.set(items[index] ?? 0, `<< /Title (${escaped(title)}) /Parent ${root} 0 R ${target}${next} >>`);
  }
  writer.set(root, `<< /Type /Outlines /First ${items[0]} 0 R /Last ${items.at(-1)} 0 R /Count ${items.length} >>`);
  return ` /Outlines ${root} 0 R`;
}
