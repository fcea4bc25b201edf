import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { type Box, type Document, pageText, type Word } from "../../document.ts";
import { ReadingError, type ReadingFailure } from "../../reader.ts";
import { makePdf, onePage, type PdfPage } from "../../testing/make-pdf.ts";
import { readPdf } from "./read-pdf.ts";

const limits = { maxPages: 50 };
const read = (bytes: Uint8Array): Promise<Document> => readPdf(bytes, limits);
const readPage = async (page: PdfPage) => (await read(makePdf({ pages: [page] }))).pages[0] ?? assert.fail("no page");
const texts = (document: Document): string[] => document.pages.flatMap((page) => page.words.map((word) => word.text));

function assertNear(actual: Box | undefined, expected: Box): void {
  const near = actual?.every((edge, index) => Math.abs(edge - (expected[index] ?? 0)) <= 2);
  assert.ok(near, `${actual} is not near ${expected}`);
}

/** Asserts that the ranges follow each other without gaps, from 0 to `count`. */
function assertCovers(spans: { start: number; end: number }[], count: number): void {
  let end = 0;
  for (const span of spans) {
    assert.equal(span.start, end);
    assert.ok(span.end > span.start);
    end = span.end;
  }
  assert.equal(end, count);
}

const refuses = (bytes: Uint8Array, reason: ReadingFailure) =>
  assert.rejects(read(bytes), (error) => error instanceof ReadingError && error.reason === reason);

// "Hello" in 12-point Helvetica is 27.3 points wide. It is at (100, 700) on a page of 595×842
// points.
const hello = { text: "Hello", x: 100, y: 700 };

test("a word has a box (measured from the top left of the page), a font size and a weight", async () => {
  const page = await readPage({ marks: [hello, { text: "Total", x: 100, y: 600, size: 20, bold: true }] });
  assert.deepEqual([page.width, page.height, page.rotation], [595, 842, 0]);
  assertNear(page.words[0]?.box, [100, 131, 127.3, 145]);
  assert.deepEqual([page.words[0]?.size, page.words[0]?.bold], [12, undefined]);
  assert.deepEqual([page.words[1]?.size, page.words[1]?.bold], [20, true]);
});

for (const [rotate, size, box] of [
  [90, [842, 595], [697, 100, 711, 127.3]],
  [180, [595, 842], [467.7, 697, 495, 711]],
  [270, [842, 595], [131, 467.7, 145, 495]],
] as [number, number[], Box][]) {
  test(`boxes are in the coordinates of the page rotated by ${rotate} degrees`, async () => {
    const page = await readPage({ marks: [hello], rotate });
    assert.deepEqual([page.width, page.height, page.rotation], [...size, rotate]);
    assertNear(page.words[0]?.box, box);
  });
}

test("boxes are in points if the file has larger units", async () => {
  const bytes = makePdf({
    pages: [{ marks: [hello], userUnit: 2.5 }, { marks: [hello] }, { marks: [hello], userUnit: 10, rotate: 90 }],
  });
  for (const file of [bytes, packedPdf()]) {
    const [page = assert.fail(), plain] = (await read(file)).pages;
    assert.deepEqual([page.width, page.height, page.words[0]?.size], [1487.5, 2105, 30]);
    assertNear(page.words[0]?.box, [250, 327.5, 318.25, 362.5]);
    assertNear(page.lines[0]?.box, [250, 327.5, 318.25, 362.5]);
    if (plain) assert.deepEqual([plain.width, plain.words[0]?.size], [595, 12]);
  }
  const turned = (await read(bytes)).pages[2];
  assert.deepEqual([turned?.width, turned?.height], [8420, 5950]);
  assertNear(turned?.words[0]?.box.map((edge) => edge / 10) as unknown as Box, [697, 100, 711, 127.3]);
});

/**
 * Returns a PDF whose page has a unit of 2.5 points. The dictionary of the page is packed in an
 * object stream.
 */
function packedPdf(): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /UserUnit 2.5 /Contents 6 0 R /Resources << /Font << /F0 4 0 R >> >> >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  const head = objects.map(
    (_, index) => `${index + 1} ${objects.slice(0, index).join(" ").length + (index > 0 ? 1 : 0)}`,
  );
  const packed = deflateSync(`${head.join(" ")} ${objects.join(" ")}`).toString("latin1");
  const first = head.join(" ").length + 1;
  const content = "BT /F0 12 Tf 100 700 Td (Hello) Tj ET";
  let file = "%PDF-1.7\n";
  const places: number[] = [];
  const add = (text: string) => {
    places.push(file.length);
    file += text;
  };
  const flate = "/Filter /FlateDecode";
  add(
    `5 0 obj\n<< /Type /ObjStm /N 4 /First ${first} /Length ${packed.length} ${flate} >>\nstream\n${packed}\nendstream\nendobj\n`,
  );
  add(`6 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`);
  const [stream = 0, text = 0] = places;
  const entries = [
    [0, 0, 255],
    [2, 5, 0],
    [2, 5, 1],
    [2, 5, 2],
    [2, 5, 3],
    [1, stream, 0],
    [1, text, 0],
    [1, file.length, 0],
  ];
  const table = Buffer.from(
    entries.flatMap(([type = 0, place = 0, index = 0]) => [type, place >> 8, place & 255, index]),
  );
  const start = file.length;
  file += `7 0 obj\n<< /Type /XRef /Size 8 /W [1 2 1] /Root 1 0 R /Length ${table.length} >>\nstream\n`;
  return Buffer.from(`${file}${table.toString("latin1")}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`, "latin1");
}

test("boxes are measured from the crop box, and words outside of it are dropped", async () => {
  const page = await readPage({ marks: [hello, { text: "Outside", x: 2, y: 700 }], cropBox: [50, 100, 545, 742] });
  assert.deepEqual([page.width, page.height], [495, 642]);
  assert.deepEqual(
    page.words.map((word) => word.text),
    ["Hello"],
  );
  assertNear(page.words[0]?.box, [50, 31, 77.3, 45]);
});

test("text that runs up, down or upside down is read along its direction, after the horizontal text", async () => {
  const marks = [
    { text: "going up", x: 300, y: 300, angle: 90 },
    { text: "a longer level line", x: 60, y: 500 },
    { text: "going down", x: 400, y: 300, angle: 270 },
    { text: "upside down", x: 200, y: 200, angle: 180 },
  ];
  const lines = pageText(await readPage({ marks })).split("\n");
  assert.equal(lines[0], "a longer level line");
  assert.deepEqual(new Set(lines), new Set(["a longer level line", "going up", "going down", "upside down"]));
});

test("spaces, wide gaps and raised digits separate words; kerning and raised letters do not", async () => {
  const raw = "BT /F0 12 Tf 1 0 0 1 60 700 Tm [(T) 80 (otal) -2000 (net)] TJ ET";
  const marks = [{ raw }, { text: "100", x: 60, y: 600 }, { text: "2", x: 80.2, y: 605, size: 7 }];
  marks.push({ text: "3", x: 160, y: 600 }, { text: "rd", x: 166.7, y: 605, size: 7 });
  const page = await readPage({ marks });
  assert.deepEqual(
    page.words.map((word) => word.text),
    ["Total", "net", "100", "2", "3rd"],
  );
  assert.equal(pageText(page), "Total net\n100 2 3rd");
});

test("text drawn twice to look bold is read once", async () => {
  const twice = (text: string, x: number, y: number) => [
    { text, x, y },
    { text, x: x + 0.3, y },
  ];
  const page = await readPage({ marks: [...twice("Total", 60, 700), ...twice("A", 60, 600)] });
  assert.deepEqual(
    page.words.map((word) => word.text),
    ["Total", "A"],
  );
});

test("ligatures become letters, control and invisible characters are dropped", async () => {
  const toUnicode = { l: "\ufb01", c: "\u0007", z: "\u200b", t: "tt" };
  const bytes = makePdf({ toUnicode, pages: [{ marks: [{ text: "oflce aczb Neto", x: 60, y: 700 }] }] });
  assert.deepEqual(texts(await read(bytes)), ["offie", "ab", "Netto"]);
});

test("right-to-left text is in logical order, numbers in it stay as they are", async () => {
  // As displayed from left to right: "12 גבא", and another word to its right.
  const toUnicode = { a: "א", b: "ב", g: "ג", d: "ד" };
  const bytes = makePdf({ toUnicode, pages: [{ marks: [{ text: "12 gba dg", x: 60, y: 700 }] }] });
  assert.deepEqual(texts(await read(bytes)), ["גד", "אבג", "12"]);
});

test("vertical Japanese text is read column by column, from the right", async () => {
  const columns = ["吾輩は猫である。名前は", "どこで生れたか頓と", "見当がつかぬ。何でも"];
  const marks = columns.map((down, index) => ({ down, x: 500 - index * 24, y: 780, size: 14 }));
  const page = await readPage({ marks: [...marks, { text: "12", x: 290, y: 30 }] });
  assert.equal(pageText(page), [...columns, "12"].join("\n"));
  // The letters are centred in their column, and the word begins at the top of its first letter.
  assertNear(page.words[0]?.box, [493, 62, 507, 62 + 11 * 14]);
});

test("Hebrew and Arabic between Latin words keep their order, and so do numbers", async () => {
  // The letters are drawn from left to right, in the order in which they are displayed.
  const toUnicode = { a: "א", b: "ב", g: "ג", d: "ד", i: "ﻣ", j: "ﺮ", k: "ﺣ", l: "ﺒ", m: "ﺎ" };
  const marks = [
    { text: "Tot: gba 12.50 EUR", x: 60, y: 700 },
    { text: "mlkji", x: 60, y: 650 },
  ];
  const document = await read(makePdf({ toUnicode, pages: [{ marks }] }));
  assert.equal(pageText(document.pages[0] ?? assert.fail()), "Tot: אבג 12.50 EUR\nمرحبا");
});

test("right-to-left text that the file stores in logical order keeps that order", async () => {
  const toUnicode = { u: "م", n: "ر", h: "ح", b: "ب", a: "ا", x: "لا" };
  // Each letter is 556 wide. After each letter, the pen moves back by two widths.
  const raw = "BT /F0 12 Tf 300 700 Td [(u) 1112 (n) 1112 (h) 1112 (b) 1112 (a)] TJ ET";
  const page = (await read(makePdf({ toUnicode, pages: [{ marks: [{ raw }, { text: "x", x: 60, y: 600 }] }] })))
    .pages[0];
  assert.equal(pageText(page ?? assert.fail()), "مرحبا\nلا");
});

test("raised letters of formulas belong to their word", async () => {
  const toUnicode = { K: "k", M: "𝑚" };
  const marks = [
    { text: "K", x: 60, y: 700, size: 12 },
    { text: "M", x: 68, y: 697, size: 8 },
  ];
  assert.deepEqual(texts(await read(makePdf({ toUnicode, pages: [{ marks }] }))), ["k𝑚"]);
});

test("form fields and notes are words at their position; hidden ones are dropped", async () => {
  const rect = (y: number) => [100, y, 300, y + 20] as const;
  const page = await readPage({
    marks: [{ text: "Name:", x: 50, y: 704 }],
    annotations: [
      { subtype: "Widget", rect: rect(700), text: "Ada Lovelace" },
      { subtype: "Widget", rect: rect(600), text: "undrawn", bare: true },
      { subtype: "FreeText", rect: rect(500), text: "noted" },
      { subtype: "Widget", rect: rect(400), text: "hidden", hidden: true },
      { subtype: "Link", rect: rect(300), text: "link" },
    ],
  });
  assert.equal(pageText(page), "Name: Ada Lovelace\nundrawn\nnoted");
  assertNear(page.words[1]?.box, [102, 127, 123.4, 141]);
});

test("metadata and outline are those of the file", async () => {
  const pages = [{ marks: [hello] }, { marks: [hello] }];
  const outline = [
    { title: "First", page: 1 },
    { title: "Second", page: 2 },
  ];
  const document = await read(makePdf({ pages, outline, info: { Title: "A title", Author: "Somebody", Subject: "" } }));
  assert.equal(document.mime, "application/pdf");
  assert.deepEqual(document.metadata, { Title: "A title", Author: "Somebody" });
  assert.deepEqual(document.outline, [
    { title: "First", page: 1, level: 1 },
    { title: "Second", page: 2, level: 1 },
  ]);
});

test("a page without text has no words, even if another page has text", async () => {
  const document = await read(makePdf({ pages: [{ marks: [] }, { marks: [hello] }] }));
  assert.deepEqual(
    document.pages.map((page) => [page.number, page.source, page.words.length]),
    [
      [1, "text", 0],
      [2, "text", 1],
    ],
  );
});

test("the same bytes give the same Document", async () => {
  const bytes = makePdf({ pages: [{ marks: [hello, { text: "x", x: 300, y: 650 }, { line: [50, 600, 500, 600] }] }] });
  assert.deepEqual(await read(bytes), await read(bytes));
});

test("refusals state the reason", async () => {
  const good = onePage(hello);
  await refuses(new Uint8Array(), "empty");
  await refuses(Buffer.from("<html>no PDF</html>"), "corrupt");
  await refuses(Buffer.from("%PDF-1.7\nnothing more"), "corrupt");
  await refuses(makePdf({ pages: [{ marks: [hello] }], encrypted: true }), "encrypted");
  await refuses(
    makePdf({ pages: Array.from({ length: limits.maxPages + 1 }, () => ({ marks: [hello] })) }),
    "too_complex",
  );
  assert.deepEqual(texts(await read(Buffer.concat([Buffer.from("junk\n".repeat(100)), good]))), ["Hello"]);
});

test("a truncated file is read as far as it can be repaired, or refused", async () => {
  const good = onePage(hello);
  for (const part of [0.2, 0.5, 0.8, 0.95]) {
    const cut = good.subarray(0, Math.floor(good.length * part));
    await read(cut).then(
      (document) => assert.deepEqual(texts(document), ["Hello"]),
      (error) => assert.ok(error instanceof ReadingError),
    );
  }
});

test("a file that states more pages than it has is read", async () => {
  const honest = Buffer.from(onePage(hello)).toString("latin1");
  const lying = Buffer.from(honest.replace("/Count 1", "/Count 9999999"), "latin1");
  const document = await read(lying);
  assert.equal(document.pages.length, 1);
});

test("every word of a page is in a line, every line in a block", async () => {
  const marks = Array.from({ length: 40 }, (_, index): { text: string; x: number; y: number } => ({
    text: `word${index} more`,
    x: 50 + (index % 3) * 170,
    y: 780 - Math.floor(index / 3) * 20,
  }));
  const page = await readPage({ marks });
  assertCovers(page.lines, page.words.length);
  assertCovers(page.blocks, page.lines.length);
  assert.equal(page.words.length, 80);
  assert.ok(page.words.every((word: Word) => !/\s/.test(word.text)));
});
