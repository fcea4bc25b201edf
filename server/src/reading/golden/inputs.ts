/** Makes the input files for the golden Documents: small files, and the sample invoice. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sharp } from "sharp";
import type { ReadableExtension } from "../reader.ts";
import { makeHeic } from "../testing/make-heic.ts";
import { inlineRows, makeDocx, makeXlsx, paragraph, styled, wordTable } from "../testing/make-office.ts";
import { type Mark, makePdf, type PdfPage } from "../testing/make-pdf.ts";
import { grayOf, pictureOf, receiptPdf } from "../testing/page-pictures.ts";

export interface GoldenInput {
  name: string;
  extension: ReadableExtension;
  bytes: Uint8Array;
}

const invoice = join(import.meta.dirname, "../../../../examples/invoice.pdf");
const [width, height] = [300, 420];
/** Width of each image in pixels. */
const columns = 832;

export async function goldenInputs(): Promise<GoldenInput[]> {
  const picture = await pictureOf(receiptPdf(), columns);
  const scan = await scanOf(picture);
  return [
    { name: "invoice", extension: "pdf", bytes: await readFile(invoice) },
    { name: "scanned", extension: "pdf", bytes: makePdf({ pages: [scan] }) },
    { name: "mixed", extension: "pdf", bytes: makePdf({ pages: [formPage, scan, uprightPage], ...details }) },
    { name: "letter", extension: "docx", bytes: letter() },
    { name: "accounts", extension: "xlsx", bytes: accounts() },
    { name: "receipt", extension: "png", bytes: await picture.clone().png().toBuffer() },
    { name: "receipt", extension: "jpg", bytes: await picture.clone().jpeg({ quality: 90 }).toBuffer() },
    { name: "receipt", extension: "heic", bytes: makeHeic(await grayOf(picture.clone())) },
  ];
}

async function scanOf(picture: Sharp): Promise<PdfPage> {
  const { pixels, width: pixelsWide, height: pixelsHigh } = await grayOf(picture.clone());
  const samples = Buffer.from(pixels).toString("hex");
  const size = `/W ${pixelsWide} /H ${pixelsHigh} /CS /G /BPC 8 /F /AHx`;
  const raw = `q ${width} 0 0 ${height} 0 0 cm BI ${size} ID ${samples}> EI Q`;
  return { marks: [{ raw }], mediaBox: [0, 0, width, height] };
}

const details = {
  info: { Title: "A form, a receipt and a poem", Author: "Somebody", CreationDate: "D:20261121083000Z" },
  outline: [
    { title: "Form", page: 1 },
    { title: "Receipt", page: 2 },
  ],
};

/** A rotated page with text, a ruled table and a filled field. */
const formPage: PdfPage = {
  rotate: 90,
  marks: [
    { text: "Registration of a vessel", x: 60, y: 780, size: 20, bold: true },
    { text: "Owner:", x: 60, y: 740 },
    ...[700, 680, 660, 640].map((y): Mark => ({ line: [60, y, 460, y] })),
    ...[60, 260, 460].map((x): Mark => ({ line: [x, 700, x, 640] })),
    ...["Name", "Length", "Marigold", "12.40 m", "Petrel", "9.85 m"].map(
      (text, index): Mark => ({ text, x: 66 + (index % 2) * 200, y: 685 - Math.floor(index / 2) * 20 }),
    ),
  ],
  annotations: [{ subtype: "Widget", rect: [110, 736, 300, 756], text: "Ada Lovelace", bare: true }],
};

/** A page with vertical text. Its unit is two points. */
const uprightPage: PdfPage = {
  userUnit: 2,
  mediaBox: [0, 0, width, height],
  marks: [
    { down: "古池や", x: 260, y: 380, size: 16 },
    { down: "蛙飛び込む", x: 230, y: 360, size: 16 },
    { down: "水の音", x: 200, y: 340, size: 16 },
    { text: "Basho", x: 40, y: 40, size: 10 },
  ],
};

/**
 * Returns a letter with headings, a numbered and a bulleted list, a table, notes, a header and a
 * footer, deleted text, a page break, and a text box.
 */
function letter(): Uint8Array {
  const level = (format: string, text: string) =>
    `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const list = (id: number, format: string, text: string) =>
    `<w:abstractNum w:abstractNumId="${id}">${level(format, text)}</w:abstractNum>`;
  const item = (text: string, id: number) =>
    paragraph(text, `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>`);
  const box = `<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph("Beside the text")}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`;
  const noted = (text: string, reference: string) =>
    `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r><w:r>${reference}</w:r></w:p>`;
  const deleted = `<w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText> and gone</w:delText></w:r></w:del></w:p>`;
  const next = `<w:p><w:r><w:br w:type="page"/></w:r></w:p>`;
  const section = `<w:sectPr><w:headerReference w:type="default" r:id="h1"/><w:footerReference w:type="default" r:id="f1"/></w:sectPr>`;
  const pageNumber = `<w:p><w:r><w:t xml:space="preserve">Page </w:t></w:r><w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>`;
  return makeDocx({
    styles: `<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>`,
    numbering: `${list(1, "decimal", "%1.")}${list(2, "bullet", "•")}<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>`,
    headers: { h1: paragraph("Harbour office") },
    footers: { f1: pageNumber },
    footnotes: `<w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>In the old harbour.</w:t></w:r></w:p></w:footnote>`,
    endnotes: `<w:endnote w:id="1"><w:p><w:r><w:endnoteRef/></w:r><w:r><w:t>As of May.</w:t></w:r></w:p></w:endnote>`,
    body: [
      styled("Moorings", "H1"),
      noted("Berths are let by the year.", '<w:footnoteReference w:id="1"/>'),
      item("Write to us", 1),
      item("Wait for the answer", 1),
      item("Bring a rope", 2),
      wordTable([
        [paragraph("Berth"), paragraph("Fee")],
        [paragraph("A 1"), paragraph("120.00")],
        [paragraph("A 2"), paragraph("95.50")],
      ]),
      box,
      next,
      styled("Fees", "H1"),
      noted("Fees are due in advance.", '<w:endnoteReference w:id="1"/>'),
      deleted,
      section,
    ].join(""),
  });
}

/**
 * Returns a workbook with amounts, percentages and dates in several formats, a merged title, a
 * hidden sheet, and dates counted from 1904.
 */
function accounts(): Uint8Array {
  const formats = ['#,##0.00 "€"', "0.0%", "dd.mm.yyyy", "0.00;[Red]-0.00"];
  const numFmts = formats.map((code, index) => {
    const escaped = code.replaceAll('"', "&quot;");
    return `<numFmt numFmtId="${164 + index}" formatCode="${escaped}"/>`;
  });
  const styles = `<numFmts>${numFmts.join("")}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join("")}</cellXfs>`;
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const value = (style: number, raw: number) => `<c s="${style}"><v>${raw}</v></c>`;
  const row = (name: string, amount: number, share: number, day: number, change: number) =>
    `<row>${text(name)}${value(1, amount)}${value(2, share)}${value(3, day)}${value(4, change)}</row>`;
  const rows = [
    `<row r="1"><c r="A1" t="inlineStr"><is><t>Accounts of the harbour</t></is></c></row>`,
    `<row r="3">${["Account", "Balance", "Share", "Closed on", "Change"].map(text).join("")}</row>`,
    row("Berths", 12_345.6, 0.755, 42_000, 12.5),
    row("Crane", 4006.4, 0.245, 42_001, -3),
    `<row>${text("Sum")}<c s="1"><f>B4+B5</f><v>16352</v></c></row>`,
  ];
  const merged = `<mergeCells count="1"><mergeCell ref="A1:E1"/></mergeCells>`;
  return makeXlsx({
    workbook: '<workbookPr date1904="1"/>',
    styles,
    sheets: {
      Balances: { xml: `<sheetData>${rows.join("")}</sheetData>${merged}` },
      Notes: inlineRows([["Checked", "TRUE"]]),
      Drafts: { xml: `<sheetData>${inlineRows([["Not shown"]])}</sheetData>`, state: "hidden" },
    },
  });
}
