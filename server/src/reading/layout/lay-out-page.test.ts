import assert from "node:assert/strict";
import { test } from "node:test";
import { lineText, type Page, pageText, type Table } from "../document.ts";
import { readPdf } from "../formats/pdf/read-pdf.ts";
import { type Mark, onePage, type TextMark } from "../testing/make-pdf.ts";

async function layOutPage(...marks: Mark[]): Promise<Page> {
  const document = await readPdf(onePage(...marks), { maxPages: 1 });
  return document.pages[0] ?? assert.fail("no page");
}

const at = (x: number, y: number, text: string, more: Partial<TextMark> = {}): TextMark => ({
  text,
  x,
  y,
  size: 10,
  ...more,
});
/** Returns lines of text, one below the other. */
const column = (x: number, y: number, texts: readonly string[], pitch = 13): TextMark[] =>
  texts.map((text, index) => at(x, y - index * pitch, text));
/**
 * Returns right-aligned text, which ends at `right`. In Helvetica, a digit is 0.556 times as wide
 * as the font size, and a point or comma 0.278 times.
 */
const rightAt = (right: number, y: number, text: string): TextMark => {
  const width = [...text].reduce((sum, letter) => sum + (/[.,]/.test(letter) ? 2.78 : 5.56), 0);
  return at(right - width, y, text);
};
const level = (y: number, from: number, to: number): Mark => ({ line: [from, y, to, y] });
const upright = (x: number, from: number, to: number): Mark => ({ line: [x, from, x, to] });

const textsOf = (page: Page, table: Table | undefined): string[][] =>
  Array.from({ length: table?.rows ?? 0 }, (_, row) =>
    (table?.cells ?? [])
      .filter((cell) => cell.row === row)
      .map((cell) => cell.words.map((index) => page.words[index]?.text).join(" ")),
  );
const kinds = (page: Page): string[] => page.blocks.map((block) => block.kind);
const blockTexts = (page: Page): string[] =>
  page.blocks.map((block) =>
    page.lines
      .slice(block.start, block.end)
      .map((line) => lineText(page, line))
      .join("\n"),
  );

const prose = (word: string): string[] =>
  Array.from({ length: 12 }, (_, index) => `${word} ${word} line number ${index} of the ${word} column`);

test("columns of prose are read one after the other, under a title across both", async () => {
  const page = await layOutPage(
    ...column(310, 700, prose("right")),
    at(50, 740, "A title across the whole page that is long enough to cross", { size: 18, bold: true }),
    ...column(50, 700, prose("left")),
  );
  const lines = pageText(page).split("\n");
  assert.match(lines[0] ?? "", /^A title/);
  assert.deepEqual(lines.slice(1), [...prose("left"), ...prose("right")]);
  assert.equal(page.blocks[0]?.kind, "heading");
});

test("an address and a block of references side by side both stay whole", async () => {
  const address = ["Paper Planes Ltd", "Helen Sample", "Discount Street 25", "34567 Easthaven"];
  const references = ["Invoice number: 2014-03", "Customer number: 987-654", "Order number: ABC-123"];
  const page = await layOutPage(...column(50, 700, address, 13), ...column(350, 706, references, 16));
  assert.equal(pageText(page), [...address, ...references].join("\n"));
});

test("two addresses on the same lines are read one after the other", async () => {
  const from = ["Bill to", "Taylor Riddle", "1 Long Road", "Springfield"];
  const to = ["Ship to", "The Store", "9 Short Lane", "Shelbyville"];
  const page = await layOutPage(...column(50, 700, from), ...column(300, 700, to));
  assert.equal(pageText(page), [...from, ...to].join("\n"));
});

test("labels and their values stay on one line", async () => {
  const page = await layOutPage(
    ...column(50, 700, ["Currency:", "Period:", "Reference:"]),
    ...column(300, 700, ["EUR", "May 2026", "Contract 17"]),
  );
  assert.equal(pageText(page), "Currency: EUR\nPeriod: May 2026\nReference: Contract 17");
});

const header = ["Description", "Qty", "Price", "Amount"];
const items = [
  ["Blue balloon", "400", "0.79", "316.00"],
  ["Hot air", "200", "0.10", "20.00"],
  ["Paper plane", "5", "40.00", "200.00"],
];

function itemRow(y: number, [name = "", ...numbers]: readonly string[]): TextMark[] {
  return [at(55, y, name), ...numbers.map((text, index) => rightAt(350 + index * 80, y, text))];
}

test("rows of numbers under a header are a table even without drawn lines", async () => {
  const page = await layOutPage(
    at(50, 760, "Invoice 17", { size: 16 }),
    at(55, 700, "Description", { bold: true }),
    ...["Qty", "Price", "Amount"].map((text, index) => at(325 + index * 80, 700, text, { bold: true })),
    ...items.flatMap((item, index) => itemRow(680 - index * 18, item)),
    at(55, 560, "Please pay within 30 days of the date of this invoice, and name the number in your transfer."),
  );
  const [table] = page.tables;
  assert.deepEqual(textsOf(page, table), [header, ...items]);
  assert.deepEqual([table?.ruled, table?.headerRows, page.tables.length], [false, 1, 1]);
  assert.deepEqual(kinds(page), ["heading", "table", "paragraph"]);
  assert.match(pageText(page), /^Blue balloon 400 0.79 316.00$/m);
});

test("a group heading is a separate row, below the header and between rows", async () => {
  const groups = items.flatMap((item, index) => [
    at(55, 680 - index * 36, `Group ${index}`),
    ...itemRow(662 - index * 36, item),
  ]);
  const page = await layOutPage(
    at(55, 700, "Description", { bold: true }),
    ...["Qty", "Price", "Amount"].map((text, index) => at(325 + index * 80, 700, text, { bold: true })),
    ...groups,
    ...[0, 1, 2, 3].flatMap((index) => itemRow(662 - 36 * items.length - index * 18, items[0] ?? header)),
  );
  const rows = textsOf(page, page.tables[0]);
  assert.deepEqual(rows.slice(0, 5), [header, ["Group 0"], items[0], ["Group 1"], items[1]]);
});

test("group headings in a font with taller boxes are separate rows", async () => {
  const tall = { bold: true, size: 11.5 };
  const [first, second] = [items.slice(0, 4), items.slice(0, 3)];
  const page = await layOutPage(
    at(55, 700, "Description", tall),
    ...["Qty", "Price", "Amount"].map((text, index) => at(325 + index * 80, 700, text, tall)),
    at(55, 682, "Group 1", tall),
    ...first.flatMap((item, index) => itemRow(664 - index * 18, item)),
    at(55, 664 - 18 * first.length, "Group 2", tall),
    ...second.flatMap((item, index) => itemRow(646 - 18 * (first.length + index), item)),
  );
  assert.deepEqual(textsOf(page, page.tables[0]), [header, ["Group 1"], ...first, ["Group 2"], ...second]);
});

test("a description of several lines stays in its row", async () => {
  const page = await layOutPage(
    ...header.map((text, index) => at(index === 0 ? 55 : 325 + (index - 1) * 80, 700, text)),
    ...itemRow(684, items[0] ?? []),
    at(55, 673, "filled with helium"),
    at(55, 662, "and tied to a string"),
    ...itemRow(640, items[1] ?? []),
    at(55, 629, "warm"),
  );
  assert.deepEqual(
    textsOf(page, page.tables[0]).map((row) => row[0]),
    ["Description", "Blue balloon filled with helium and tied to a string", "Hot air warm"],
  );
});

test("cells that are centred vertically beside a wrapped description stay in its row", async () => {
  const page = await layOutPage(
    ...["No.", "Description", "Number", "Price", "Amount"].map((text, index) =>
      at([40, 75, 325, 385, 505][index] ?? 0, 700, text),
    ),
    ...[
      [36, 36],
      [73, 245],
      [319, 60],
      [380, 60],
      [441, 104],
    ].map(([left = 0, width = 0]): Mark => ({ shade: [left, 696, width, 16] })),
    at(75, 682, "Shelf of solid oak"),
    rightAt(540, 682, "2670.00"),
    at(40, 676, "1"),
    rightAt(360, 676, "3"),
    rightAt(420, 676, "890.00"),
    at(75, 670, "240 by 120"),
    ...[
      ["2", "Assembly", "14", "62.00", "868.00"],
      ["3", "Journey", "2", "45.00", "90.00"],
    ].flatMap((cells, row) => [
      at(40, 648 - row * 22, cells[0] ?? ""),
      at(75, 648 - row * 22, cells[1] ?? ""),
      ...[360, 420, 540].map((right, number) => rightAt(right, 648 - row * 22, cells[2 + number] ?? "")),
    ]),
  );
  assert.deepEqual(textsOf(page, page.tables[0]), [
    ["No.", "Description", "Number", "Price", "Amount"],
    ["1", "Shelf of solid oak 240 by 120", "3", "890.00", "2670.00"],
    ["2", "Assembly", "14", "62.00", "868.00"],
    ["3", "Journey", "2", "45.00", "90.00"],
  ]);
});

test("a single item under a header is a table", async () => {
  const page = await layOutPage(
    ...header.map((text, index) => at(index === 0 ? 55 : 325 + (index - 1) * 80, 700, text)),
    ...itemRow(684, items[0] ?? []),
  );
  assert.deepEqual(textsOf(page, page.tables[0]), [header, items[0]]);
});

test("an item number right before the description is its own column", async () => {
  const page = await layOutPage(
    ...items.flatMap((item, index) => [
      rightAt(52, 680 - index * 18, String(index + 1)),
      ...itemRow(680 - index * 18, item),
    ]),
  );
  assert.deepEqual(
    textsOf(page, page.tables[0]),
    items.map((item, index) => [String(index + 1), ...item]),
  );
});

test("totals below the items are not items", async () => {
  const page = await layOutPage(
    ...header.map((text, index) => at(index === 0 ? 55 : 325 + (index - 1) * 80, 700, text)),
    ...items.flatMap((item, index) => itemRow(680 - index * 18, item)),
    at(325, 610, "Total:"),
    rightAt(510, 610, "536.00"),
  );
  assert.equal(page.tables[0]?.rows, 4);
  assert.match(pageText(page), /^Total: 536.00$/m);
});

/** Returns lines around all cells. The `ys` are measured from the top. */
const grid = (xs: readonly number[], ys: readonly number[]): Mark[] => [
  ...ys.map((y) => level(y, xs[0] ?? 0, xs.at(-1) ?? 0)),
  ...xs.map((x) => upright(x, ys.at(-1) ?? 0, ys[0] ?? 0)),
];

test("drawn lines form a table and determine the height of its rows", async () => {
  const page = await layOutPage(
    ...grid([50, 100, 300, 400], [720, 700, 660, 640]),
    ...["Qty", "Product", "Total"].map((text, index) => at([55, 105, 305][index] ?? 0, 706, text, { bold: true })),
    at(55, 688, "1.00"),
    ...column(105, 688, ["A design that takes", "two lines"]),
    at(305, 688, "160.00"),
    at(55, 646, "2.00"),
    at(105, 646, "Balloon"),
    at(305, 646, "0.50"),
  );
  const [table] = page.tables;
  assert.deepEqual(textsOf(page, table), [
    ["Qty", "Product", "Total"],
    ["1.00", "A design that takes two lines", "160.00"],
    ["2.00", "Balloon", "0.50"],
  ]);
  assert.deepEqual([table?.ruled, table?.headerRows, table?.rows, table?.columns], [true, 1, 3, 3]);
  assert.match(pageText(page), /^1.00 A design that takes 160.00\ntwo lines$/m);
});

test("cells over several columns and rows keep their spans", async () => {
  const page = await layOutPage(
    ...grid([50, 150, 250, 350], [720, 700, 680]),
    level(660, 50, 350),
    upright(50, 660, 680),
    upright(250, 660, 680),
    upright(350, 660, 680),
    ...["a", "b", "c"].map((text, index) => at(60 + index * 100, 706, text)),
    ...["1", "2", "3"].map((text, index) => at(60 + index * 100, 686, text)),
    at(60, 666, "sum"),
    at(260, 666, "6"),
  );
  const last = page.tables[0]?.cells.filter((cell) => cell.row === 2);
  assert.deepEqual(
    last?.map(({ column, columnSpan }) => [column, columnSpan]),
    [
      [0, 2],
      [2, 1],
    ],
  );
});

test("if drawn lines separate only the columns, each line of numbers is a row", async () => {
  const page = await layOutPage(
    ...grid([50, 250, 350, 450], [720, 700]),
    ...[50, 250, 350, 450].map((x) => upright(x, 600, 700)),
    level(600, 50, 450),
    ...["Item", "Qty", "Total"].map((text, index) => at([55, 255, 355][index] ?? 0, 706, text)),
    ...items.flatMap(([name = "", quantity = "", , total = ""], index) => [
      at(55, 685 - index * 20, name),
      rightAt(340, 685 - index * 20, quantity),
      rightAt(440, 685 - index * 20, total),
    ]),
  );
  const rows = textsOf(page, page.tables[0]);
  assert.deepEqual(
    rows.slice(1),
    items.map(([name, quantity, , total]) => [name, quantity, total]),
  );
});

test("shaded cells with gaps between them are the header of the rows below", async () => {
  const places = [50, 200, 300, 400];
  const page = await layOutPage(
    ...places.map((x): Mark => ({ shade: [x, 695, (x === 50 ? 150 : 100) - 2, 20] })),
    ...["Description", "Qty", "Price", "Amount"].map((text, index) => at((places[index] ?? 0) + 5, 701, text)),
    at(55, 675, "Hot air"),
    rightAt(290, 675, "200"),
    rightAt(490, 675, "20.00"),
  );
  const [table] = page.tables;
  assert.deepEqual([table?.columns, table?.headerRows], [4, 1]);
  assert.deepEqual(textsOf(page, table)[1], ["Hot air", "200", "20.00"]);
});

test("boxes side by side are read one after the other", async () => {
  const box = (x: number): Mark[] => [
    level(720, x, x + 200),
    level(600, x, x + 200),
    upright(x, 600, 720),
    upright(x + 200, 600, 720),
  ];
  const left = ["Seller", "One Street 1", "12345 Town", "VAT 1"];
  const right = ["Buyer", "Other Street 2", "54321 City", "VAT 2"];
  const page = await layOutPage(...box(50), ...box(300), ...column(60, 700, left, 20), ...column(310, 700, right, 20));
  assert.equal(pageText(page), [...left, ...right].join("\n"));
  assert.equal(page.tables.length, 0);
});

test("a form with ruled rows is read row by row", async () => {
  const rows = ["Number", "Date", "Customer"].flatMap((label, index) => [
    at(60, 706 - index * 24, label, { size: 7 }),
    at(180, 699 - index * 24, `value-${index}`),
    level(696 - index * 24, 50, 300),
  ]);
  const page = await layOutPage(...rows);
  assert.equal(pageText(page), "Number\nvalue-0\nDate\nvalue-1\nCustomer\nvalue-2");
});

test("headings, paragraphs and lists are distinguished", async () => {
  const page = await layOutPage(
    at(50, 760, "Terms of use", { size: 18 }),
    ...column(50, 720, [
      "This is the first paragraph, and it goes on over more than",
      "a single line of text, as paragraphs do.",
    ]),
    ...column(50, 680, [
      "This is another one, which is parted from the first by white",
      "space that is wider than that between its lines.",
    ]),
    at(50, 640, "What you may do", { bold: true }),
    ...column(50, 620, ["1. read all of it, as often as you like to", "2. print it", "3. send it to a friend"]),
  );
  assert.deepEqual(kinds(page), ["heading", "paragraph", "paragraph", "heading", "list"]);
  assert.match(blockTexts(page)[4] ?? "", /^1\. .*\n2\. .*\n3\. /);
});

test("a page of noise is laid out without losing a word", async () => {
  const marks = Array.from({ length: 400 }, (_, index) => at((index * 137) % 560, (index * 89) % 830, `w${index}`));
  const page = await layOutPage(...marks);
  const found = page.words.map((word) => word.text).toSorted();
  assert.deepEqual(found, marks.map((mark) => mark.text).toSorted());
});

test("side headings are read with the text that begins beside them", async () => {
  const body = [
    "prints its input",
    "",
    "as it is, line by line,",
    "to its output",
    "until the input ends",
    "",
    "none known",
    "so far",
  ];
  const page = await layOutPage(
    ...["NAME", "DESCRIPTION", "BUGS"].map((text, index) => at(50, 700 - ([0, 26, 78][index] ?? 0), text)),
    ...column(150, 700, body).filter(({ text }) => text !== ""),
  );
  assert.match(pageText(page), /^NAME prints its input\nDESCRIPTION as it is, line by line,\nto its output/);
  assert.match(pageText(page), /BUGS none known\nso far$/);
});
