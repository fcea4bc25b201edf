/** Determines how a document writes numbers and dates, from the text of the document itself. */

import { foldLabel } from "../../language/folding.ts";
import type { DocumentRuns } from "../page/text-runs.ts";
import { currencyCodes } from "./currencies.ts";
import { type DateOrder, findDates, orderVotes } from "./dates.ts";
import { readDollar } from "./dollar.ts";
import { type DecimalMark, markVotes } from "./numbers.ts";

export interface Locale {
  mark: DecimalMark;
  order: DateOrder;
  language: Language;
  currencies: ReadonlySet<string>;
  /** ISO 4217 code of the currency that a bare `$` stands for. */
  dollar: string;
  /**
   * True if enough numbers of the document have decimals. All its amounts are then expected to have
   * decimals.
   */
  cents: boolean;
  /** Most frequent year of the document's dates. Undefined if it has no dates. */
  year: number | undefined;
}

export type Language = "en" | "de" | "fr" | "es" | "it" | "nl";

/** Frequent words of each language, folded. A word of several languages counts for each of them. */
const frequent: Readonly<Record<Language, string>> = {
  en: "the and of to for with your you this from please by total date are any",
  de: "der die und das den mit fur von nicht bitte wir sie ist auf zum zur bei rechnung betrag menge",
  fr: "le les des et du vous votre pour avec nous est dans sur facture montant date total au",
  es: "el los las y del por su con para una factura fecha importe total",
  it: "il gli della di per con una fattura totale importo data che non",
  nl: "het een van en voor met uw wij niet op factuur bedrag aantal totaal",
};

/** Maximum number of text runs that are read per document. Chosen by hand, 2026-11. */
const maxSampled = 4_000;
/**
 * If the numbers of a document have at least this many votes for decimal marks (`markVotes`), its
 * amounts are expected to have decimals. Chosen by hand, 2026-11.
 */
const minCentVotes = 5;

export function readLocale(layout: DocumentRuns): Locale {
  const language = languageOf(layout);
  const marks = { ",": 0, ".": 0 };
  const orders = { dmy: 0, mdy: 0 };
  const years = new Map<number, number>();
  let dollars = 0;
  let states = 0;
  for (const run of sample(layout)) {
    const mark = markVotes(run);
    marks[","] += mark[","];
    marks["."] += mark["."];
    const order = orderVotes(run);
    orders.dmy += order.dmy;
    orders.mdy += order.mdy;
    for (const year of yearsIn(run)) years.set(year, (years.get(year) ?? 0) + 1);
    if (run.includes("$")) dollars++;
    if (/(?<!\p{L})[A-Z]{2},? \d{5}(?:-\d{4})?$/u.test(run)) states++;
  }
  const mark: DecimalMark =
    marks[","] === marks["."] ? (language === "en" ? "." : ",") : marks[","] > marks["."] ? "," : ".";
  const cents = marks[","] + marks["."] >= minCentVotes;
  const order = orderOf(orders, language, dollars, states, mark);
  const [year] = [...years].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { mark, order, language, currencies: currencyCodes, dollar: readDollar(sample(layout)), cents, year };
}

/** Returns the years of all dates in the text. The order of day and month does not matter here. */
const yearsIn = (text: string): number[] => findDates(text, "dmy").map(({ value }) => Number(value.slice(0, 4)));

function orderOf(
  votes: { dmy: number; mdy: number },
  language: Language,
  dollars: number,
  states: number,
  mark: DecimalMark,
): DateOrder {
  if (votes.dmy !== votes.mdy) return votes.dmy > votes.mdy ? "dmy" : "mdy";
  // Documents from the United States put the month first. They are recognized by English text, a
  // decimal point, and a dollar sign or a state with a ZIP code.
  return language === "en" && mark === "." && (states > 0 || dollars > 0) ? "mdy" : "dmy";
}

function* sample(layout: DocumentRuns): Generator<string> {
  let left = maxSampled;
  for (const page of layout.pages) {
    for (const run of page.runs) {
      if (left-- <= 0) return;
      yield run.text.slice(0, 500);
    }
  }
}

function languageOf(layout: DocumentRuns): Language {
  const counts = new Map<string, number>();
  for (const text of sample(layout)) {
    for (const word of foldLabel(text).split(/[^\p{L}]+/u)) if (word) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  let best: Language = "en";
  let most = 0;
  for (const [language, words] of Object.entries(frequent) as [Language, string][]) {
    const score = words.split(" ").reduce((sum, word) => sum + Math.min(counts.get(word) ?? 0, 20), 0);
    if (score > most) [best, most] = [language, score];
  }
  return best;
}
