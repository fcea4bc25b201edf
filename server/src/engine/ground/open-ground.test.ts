import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import fc from "fast-check";
import { type Document, pageText } from "../../reading/document.ts";
import { openReader } from "../../reading/open-reader.ts";
import { patientSettings } from "../../reading/testing/patient-settings.ts";
import { documentOf } from "../testing/document-builder.ts";
import type { Conventions } from "./conventions.ts";
import { groundRecord } from "./ground-record.ts";
import { openGround } from "./open-ground.ts";
import { valueInQuote } from "./value-in-quote.ts";

const fixtures = join(import.meta.dirname, "../../../test/fixtures");
const reader = openReader(patientSettings);
const invoices: Document[] = [];
for (const name of ["invoice-aligned-table.pdf", "invoice-ruled-table.pdf"])
  invoices.push(await reader.read(join(fixtures, name), "pdf"));
await reader.close();
const grounds = invoices.map((document) => ({ document, ground: openGround(document) }));

const place = fc.record({
  at: fc.nat(grounds.length - 1),
  page: fc.nat(),
  from: fc.nat(),
  length: fc.integer({ min: 1, max: 25 }),
});

/**
 * Returns a range of words of a fixture, in reading order. Its first and last word must contain a
 * letter or digit.
 */
function spanAt({ at, page, from, length }: { at: number; page: number; from: number; length: number }) {
  const { document, ground } = grounds[at] as (typeof grounds)[number];
  const on = document.pages[page % document.pages.length] as Document["pages"][number];
  const texts = on.words.map((word) => word.text);
  const start = from % texts.length;
  const words = texts.slice(start, start + length);
  const worded = (text: string | undefined) => text !== undefined && /[\p{L}\p{N}]/u.test(text);
  fc.pre(worded(words[0]) && worded(words.at(-1)));
  return { ground, on, words, all: pageText(on) };
}

test("a quote is found exactly, or with other white space, case, dashes and quotation marks", () => {
  fc.assert(
    fc.property(place, fc.constantFrom(" ", "\n", "  ", "\t \n"), fc.boolean(), (at, gap, upper) => {
      const { ground, on, words } = spanAt(at);
      const quote = words.join(gap);
      const [exact] = ground.find(quote, { page: on.number });
      assert.equal(exact?.match, "exact", quote);
      const changed = (upper ? quote.toUpperCase() : quote.toLowerCase()).replaceAll("'", "’");
      assert.ok(ground.find(`„${changed}“`).length > 0, changed);
    }),
    { numRuns: 300 },
  );
});

const compact = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

test("a quote with a different digit, an extra word, or words from two places is not found", () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 1, max: 9 }), (of, pick, by) => {
      const { ground, words, all } = spanAt(of);
      const digits = words.flatMap((word, at) =>
        [...word].flatMap((letter, i) => (/\d/.test(letter) ? [[at, i]] : [])),
      );
      const [at = 0, i = 0] = digits[pick % Math.max(1, digits.length)] ?? [];
      const word = words[at] as string;
      if (digits.length > 0 && words.length > 1) {
        const changed = word.slice(0, i) + ((Number(word[i]) + by) % 10) + word.slice(i + 1);
        const quote = words.with(at, changed).join(" ");
        if (!compact(all).includes(compact(quote))) assert.deepEqual(ground.find(quote), [], quote);
      }
      if (words.length > 2) {
        const more = words.toSpliced(1 + (pick % (words.length - 1)), 0, "not").join(" ");
        assert.deepEqual(ground.find(more), [], more);
        const replaced = words.with(pick % words.length, "Zwyxabu").join(" ");
        assert.deepEqual(ground.find(replaced), [], replaced);
      }
    }),
    { numRuns: 300 },
  );
});

test("two distant spans are not a quote", () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      const [a, b] = [spanAt(one), spanAt(other)];
      const quote = [...a.words.slice(0, 6), ...b.words.slice(0, 6)].join(" ");
      const somewhere = grounds.some(({ document }) => {
        const pages = document.pages.map((page) => compact(pageText(page)));
        return pages.some((text) => text.includes(compact(quote)));
      });
      const found = a.ground.find(quote);
      // Words of adjacent columns can form one quote, because pages are also searched row by row.
      if (!somewhere && a.words.length > 3 && b.words.length > 3)
        for (const { quote: shown } of found) assert.deepEqual([...compact(shown)].sort(), [...compact(quote)].sort());
    }),
    { numRuns: 200 },
  );
});

const agreement = documentOf([
  ["The supplier shall not be liable for indi-"],
  ["rect damages of more than 1.234,56 EUR."],
  ["Grundbesitzverwaltung Nordstern GmbH"],
  ["IBAN DE88 2008 0000 0970 3757 00"],
  ["Signed on 05.03.2018"],
]);

test("hyphenation, thousands separators and spaces in account numbers do not prevent a match", () => {
  const ground = openGround(agreement);
  assert.equal(ground.find("liable for indirect damages")[0]?.match, "normalized");
  assert.equal(ground.find("more than 1234,56 EUR")[0]?.quote, "more than 1.234,56 EUR.");
  assert.equal(ground.find("DE88200800000970375700")[0]?.quote, "DE88 2008 0000 0970 3757 00");
});

test("a misread letter is a fuzzy match; a missing negation, another amount or name is no match", () => {
  const ground = openGround(agreement);
  const [misread] = ground.find("Grundbesltzverwaltung Nordstern GmbH");
  assert.deepEqual([misread?.match, misread?.distance], ["fuzzy", 1]);
  for (const quote of [
    "The supplier shall be liable for indirect damages",
    "more than 1.234,57 EUR",
    "1.234,5",
    "Grundbesitzverwaltung Sudstern GmbH",
    "Signed on 05.03.2019",
    "",
    "—",
  ])
    assert.deepEqual(ground.find(quote), [], quote);
});

test("a quote across a page break is found as two pieces", () => {
  const rows = Array.from({ length: 45 }, (_, at) => [`Line number ${at} of the page`]);
  const ground = openGround(
    documentOf([...rows, ["The notice period is three"]], [["months to the end of a quarter."], ["More."]]),
  );
  const quote = "The notice period is three months to the end of a quarter.";
  assert.deepEqual(ground.find(quote), []);
  assert.deepEqual(
    ground.findAcrossPages(quote)?.map(({ page, quote: piece }) => [page, piece]),
    [
      [1, "The notice period is three"],
      [2, "months to the end of a quarter."],
    ],
  );
  assert.equal(ground.findAcrossPages("The notice period is three years to the end"), undefined);
});

const german: Conventions = { marks: [","], order: "dmy", dollar: "USD", currencies: new Set(["EUR"]) };

test("a number is parsed from its quote with the separators of the document", () => {
  const yes: [number, string, string][] = [
    [1234.56, "Summe 1.234,56 EUR", "normalized"],
    [1234.56, "1 234,56 €", "normalized"],
    [-12.5, "(12,50)", "normalized"],
    [-12.5, "12,50-", "normalized"],
    [19, "19 %", "exact"],
    [0.19, "19 %", "inferred"],
    [1_200_000, "1,2 Mio. EUR", "inferred"],
    [-500, "500,00 DR", "inferred"],
    [15, "15kg", "exact"],
    [110, "100,00 10,00 110,00", "exact"],
  ];
  for (const [value, quote, match] of yes)
    assert.equal(valueInQuote(value, "number", quote, german)?.match, match, quote);
  const no: [number, string][] = [
    [1.234, "1.234"],
    [1234.57, "1.234,56"],
    [512, "5 12"],
    [345, "12 345 und mehr"],
    [5, "05.03.2018"],
    [12.5, "-12,50"],
  ];
  for (const [value, quote] of no) assert.equal(valueInQuote(value, "number", quote, german), undefined, quote);
});

test("dates, texts and booleans are found in a quote, and an empty value is never found", () => {
  assert.equal(valueInQuote("2018-03-05", "date", "Signed on 05/03/2018", german)?.value, "2018-03-05");
  assert.equal(valueInQuote("2018-05-03", "date", "Signed on 05/03/2018", german), undefined);
  assert.equal(
    valueInQuote("muster gmbh & co", "text", "An die Muster GmbH & Co. KG", german)?.value,
    "Muster GmbH & Co",
  );
  assert.equal(valueInQuote("Muster AG", "text", "An die Muster GmbH & Co. KG", german), undefined);
  assert.equal(valueInQuote("EUR", "text", "12,00 €", german)?.match, "inferred");
  assert.equal(valueInQuote(true, "boolean", "Paid: no", german), undefined);
  assert.equal(valueInQuote(true, "boolean", "The goods are insured", german)?.match, "inferred");
  assert.equal(valueInQuote(true, "boolean", "The goods are not insured", german), undefined);
  for (const value of [null, "", " N/A ", "unknown", "-"])
    assert.equal(valueInQuote(value, "text", "N/A - unknown"), undefined);
});

const params: ExtractionParam[] = [
  { name: "total", format: "number", description: "Total amount" },
  { name: "__proto__", format: "text", description: "Name of the seller" },
  {
    name: "lines",
    format: "list",
    description: "What is charged",
    items: [
      { name: "item", format: "text", description: "Name of the product" },
      { name: "price", format: "number", description: "Price" },
    ],
  },
];
const bill = documentOf([
  ["Seller", "Acme Tools Ltd"],
  ["Item", "Price"],
  ["Hammer", "10.50"],
  ["Saw", "22.00"],
  ["Hammer", "10.50"],
  [""],
  ["Total", "43.00"],
]);
const leaf = (value: unknown, quote: unknown = String(value)) => ({ value, quote, page: 1 });

test("values found in the document are returned with evidence, under the names of their fields", () => {
  const answer = {
    ...JSON.parse('{"__proto__": {"value": "Acme Tools Ltd.", "quote": "Seller Acme Tools Ltd", "page": 1}}'),
    total: leaf(43, "Total 43.00"),
    lines: [
      { item: leaf("Hammer"), price: leaf(10.5, "10.50") },
      { item: leaf("Saw"), price: leaf(22, "Saw 22.00") },
      { item: leaf("Hammer"), price: leaf(10.5, "10.50") },
      { item: leaf("Hammer"), price: leaf(10.5, "10.50") },
      { item: leaf("Chisel"), price: leaf(99) },
    ],
    invented: leaf("x"),
  };
  const { data, evidence, rejected } = groundRecord(params, answer, openGround(bill));
  assert.deepEqual(Object.keys(data), ["total", "__proto__", "lines"]);
  assert.deepEqual(Object.entries(data), [
    ["total", 43],
    ["__proto__", "Acme Tools Ltd"],
    [
      "lines",
      [
        { item: "Hammer", price: 10.5 },
        { item: "Saw", price: 22 },
        { item: "Hammer", price: 10.5 },
      ],
    ],
  ]);
  assert.deepEqual(
    rejected.map(({ path, reason }) => [path.join("."), reason]),
    [
      ["lines.4.item", "quote_not_found"],
      ["lines.4.price", "quote_not_found"],
    ],
  );
  assert.equal((evidence.total as { quote: string }).quote, "43.00");
});

test("if a list element mixes values of two rows, the values of the other row are rejected", () => {
  const answer = {
    lines: [
      { item: leaf("Hammer", "Hammer 10.50"), price: leaf(10.5, "Hammer 10.50") },
      { item: leaf("Saw", "Saw 22.00"), price: leaf(43, "43.00") },
    ],
  };
  const narrow = documentOf([
    ["Item", "Price"],
    ["Hammer", "10.50"],
    ["Saw", "22.00"],
    ["Drill", "43.00"],
  ]);
  const both = { lines: [...answer.lines, { item: leaf("Drill"), price: leaf(43, "43.00") }] };
  const { data, rejected } = groundRecord(params, both, openGround(narrow));
  assert.deepEqual((data.lines as object[])[1], { item: "Saw", price: null });
  assert.deepEqual(rejected, [{ path: ["lines", 1, "price"], reason: "other_row" }]);
});

test("random model output never causes an error, and the result contains exactly the requested fields", () => {
  const ground = openGround(bill);
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.anything(), (all, value, quote) => {
      for (const answer of [
        all,
        { total: { value, quote, page: value }, lines: all },
        { lines: [value, { item: all }] },
      ])
        assert.deepEqual(Object.keys(groundRecord(params, answer, ground).data), ["total", "__proto__", "lines"]);
    }),
    { numRuns: 150 },
  );
});

test("many lookups in a long document are fast", () => {
  const page = Array.from({ length: 45 }, (_, at) => [`Clause ${at} says that the parties agree on number ${at * 7}`]);
  const document = documentOf(...Array.from({ length: 300 }, () => page), [
    ["The secret word is Zanzibar, no. 987654"],
  ]);
  const before = process.cpuUsage();
  const ground = openGround(document);
  for (let at = 0; at < 50; at++) assert.equal(ground.find(`The secret word is Zanzibar, no. 987654`)[0]?.page, 301);
  for (let at = 0; at < 20; at++) assert.deepEqual(ground.find(`The secret world is Zanzibar, no. ${at}`), []);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 20e6, `${user / 1e6} s`);
});
