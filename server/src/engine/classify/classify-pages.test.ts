import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { Document, Page, Word } from "../../reading/document.ts";
import { kinds } from "../lexicon/document-kinds/all-kinds.ts";
import { topics } from "../lexicon/document-kinds/topics.ts";
import { documentOf, pageOf } from "../testing/document-builder.ts";
import { openBuiltinEngine } from "../threads/threaded-engine.ts";
import { classifyBuiltin } from "./classify-pages.ts";

const invoice = [["Invoice"], ["Invoice No:", "4711-A"], ["Amount due", "12.00"], ["Page 1 of 1"]];
const employment = [
  ["Employment contract"],
  ["between the employer and the employee"],
  ["probation period"],
  ["Page 1 of 1"],
];
const deliveryNote = [["Delivery note"], ["Goods received"], ["Page 1 of 1"]];
const classes = [{ label: "Rechnung" }, { label: "Arbeitsvertrag", description: "Vertrag mit Angestellten" }];
const options = { filename: "scan.pdf", classes, mode: "auto" as const };

test("two documents are split and labelled by classes in another language", () => {
  const { segments, discoveredClasses } = classifyBuiltin({ ...options, document: documentOf(invoice, employment) });
  assert.deepEqual(
    segments.map(({ start, end, label, title }) => ({ start, end, label, title })),
    [
      { start: 1, end: 1, label: "Rechnung", title: "Invoice" },
      { start: 2, end: 2, label: "Arbeitsvertrag", title: "Employment contract" },
    ],
  );
  assert.deepEqual(discoveredClasses, []);
});

test("a class is discovered for a document that fits no given class", () => {
  const document = documentOf(deliveryNote, invoice, deliveryNote);
  const { segments, discoveredClasses } = classifyBuiltin({ ...options, document });
  assert.deepEqual(
    segments.map(({ label }) => label),
    ["delivery note", "Rechnung", "delivery note"],
  );
  assert.deepEqual(
    discoveredClasses.map(({ label, pages }) => ({ label, pages })),
    [{ label: "delivery note", pages: [1, 3] }],
  );
  assert.match(discoveredClasses[0]?.description ?? "", /goods/);
});

test("page numbers join the pages of a document and separate it from the next", () => {
  const page = (number: number, of: number) => [
    ["Minutes of the meeting"],
    ["Some words"],
    [`Seite ${number} von ${of}`],
  ];
  const document = documentOf(page(1, 3), page(2, 3), page(3, 3), page(1, 2), page(2, 2));
  const { segments } = classifyBuiltin({ ...options, classes: [], document });
  assert.deepEqual(
    segments.map(({ start, end }) => [start, end]),
    [
      [1, 3],
      [4, 5],
    ],
  );
});

test("mode page returns one segment per page, mode document one per file", () => {
  const document = documentOf(invoice, employment, deliveryNote);
  const pages = classifyBuiltin({ ...options, document, mode: "page" });
  assert.deepEqual(
    pages.segments.map(({ start, end }) => [start, end]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  );
  const whole = classifyBuiltin({ ...options, document, mode: "document" });
  assert.deepEqual(
    whole.segments.map(({ start, end }) => [start, end]),
    [[1, 3]],
  );
});

test("the filename counts a little, and only if the file is one document", () => {
  const labelOf = (document: Document, filename: string) =>
    classifyBuiltin({ ...options, classes: [], filename, document }).segments[0]?.label;
  const silent = documentOf([["Some words of no kind at all"], ["and some more"]]);
  assert.equal(labelOf(silent, "Lieferschein_4711.pdf"), "delivery note");
  assert.equal(labelOf(documentOf(invoice), "Lieferschein_4711.pdf"), "invoice");
});

/** The same documents in six languages, with their usual titles and words. */
const papers: Record<string, readonly (readonly [title: string, words: string])[]> = {
  invoice: [
    ["Invoice", "Invoice date, amount due, payment terms"],
    ["Rechnung", "Rechnungsdatum, Gesamtbetrag, zahlbar bis"],
    ["Facture", "Date de facture, net à payer"],
    ["Factura", "Fecha de factura, total a pagar"],
    ["Fattura", "Data fattura, totale fattura"],
    ["Factuur", "Factuurdatum, te betalen"],
  ],
  contract: [
    ["Service agreement", "by and between the parties, governing law"],
    ["Dienstleistungsvertrag", "Vertragsparteien, Kündigungsfrist, Gerichtsstand"],
    ["Contrat de prestation", "entre les soussignés, il a été convenu"],
    ["Contrato de servicios", "reunidos, las partes, cláusula"],
    ["Contratto di servizio", "tra le parti si conviene"],
    ["Overeenkomst", "ondergetekenden komen overeen"],
  ],
  "delivery note": [
    ["Delivery note", "quantity shipped"],
    ["Lieferschein", "Liefermenge, Ware erhalten"],
    ["Bon de livraison", "quantité livrée"],
    ["Albarán de entrega", "entrega"],
    ["Documento di trasporto", "consegna"],
    ["Pakbon", "levering"],
  ],
  resume: [
    ["Curriculum vitae", "work experience, education, skills"],
    ["Lebenslauf", "Berufserfahrung, Ausbildung, Kenntnisse"],
    ["Curriculum vitae", "expérience professionnelle, formation, compétences"],
    ["Hoja de vida", "experiencia laboral, idiomas"],
    ["Curriculum vitae", "esperienza lavorativa, competenze"],
    ["Curriculum vitae", "werkervaring, opleiding, vaardigheden"],
  ],
};
const asked = {
  invoice: ["invoice", "Rechnungen", "facture", "factura", "fattura", "factuur"],
  contract: ["contracts", "Vertrag", "contrat", "contrato", "contratto", "overeenkomst"],
  "delivery note": ["delivery_note", "Lieferscheine", "bon de livraison", "albarán", "bolla di consegna", "pakbon"],
  resume: ["CV", "Lebenslauf", "curriculum vitae", "currículo", "curriculum vitae", "levensloop"],
};

test("a class in any of six languages fits documents in any of them", () => {
  for (let language = 0; language < 6; language++) {
    const given = Object.values(asked).map((labels) => ({ label: labels[language] ?? "" }));
    for (const [at, variants] of Object.values(papers).entries()) {
      for (const [title, words] of variants) {
        const page = pageOf([
          { text: title, x: 60, y: 60, size: 18 },
          { text: words, x: 60, y: 200 },
        ]);
        const document: Document = { mime: "application/pdf", metadata: {}, pages: [page] };
        const { segments } = classifyBuiltin({ ...options, classes: given, document });
        assert.equal(
          segments[0]?.label,
          given[at]?.label,
          `${title} among ${given.map(({ label }) => label).join(", ")}`,
        );
      }
    }
  }
});

test("a description defines which documents a class includes and excludes", () => {
  const given = [
    { label: "A", description: "Invoices and bills, but no credit notes" },
    { label: "B", description: "Everything that gives money back: credit notes" },
  ];
  const credit = [["Credit note"], ["Original invoice", "4711"], ["Credited amount", "12.00"], ["Page 1 of 1"]];
  const { segments } = classifyBuiltin({ ...options, classes: given, document: documentOf(invoice, credit) });
  assert.deepEqual(
    segments.map(({ label }) => label),
    ["A", "B"],
  );
});

test("a class may be named after a topic", () => {
  const given = ["Versicherung", "Personal", "Versand"].map((label) => ({ label }));
  const policy = [["Insurance policy"], ["Policyholder", "Jane Doe"], ["Sum insured", "10,000"], ["Page 1 of 1"]];
  const { segments } = classifyBuiltin({
    ...options,
    classes: given,
    document: documentOf(policy, employment, deliveryNote),
  });
  assert.deepEqual(
    segments.map(({ label }) => label),
    ["Versicherung", "Personal", "Versand"],
  );
});

test("a blank page belongs to the document before it", () => {
  const { segments, discoveredClasses } = classifyBuiltin({
    ...options,
    document: documentOf(invoice, [], employment),
  });
  assert.deepEqual(
    segments.map(({ start, end }) => [start, end]),
    [
      [1, 2],
      [3, 3],
    ],
  );
  assert.deepEqual(discoveredClasses, []);
});

const coordinate = fc.oneof(fc.double({ min: -50, max: 900, noNaN: true }), fc.constant(0), fc.constant(1e9));
const texts = fc.oneof(
  fc.constantFrom(
    "Invoice",
    "Seite",
    "2",
    "of",
    "3",
    "Rechnung",
    "- 1 -",
    "契約書",
    "حساب",
    "חשבונית",
    "第2页",
    "1/2",
    "",
  ),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 10 }),
  fc.constant("x".repeat(50_000)),
  fc.constant("9".repeat(5_000)),
  fc.constant("a-".repeat(3_000)),
);
const words: fc.Arbitrary<Word> = fc
  .record({
    text: texts,
    at: fc.tuple(coordinate, coordinate, coordinate, coordinate),
    size: fc.option(fc.double({ min: 0, max: 500, noNaN: true }), { nil: undefined }),
  })
  .map(({ text, at: [x, y, w, h], size }) => ({
    text,
    box: [x, y, x + w, y + h],
    ...(size === undefined ? {} : { size }),
  }));
const hostilePages: fc.Arbitrary<Page> = fc
  .record({
    words: fc.array(words, { maxLength: 25 }),
    source: fc.constantFrom("text" as const, "ocr" as const),
    width: fc.constantFrom(0, 1, 595, 1e6),
    height: fc.constantFrom(0, 1, 842, 1e6),
  })
  .map((page) => ({ number: 1, rotation: 0, lines: [], blocks: [], tables: [], ...page }));
const hostileClasses = fc.array(
  fc.record({ label: fc.string({ minLength: 1, maxLength: 40 }), description: fc.string({ maxLength: 200 }) }),
  { maxLength: 4 },
);

test("segments of random pages cover each page once, in order and deterministically", {
  timeout: 240_000,
}, () => {
  const modes = fc.constantFrom("auto" as const, "page" as const, "document" as const);
  fc.assert(
    fc.property(fc.array(hostilePages, { minLength: 1, maxLength: 6 }), hostileClasses, modes, (pages, given, mode) => {
      const document: Document = { mime: "application/pdf", metadata: {}, pages };
      const result = classifyBuiltin({ document, filename: "x.pdf", classes: given, mode });
      let next = 1;
      for (const { start, end, label, title, confidence } of result.segments) {
        assert.equal(start, next);
        assert.ok(end >= start);
        assert.ok(label.length > 0 && confidence >= 0 && confidence <= 1);
        const known = new Set(pages[start - 1]?.words.map(({ text }) => text.trim()));
        assert.ok(
          title === "" || pages.slice(start - 1, end).some((page) => isOfPage(title, page)),
          `${title} in ${[...known].join("|")}`,
        );
        const given_ = given.some((each) => each.label === label);
        const found = result.discoveredClasses.find((each) => each.label === label);
        assert.ok(given_ || found?.pages.includes(start));
        next = end + 1;
      }
      assert.equal(next, pages.length + 1);
      assert.deepEqual(classifyBuiltin({ document, filename: "x.pdf", classes: given, mode }), result);
    }),
    { numRuns: 150 },
  );
});

/** Checks that every word of the title is on the page. The last word may be truncated. */
const isOfPage = (title: string, page: Page): boolean =>
  title.split(" ").every((part) => page.words.some(({ text }) => text.includes(part)));

test("every document kind that the lexicon refers to exists", () => {
  const labels = new Set(kinds.map(({ label }) => label));
  const referred = [
    ...kinds.flatMap(({ broader = "", titled = "" }) => [broader, ...titled.split(", ")]),
    ...topics.flatMap((topic) => topic.kinds),
  ];
  assert.deepEqual(
    referred.filter((label) => label !== "" && !labels.has(label)),
    [],
  );
  assert.equal(labels.size, kinds.length);
});

test("a document without pages is one segment", () => {
  const { segments } = classifyBuiltin({ ...options, document: { mime: "", metadata: {}, pages: [] } });
  assert.deepEqual(
    segments.map(({ start, end }) => [start, end]),
    [[1, 1]],
  );
});

test("the engine classifies in a worker thread and rejects with the abort reason", { timeout: 30_000 }, async () => {
  const engine = openBuiltinEngine({ threads: 1 });
  try {
    const document = documentOf(invoice, employment);
    const result = await engine.classify({ ...options, document }, new AbortController().signal);
    assert.deepEqual(result, classifyBuiltin({ ...options, document }));
    const long = { ...document, pages: Array.from({ length: 3_000 }, (_, at) => document.pages[at % 2] as Page) };
    const control = new AbortController();
    const running = engine.classify({ ...options, document: long }, control.signal);
    setTimeout(() => control.abort(new Error("enough")), 20);
    await assert.rejects(running, /enough/);
  } finally {
    await engine.close();
  }
});
