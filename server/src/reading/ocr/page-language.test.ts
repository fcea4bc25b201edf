import assert from "node:assert/strict";
import { test } from "node:test";
import type { OcrWord } from "./ocr-engine.ts";
import { furtherLanguages } from "./page-language.ts";

const wordsOf = (text: string): OcrWord[] =>
  text.split(" ").map((word, index) => ({ ...{ text: word, confidence: 0.95, line: index }, box: [0, 0, 10, 10] }));

// Texts as OCR reads them if it does not know the accented letters of these languages.
const texts: Record<string, string> = {
  spa: "La empresa se compromete a entregar la mercancia en el plazo de treinta dias desde la firma del presente contrato",
  ita: "La societa si impegna a consegnare la merce entro trenta giorni dalla firma del presente contratto di fornitura",
  nld: "De leverancier verplicht zich om de goederen binnen dertig dagen na ondertekening van deze overeenkomst te leveren",
  por: "A empresa compromete-se a entregar a mercadoria no prazo de trinta dias apos a assinatura do presente contrato",
  pol: "Dostawca zobowiazuje sie do dostarczenia towaru w terminie trzydziestu dni od dnia podpisania niniejszej umowy",
};

test("a page in a language that the first reading lacks is read again in that language", async () => {
  for (const [language, text] of Object.entries(texts))
    assert.deepEqual(await furtherLanguages(wordsOf(text), ["eng", "deu", "fra"]), [language]);
});

test("a page in a language of the first reading is not read again", async () => {
  const english =
    "The supplier agrees to deliver the goods within thirty days after the signature of this contract by both parties";
  const french =
    "Le fournisseur s'engage à livrer les marchandises dans un délai de trente jours à compter de la signature du contrat";
  for (const text of [english, french])
    assert.equal(await furtherLanguages(wordsOf(text), ["eng", "deu", "fra"]), undefined);
  assert.equal(await furtherLanguages(wordsOf(texts.spa ?? ""), ["spa", "eng"]), undefined);
});

test("no language is detected for short texts, numbers and poor readings", async () => {
  assert.equal(await furtherLanguages(wordsOf("Factura de la empresa"), ["eng"]), undefined);
  assert.equal(await furtherLanguages(wordsOf("12,50 EUR ES91 2100 0418 ".repeat(12).trim()), ["eng"]), undefined);
  const poor = wordsOf(texts.spa ?? "").map((word) => ({ ...word, confidence: 0.4 }));
  assert.equal(await furtherLanguages(poor, ["eng"]), undefined);
});
