import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { type Page, pageText } from "../document.ts";
import { readPdf } from "../formats/pdf/read-pdf.ts";

async function readInvoice(name: string): Promise<Page> {
  const bytes = await readFile(new URL(`../../../test/fixtures/${name}`, import.meta.url));
  const document = await readPdf(bytes, { maxPages: 10 });
  return document.pages[0] ?? assert.fail("no page");
}

const tablesOf = (page: Page): string[][][] =>
  page.tables.map(({ rows, cells }) =>
    Array.from({ length: rows }, (_, row) =>
      cells
        .filter((cell) => cell.row === row)
        .map((cell) => cell.words.map((index) => page.words[index]?.text).join(" ")),
    ),
  );

test("an invoice with a ruled table of items and another of taxes is read", async () => {
  const page = await readInvoice("invoice-ruled-table.pdf");
  assert.deepEqual(tablesOf(page), [
    [
      ["Menge", "Produkt", "USt.", "Preis", "Gesamtbetrag"],
      ["1,00", "Künstlerische Gestaltung (Stunde): Einer Beispielrechnung", "7%", "160,00 €", "160,00 €"],
      ["400,00", "Luftballon: Bunt, ca. 500ml", "19%", "0,79 €", "316,00 €"],
      ["200,00", "Heiße Luft pro Liter:", "19%", "0,10 €", "20,00 €"],
    ],
    [
      ["USt. Satz", "Nettopreis", "Ust.-Betrag"],
      ["7%", "160,00 €", "11,20 €"],
      ["19%", "336,00 €", "63,84 €"],
      ["USt. Gesamt:", "75,04 €"],
    ],
  ]);
  assert.ok(page.tables.every((table) => table.ruled && table.headerRows === 1));
  const text = pageText(page);
  assert.match(text, /^Rechnung # RE-20171118\/506 von 18\.11\.2017$/m);
  assert.match(text, /^Gesamtbetrag: 571,04 €$/m);
  assert.match(text, /^Theodor Est\nBahnstr\. 42\n88802 ?Spielkreis$/m);
});

test("an invoice whose items are in columns without lines is read", async () => {
  const page = await readInvoice("invoice-aligned-table.pdf");
  assert.deepEqual(tablesOf(page), [
    [
      ["Pos.", "Artikelbeschreibung", "Menge", "Preis", "Betrag"],
      ["1", "Superdrachen", "2", "20,00", "40,00"],
      ["2", "Turbo Flyer", "5", "40,00", "200,00"],
      ["3", "Sturzflug-Geier", "1", "180,00", "180,00"],
      ["4", "Eisvogel", "3", "50,00", "150,00"],
      ["5", "Storch", "10", "20,00", "200,00"],
      ["6", "Adler", "1", "75,00", "75,00"],
      ["7", "Kostenlose Zugabe", "1", "0,00", "0,00"],
    ],
  ]);
  const text = pageText(page);
  assert.match(
    text,
    /^Papierflieger-Vertriebs-GmbH\nHelga Musterfrau\nRabattstr\. 25\n34567 Osterhausen\nDeutschland$/m,
  );
  assert.match(text, /^Rechnungssumme brutto 1\.005,55$/m);
});
