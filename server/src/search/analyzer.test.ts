import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { likeliestOf } from "../language/detection.ts";
import { analyzed, queryTermsOf } from "./analyzer.ts";

/** Returns true if the text contains every term of the question. */
function finds(question: string, text: string, language: string): boolean {
  const held = new Set(analyzed(text, language).split(" "));
  return queryTermsOf(question, [language], language).every((forms) => forms.some((form) => held.has(form)));
}

const found: [language: string, question: string, text: string][] = [
  ["en", "cancelling contracts", "The contract may be CANCELLED."],
  ["en", "RE-2017/05", "Invoice no. RE-2017/05 of May"],
  ["en", "re201705", "Invoice no. RE-2017/05 of May"],
  ["en", "RE 2017 05", "Invoice no. RE-2017/05 of May"],
  ["en", "1,234.56", "Summe 1.234,56 EUR"],
  ["en", "123456", "total 1 234,56"],
  ["en", "1234", "total 1.234,00"],
  ["en", "2017-05-03", "dated 03.05.2017"],
  ["en", "USA", "made in the U.S.A."],
  ["en", "jane.doe@example.org", "Write to Jane.Doe@example.org!"],
  ["en", "naive cafe", "a naïve café"],
  ["en", "١٢٣", "number 123"],
  ["en", "ｆｕｌｌ ｗｉｄｔｈ", "full width"],
  ["de", "Kündigungsfristen", "Die Kündigungsfrist beträgt"],
  ["de", "Straße", "STRASSE"],
  ["de", "Mueller", "Herr Müller"],
  ["de", "Müller", "Herr Mueller"],
  ["de", "Muller", "Herr Müller"],
  ["fr", "l'économie", "une économie"],
  ["fr", "ecoles", "l’école"],
  ["es", "contratos", "el contrato"],
  ["ru", "договоры", "по договору"],
  ["ru", "ёлка", "елка"],
  ["ar", "الكتاب", "كتاب"],
  ["ar", "مُحَمَّد", "محمد"],
  ["ar", "احمد", "أحمد"],
  ["he", "שלום", "שָׁלוֹם"],
  ["el", "Αθηνα", "Αθήνα"],
  ["tr", "istanbul", "İstanbul"],
  ["zh", "合同", "本合同的期限"],
  ["ja", "契約", "この契約は"],
  ["ja", "カード", "クレジットカード"],
  ["ko", "계약", "계약을 해지"],
  ["th", "สัญญา", "สัญญาเช่า"],
  ["hi", "अनुबंध", "यह अनुबंध है"],
];

for (const [language, question, text] of found)
  test(`${language}: "${question}" is found in "${text}"`, () => assert.ok(finds(question, text, language)));

const apart: [language: string, question: string, text: string][] = [
  ["uk", "бой", "бои"],
  ["ja", "か", "が"],
  ["en", "RE-2017/06", "RE-2017/05"],
  ["en", "1234,57", "1.234,56"],
];

for (const [language, question, text] of apart)
  test(`${language}: "${question}" is not found in "${text}"`, () => assert.ok(!finds(question, text, language)));

test("stop words are dropped unless a question has nothing else", () => {
  assert.deepEqual(
    queryTermsOf("the who", ["en"], "en").map(([form]) => form),
    ["the", "who"],
  );
  assert.deepEqual(
    queryTermsOf("Who owns the barn?", ["en"], "en").map(([form]) => form),
    ["own", "barn"],
  );
  assert.deepEqual(
    queryTermsOf("什么是合同", ["zh"], "zh").map(([form]) => form),
    ["合", "同", "是合", "合同"],
  );
});

test("a query term has its forms in all languages of the passages", () => {
  assert.deepEqual(queryTermsOf("Kontrakte", ["de", "en"], "de"), [["kontrakt", "kontrakte"]]);
});

test("sentences are separated", () => {
  assert.equal(analyzed("Corn grows. Rye (3.5 t) too! 麦。米", "en"), "corn grow . rye 3 5 35 t too . 麦 . 米");
});

test("a short question is assigned one of the languages of the passages", () => {
  assert.equal(likeliestOf("Wie lange ist die Kündigungsfrist?", ["en", "de"]), "de");
  assert.equal(likeliestOf("?", ["en", "de"]), "en");
  assert.equal(likeliestOf("Wie lange", []), "");
});

const languages = ["", "en", "de", "fr", "ru", "ar", "zh", "th", "tr", "fi", "ta", "hu"];

test("any text is analyzed and found by its own words", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.constantFrom(...languages), (text, language) => {
      assert.ok(finds(text, text, language));
      for (const term of analyzed(text, language).split(" ")) assert.match(term, /^(\.|[\p{L}\p{M}\p{N}]*)$/u);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.constantFrom(...languages), (text, language) => {
      analyzed(text, language);
      queryTermsOf(text, [language], language);
    }),
    { numRuns: 500 },
  );
});

test("a query has at most 500 terms", () => {
  const query = Array.from({ length: 8_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
  assert.equal(queryTermsOf(query, ["en", "zh"], "zh").length, 500);
});
