/**
 * Finds candidates in the bar codes of a document. In payment codes, the standard defines what each
 * part means. Values in other codes are recognized by their format. A field may also ask for the
 * code itself.
 */
import type { Barcode } from "../../../reading/document.ts";
import type { LeafValue } from "../../engine.ts";
import type { ValueKind } from "../../lexicon/all-concepts.ts";
import { type BarcodeRuns, barcodeRunsOf } from "../../page/barcode-runs.ts";
import { type TextRun, wordsBetween } from "../../page/text-runs.ts";
import { findValues } from "../../values/find-values.ts";
import { type PaymentPart, type PaymentPartName, paymentParts } from "../../values/payment-codes.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import type { Candidate } from "./find-candidates.ts";

/** Names of the parts of a payment code, as used in standards and on printed payment slips. */
const labelsOfParts: Readonly<Record<PaymentPartName, readonly string[]>> = {
  iban: ["IBAN", "Payee IBAN", "Account"],
  bic: ["BIC"],
  payee: ["Payee", "Creditor", "Payable to", "Beneficiary"],
  amount: ["Amount due", "Amount payable", "Payment amount"],
  currency: ["Currency"],
  payer: ["Debtor", "Payable by"],
  reference: ["Payment reference", "Creditor reference", "Reference number"],
  message: ["Payment message", "Additional information", "Remittance information"],
};
/** Value kinds that each part can have. */
const kindsOfParts: Readonly<Record<PaymentPartName, readonly ValueKind[]>> = {
  ...{ iban: ["iban"], bic: ["bic"], payee: ["name"], payer: ["name"], currency: ["currency"] },
  ...{ amount: ["money", "number"], reference: ["code"], message: ["text"] },
};

const ofArticle = ["EAN", "GTIN", "Article number EAN", "Bar code"];
const ofBars = ["Bar code", "Barcode number"];
/** Labels of whole codes. */
const labelsOfCodes: Readonly<Record<Barcode["kind"], readonly string[]>> = {
  ...{
    ean_13: ofArticle,
    ean_8: ofArticle,
    upc_a: ["UPC", ...ofArticle],
    code_128: ofBars,
    code_39: ofBars,
    itf: ofBars,
  },
  ...{ qr_code: ["QR code", "Content of the QR code"], micro_qr_code: ["QR code"], aztec: ["Aztec code"] },
  ...{ data_matrix: ["Data Matrix code"], pdf417: ["PDF417 code"] },
};
const kindsOfCodes: ReadonlySet<ValueKind> = new Set(["code", "text", "url"]);
/** Value kinds that are identified with certainty by a strict format or by check digits. */
const kindsByForm: ReadonlySet<ValueKind> = new Set(["iban", "vat", "email", "url"]);

/** Minimum score of a label (0 to 1) for a part or a code. Chosen by hand, 2026-11. */
const minLabel = 0.6;
/**
 * Factor for the label score of a part. The product is compared with the probabilities of printed
 * values. Payment codes are machine-readable and reliable, but the field may ask for something
 * else. Chosen by hand, 2026-11.
 */
const ofPart = 0.9;
/** Factor for the score of a whole code. Chosen by hand, 2026-11. */
const ofCode = 0.8;
/** Score of a value that is recognized by its format alone. Chosen by hand, 2026-11. */
const byForm = 0.4;
/**
 * Maximum length of a code that can be a value as a whole, in UTF-16 units. Chosen by hand,
 * 2026-11.
 */
const maxWhole = 500;

/** Returns a function that returns the candidates of a field, best first. */
export function barcodeCandidates({ layout, locale }: DocumentView): (query: AskedField) => Candidate[] {
  const codes = barcodeRunsOf(layout).map((code) => ({ ...code, parts: paymentParts(code.barcode.text) }));
  return (query) =>
    codes
      .flatMap(({ barcode, lines, parts }): Candidate[] => [
        ...(parts ?? []).flatMap((part) => partCandidate(query, part, lines)),
        ...(parts === undefined && kindsByForm.has(query.kind) ? valuesByForm(query, lines, locale) : []),
        ...wholeCode(query, barcode, lines),
      ])
      .filter((candidate) => candidate.score > 0)
      .sort((a, b) => b.score - a.score);
}

function partCandidate(query: AskedField, part: PaymentPart, lines: BarcodeRuns["lines"]): Candidate[] {
  const run = lines[part.line];
  if (run === undefined || !kindsOfParts[part.name].includes(query.kind)) return [];
  const score = ofPart * labelScore(query, labelsOfParts[part.name]);
  return [candidateOf(run, part, part.value, score)];
}

function labelScore(query: AskedField, labels: readonly string[]): number {
  const score = Math.max(...labels.map((label) => query.score(label)));
  return score >= minLabel ? score : 0;
}

const valuesByForm = (query: AskedField, lines: BarcodeRuns["lines"], locale: DocumentView["locale"]): Candidate[] =>
  lines.flatMap((run) =>
    run === undefined
      ? []
      : findValues(run.text, query.kind, locale)
          .filter(({ quality }) => quality >= 1)
          .map((found) => candidateOf(run, found, found.value, query.concept ? byForm : 0)),
  );

function wholeCode(query: AskedField, { kind, text }: Barcode, lines: BarcodeRuns["lines"]): Candidate[] {
  const runs = lines.flatMap((run) => run ?? []);
  const [run] = runs;
  if (run === undefined || text.length > maxWhole || query.format !== "text" || !kindsOfCodes.has(query.kind))
    return [];
  const value = runs.map((each) => each.text).join(" ");
  const words = runs.flatMap((each) => each.words);
  const candidate = candidateOf(
    run,
    { start: 0, end: run.text.length },
    value,
    ofCode * labelScore(query, labelsOfCodes[kind]),
  );
  return [{ ...candidate, words }];
}

function candidateOf(
  run: TextRun,
  { start, end }: { start: number; end: number },
  value: LeafValue,
  score: number,
): Candidate {
  const match = run.text.includes(String(value)) ? "exact" : "normalized";
  return { value, page: run.page, words: wordsBetween(run, start, end), match, score, run, start, end };
}
