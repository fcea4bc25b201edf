import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Page, pageText, type Table } from "../../document.ts";
import { packPage, unpackPage } from "../../pool/messages.ts";
import { ReadingError } from "../../reader.ts";
import { inlineRows, makeDocx, makeXlsx, makeZip, paragraph, type XlsxParts } from "../../testing/make-office.ts";
import { openDocx } from "../docx/read-docx.ts";
import { defaultXlsxLimits, openXlsx, readXlsx } from "./read-xlsx.ts";

const pagesOf = (parts: XlsxParts): Page[] => readXlsx(makeXlsx(parts)).pages;
/** Returns the text of a sheet below its name. */
const sheetText = (xml: string, parts: Partial<XlsxParts> = {}): string =>
  pagesOf({ sheets: { S: xml }, ...parts })
    .map(pageText)
    .join("\n")
    .replace(/^S\n?/u, "");

function cellTexts(page: Page | undefined, table: Table | undefined): string[] {
  return table?.cells.map(({ words }) => words.map((word) => page?.words[word]?.text).join(" ")) ?? [];
}

const tooComplex = { name: "ReadingError", reason: "too_complex" };

describe("cells show", () => {
  const cases: readonly (readonly [name: string, cell: string, expected: string])[] = [
    ["shared strings with their runs, without readings", '<c t="s"><v>0</v></c>', "rich text"],
    ["nothing for a string that isn't there", '<c t="s"><v>99</v></c><c><v>1</v></c>', "1"],
    ["inline strings", '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>', "inline"],
    [
      "booleans and errors",
      '<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#DIV/0!</v></c>',
      "TRUE FALSE #DIV/0!",
    ],
    ["the cached value of a formula", '<c><f>1+1</f><v>3</v></c><c t="str"><f>A1</f><v>text</v></c>', "3 text"],
    ["nothing for a formula without a value", "<c><f>WEBSERVICE(1)</f></c><c><v>1</v></c>", "1"],
    ["numbers through their format", '<c s="1"><v>1234.5</v></c>', "1,234.50"],
    ["dates through their format", '<c s="2"><v>45000</v></c>', "2023-03-15"],
    ["dates of the strict form", '<c s="2" t="d"><v>2023-03-15T00:00:00</v></c>', "2023-03-15"],
    ["escaped letters", '<c t="str"><v>a_x000A_b_x005F_</v></c>', "a b_"],
  ];
  const strings = "<si><r><t>rich </t></r><r><t>text</t></r><rPh><t>reading</t></rPh></si>";
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="4"/><xf numFmtId="14"/></cellXfs>';
  for (const [name, cell, expected] of cases) {
    it(name, () => assert.equal(sheetText(`<row>${cell}</row>`, { strings, styles }), expected));
  }

  it("dates from 1904 if the workbook states so", () => {
    const workbook = '<workbookPr date1904="1"/>';
    assert.equal(sheetText('<row><c s="2"><v>0</v></c></row>', { styles, workbook }), "1904-01-01");
  });
});

describe("sheets", () => {
  it("become pages with their names, and hidden sheets are left out and reported", () => {
    const rows = inlineRows([["x"]]);
    const hidden = (state: string) => ({ xml: `<sheetData>${rows}</sheetData>`, state });
    const document = readXlsx(
      makeXlsx({ sheets: { One: rows, Two: hidden("hidden"), Three: hidden("veryHidden"), Four: rows } }),
    );
    assert.deepEqual(document.pages.map(pageText), ["One\nx", "Four\nx"]);
    assert.deepEqual(document.outline, [
      { title: "One", page: 1, level: 1 },
      { title: "Four", page: 2, level: 1 },
    ]);
    assert.equal(document.metadata.HiddenSheets, "Two, Three");
    assert.deepEqual(
      document.pages[0]?.blocks.map(({ kind }) => kind),
      ["heading", "paragraph"],
    );
  });

  it("leave out hidden rows and columns", () => {
    const xml =
      '<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2" hidden="1"><c r="A2"><v>3</v></c></row></sheetData>';
    assert.equal(pageText(pagesOf({ sheets: { S: { xml } } })[0] as Page), "S\n1");
  });

  it("have their cells in place, whatever their order in the file", () => {
    const xml =
      '<row r="3"><c r="B3"><v>4</v></c><c r="A3"><v>3</v></c></row><row r="2"><c r="A2"><v>1</v></c><c><v>2</v></c></row>';
    assert.equal(sheetText(xml), "1 2\n3 4");
  });

  it("continue on further pages if they are very long", () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => `<row><c><v>${row}</v></c></row>`).join("");
    const pages = pagesOf({ sheets: { S: rows } });
    assert.ok(pages.length > 1 && pages.every(({ height }) => height < 1e6));
    assert.equal(pages.flatMap(({ words }) => words).length, 30_001);
  });
});

describe("tables", () => {
  const invoice = inlineRows([
    ["Invoice"],
    ["Item", "Price"],
    ["Tea", "2.50"],
    ["Milk", "1.00"],
    [],
    ["Total", "3.50"],
  ]);

  it("are the regions between empty rows, without their title", () => {
    const [page] = pagesOf({ sheets: { S: invoice } });
    assert.equal(page && pageText(page), "S\nInvoice\nItem Price\nTea 2.50\nMilk 1.00\nTotal 3.50");
    assert.deepEqual(
      page?.blocks.map(({ kind }) => kind),
      ["heading", "paragraph", "table", "paragraph"],
    );
    const [table] = page?.tables ?? [];
    assert.deepEqual([table?.rows, table?.columns, table?.headerRows], [3, 2, 1]);
    assert.deepEqual(cellTexts(page, table), ["Item", "Price", "Tea", "2.50", "Milk", "1.00"]);
  });

  it("stand side by side if an empty column separates them", () => {
    const rows = [1, 2, 3].map(
      (row) =>
        `<row r="${row}">${[..."ABDE"].map((column) => `<c r="${column}${row}"><v>${row}</v></c>`).join("")}</row>`,
    );
    const [page] = pagesOf({ sheets: { S: rows.join("") } });
    assert.deepEqual(
      page?.tables.map(({ rows, columns }) => [rows, columns]),
      [
        [3, 2],
        [3, 2],
      ],
    );
  });

  it("keep merged cells", () => {
    const xml = `<sheetData>${inlineRows([
      ["a", "b", "c"],
      ["d", "e", "f"],
    ])}</sheetData><mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C1:C2"/></mergeCells>`;
    const [page] = pagesOf({ sheets: { S: { xml } } });
    const spans = page?.tables[0]?.cells.map(({ rowSpan, columnSpan }) => `${rowSpan}x${columnSpan}`);
    assert.deepEqual(spans, ["1x2", "1x1", "2x1", "1x1", "1x1", "1x1"]);
  });

  it("have each word inside its cell, and the columns from left to right", () => {
    const [page] = pagesOf({
      sheets: {
        S: inlineRows([
          ["a long text that the column has no room for", "1"],
          ["b", "2"],
        ]),
      },
    });
    for (const { box, words } of page?.tables[0]?.cells ?? []) {
      for (const word of words) {
        const inner = page?.words[word]?.box;
        assert.ok(inner && inner[0] >= box[0] && inner[1] >= box[1] - 0.01 && inner[2] <= box[2] && inner[3] <= box[3]);
      }
    }
    const [left, right] = page?.tables[0]?.cells ?? [];
    assert.ok(left && right && left.box[2] <= right.box[0]);
  });

  it("run from right to left if the sheet does", () => {
    const xml = `<sheetViews><sheetView rightToLeft="1"/></sheetViews><sheetData>${inlineRows([
      ["a", "b"],
      ["c", "d"],
    ])}</sheetData>`;
    const [first, second] = pagesOf({ sheets: { S: { xml } } })[0]?.tables[0]?.cells ?? [];
    assert.ok(first && second && first.box[0] >= second.box[2]);
  });
});

describe("limits", () => {
  it("allow a cell in the far corner and any number of empty rows", () => {
    const corner = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>';
    const [page] = pagesOf({ sheets: { S: corner } });
    assert.ok(page && page.width < 1000 && page.height < 1000);
    const empty = Array.from({ length: 200_000 }, (_, row) => `<row r="${row + 3}" ht="15"/>`).join("");
    assert.equal(sheetText(`<row r="1"><c><v>5</v></c></row>${empty}`), "5");
  });

  it("refuse more cells, characters and pages than allowed", () => {
    const bytes = makeXlsx({ sheets: { S: inlineRows([["abc", "def"], ["ghi"]]), T: inlineRows([["x"]]) } });
    assert.throws(() => openXlsx(bytes, { ...defaultXlsxLimits, maxCells: 3 }), tooComplex);
    assert.throws(() => openXlsx(bytes, { ...defaultXlsxLimits, maxCharacters: 9 }), tooComplex);
    assert.throws(() => openXlsx(bytes, { ...defaultXlsxLimits, maxPages: 1 }), tooComplex);
    assert.equal(openXlsx(bytes, { maxPages: 2, maxCells: 4, maxCharacters: 10 }).pages, 2);
  });

  it("refuse one long string that is used too often", () => {
    const strings = `<si><t>${"long ".repeat(6000)}</t></si>`;
    const xml = `<row>${'<c t="s"><v>0</v></c>'.repeat(10_000)}</row>`;
    assert.throws(() => openXlsx(makeXlsx({ sheets: { S: xml }, strings })), tooComplex);
  });

  it("refuse a file that is not an xlsx", () => {
    assert.throws(() => openXlsx(makeDocx({ body: paragraph("a") })), { reason: "corrupt" });
    assert.throws(() => openXlsx(makeZip({ mimetype: "application/vnd.oasis.opendocument.spreadsheet" })), {
      reason: "corrupt",
    });
  });
});

it("makes pages that don't change when they are sent between processes", () => {
  const [page] = pagesOf({
    sheets: {
      S: inlineRows([
        ["a b", "1"],
        ["c", "2"],
      ]),
    },
  });
  assert.ok(page);
  const { geometry, ...rest } = page;
  const { geometry: _, ...unpacked } = unpackPage(packPage(page));
  assert.equal(geometry, "flow");
  assert.deepEqual(unpacked, rest);
});

it("throws only its own errors on packages with changed XML", () => {
  const xml =
    '<cols><col min="1" max="3" width="9"/></cols><sheetData><row r="1" ht="20"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1"><f>1</f><v>2.5</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells>';
  const body =
    '<w:p><w:pPr><w:pStyle w:val="a"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>text</w:t><w:br w:type="page"/></w:r></w:p><w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl><w:sectPr><w:pgSz w:w="9000" w:h="9000"/><w:pgMar w:left="100"/></w:sectPr>';
  const value = fc.constantFrom("", "-1", "0", "1", "999999999", "1e9", "NaN", "s", "ZZZZ9", "restart", "page");
  const change = fc.array(fc.tuple(fc.nat(60), value), { minLength: 1, maxLength: 5 });
  const changed = (source: string, edits: readonly (readonly [number, string])[]) => {
    let index = 0;
    const byPlace = new Map(edits);
    return source.replace(/="[^"]*"|>[^<>]+</gu, (whole) => {
      const edit = byPlace.get(index++);
      return edit === undefined ? whole : whole.startsWith("=") ? `="${edit}"` : `>${edit}<`;
    });
  };
  const styles = '<cellXfs><xf numFmtId="4"/><xf numFmtId="14"/></cellXfs>';
  const numbering =
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
  const readAll = ({ pages, readPage }: ReturnType<typeof openDocx>) => {
    for (let number = 1; number <= pages; number++) unpackPage(packPage(readPage(number)));
  };
  fc.assert(
    fc.property(change, (edits) => {
      for (const read of [
        () =>
          readAll(
            openXlsx(
              makeXlsx({
                sheets: { S: { xml: changed(xml, edits) } },
                styles: changed(styles, edits),
                strings: "<si><t>x y</t></si>",
              }),
            ),
          ),
        () => readAll(openDocx(makeDocx({ body: changed(body, edits), numbering: changed(numbering, edits) }))),
      ]) {
        try {
          read();
        } catch (error) {
          assert.ok(error instanceof ReadingError, String(error instanceof Error ? error.stack : error));
        }
      }
    }),
    { numRuns: 400 },
  );
});
