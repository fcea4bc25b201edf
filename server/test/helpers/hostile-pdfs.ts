/** Builds PDFs with structures that hostile PDFs abuse. */
import { deflateSync } from "node:zlib";
import { makePdfOf, streamOf } from "../../src/reading/testing/make-pdf.ts";

export const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
export const font = "/Font << /F0 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
export const hello = streamOf("BT /F0 12 Tf 100 700 Td (Hello) Tj ET");
export const a4 = "/MediaBox [0 0 595 842]";

/**
 * Returns a PDF of one page (object 3) whose content is `content` (object 4). `more` are additional
 * objects, numbered from 5.
 */
export const pageWith = (entries: string, content: string, ...more: string[]): Uint8Array =>
  makePdfOf([
    catalog,
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${entries} >>`,
    content,
    ...more,
  ]);

/**
 * Returns a PDF with two pages that contain "Hello", in a page tree that claims to have `count`
 * pages.
 */
export const counting = (count: number): Uint8Array =>
  makePdfOf([
    catalog,
    `<< /Type /Pages /Count ${count} /Kids [4 0 R 5 0 R] >>`,
    hello,
    ...Array(2).fill(`<< /Type /Page /Parent 2 0 R ${a4} /Contents 3 0 R /Resources << ${font} >> >>`),
  ]);

function flatedTimes(times: number, body: Uint8Array): string {
  let packed = body;
  for (let time = 0; time < times; time++) packed = deflateSync(packed);
  return streamOf(Buffer.from(packed).toString("latin1"), `/Filter [${"/FlateDecode ".repeat(times)}]`);
}

export const flatePage = (times: number, body: Uint8Array): Uint8Array =>
  pageWith(`${a4} /Resources << ${font} >>`, flatedTimes(times, body));

export const boxed = (box: string, content = hello, more = font): Uint8Array =>
  pageWith(`${box} /Resources << ${more} >>`, content);

/**
 * Returns a PDF whose only page contains nothing but an image, so that reading the page requires
 * decoding the image.
 */
export const pictured = (entries: string, data: string): Uint8Array =>
  pageWith(
    `${a4} /Resources << /XObject << /I 5 0 R >> >>`,
    streamOf("500 0 0 700 50 50 cm /I Do"),
    streamOf(data, `/Type /XObject /Subtype /Image ${entries}`),
  );

/**
 * Returns a PDF with form XObjects that draw each other. Each pair describes one form: the object
 * number of the form that it draws, and how often it draws it.
 */
export const formsOf = (forms: readonly (readonly [draws: number, times: number])[]): Uint8Array =>
  pageWith(
    `${a4} /Resources << ${font} /XObject << /X 5 0 R >> >>`,
    streamOf("BT /F0 12 Tf 100 700 Td (Hello) Tj ET /X Do"),
    ...forms.map(([draws, times]) =>
      streamOf(
        "/X Do ".repeat(times),
        `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X ${draws} 0 R >> >>`,
      ),
    ),
  );

/**
 * Returns a PDF with the given objects. `end` returns the text after them, such as the
 * cross-reference table; it gets the offset of every object.
 */
function endingIn(objects: readonly string[], end: (offsets: number[], at: number) => string): Uint8Array {
  let text = "%PDF-1.7\n";
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  return Buffer.from(text + end(offsets, text.length), "latin1");
}

export const onePageObjects = [
  catalog,
  "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
  `<< /Type /Page /Parent 2 0 R ${a4} /Contents 4 0 R /Resources << ${font} >> >>`,
  hello,
];

const tableOf = (offsets: readonly number[]): string =>
  `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")}`;

export const tableThat = (entries: (at: number) => string): Uint8Array =>
  endingIn(onePageObjects, (offsets, at) => {
    const size = onePageObjects.length + 1;
    return `${tableOf(offsets)}trailer\n<< /Size ${size} /Root 1 0 R ${entries(at)} >>\nstartxref\n${at}\n%%EOF\n`;
  });

/**
 * Returns a PDF with a cross-reference stream instead of a table. Each entry has a type, and an
 * offset or the number of an object stream.
 */
export function streamTable(
  objects: readonly string[],
  entries: readonly (readonly [number, number])[],
  more = "",
): Uint8Array {
  return endingIn(objects, (offsets, at) => {
    const rows = [[0, 0], ...entries, [1, at]].map(([type = 0, value = 0]) => {
      const row = Buffer.alloc(6);
      row.writeUInt8(type, 0);
      row.writeUInt32BE(type === 1 && value < 0 ? (offsets[-value - 1] ?? 0) : value, 1);
      return row;
    });
    const table = `/Type /XRef /W [1 4 1] /Size ${rows.length} /Root 1 0 R ${more.replaceAll("HERE", String(at))}`;
    return `${rows.length - 1} 0 obj\n${streamOf(Buffer.concat(rows).toString("latin1"), table)}\nendobj\nstartxref\n${at}\n%%EOF\n`;
  });
}

/**
 * Returns cross-reference entries for the first `count` objects. Each entry contains the negated
 * number of its object, which `streamTable` replaces with the offset of the object.
 */
export const inPlace = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, index) => [1, -index - 1]);

export const objectStream = (content: string, first: number, entries = ""): string =>
  streamOf(content, `/Type /ObjStm /N 1 /First ${first} ${entries}`);

export const chained = (length: number): string[] => Array.from({ length }, (_, index) => `${index + 6} 0 R`);
