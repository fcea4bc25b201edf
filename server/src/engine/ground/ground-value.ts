/** Finds the positions in the Document that support a value and quote of the model, best first. */

import { itemAt } from "../../lib/item-at.ts";
import type { LeafValue } from "../engine.ts";
import type { AskedField } from "../extract/labels/asked-fields.ts";
import { promptInjectionsIn } from "../page/prompt-injection.ts";
import { wordAt } from "../page/text-runs.ts";
import { asciiDigits } from "./atoms.ts";
import type { PageText, QuoteMatch } from "./document-index.ts";
import type { RejectionReason } from "./ground-record.ts";
import { groundWeights, matchFactors, pageBonus } from "./ground-weights.ts";
import { findMisread } from "./misread.ts";
import type { Ground } from "./open-ground.ts";
import { contextsAt, labelScore, minLabel } from "./surrounding-labels.ts";
import { type QuotedValue, valueInQuote } from "./value-in-quote.ts";

export interface Grounded {
  value: Exclude<LeafValue, null>;
  /** Index in the pages of the document. */
  page: number;
  /** Indices of the words on the page that show the value. */
  words: number[];
  match: "exact" | "normalized" | "inferred";
  /** Confidence, 0 to 1. */
  confidence: number;
}

const w = groundWeights;

export function groundLeaf(
  query: AskedField,
  { value, quote, page }: Readonly<Record<string, unknown>>,
  ground: Ground,
): Grounded[] | RejectionReason {
  if (typeof value === "object" || query.format === "list") return "malformed";
  const given = typeof quote === "string" && quote.trim() !== "" ? quote : undefined;
  const wanted = given ?? (typeof value === "string" ? value : undefined);
  if (wanted === undefined) return "no_quote";
  const near = typeof page === "number" && Number.isInteger(page) ? ground.pageAt(page) : undefined;
  const format = query.format;
  const misread = () => asSeen(query, format, value, wanted, ground, near);
  const places = ground.index.locate(wanted, near);
  const isMisread = places[0]?.match === "fuzzy" && ground.seen.includes(places[0].page);
  const seen = places.length === 0 || isMisread ? misread() : undefined;
  if (seen) return seen;
  if (places.length === 0) return given === undefined ? "no_quote" : "quote_not_found";
  const found = places.flatMap((place): FoundValue[] => {
    const on = itemAt(ground.index.pages, place.page);
    const read = readPlace(on, place);
    const quoted = valueInQuote(allowed(query, value), format, read.text, ground.conventions);
    return quoted ? [{ place, on, quoted, words: read.between(quoted.start, quoted.end) }] : [];
  });
  if (found.length === 0) return misread() ?? "value_not_in_quote";
  return ranked(query, found, near).map(({ each, sureness }) => ({
    value: each.quoted.value,
    page: each.place.page,
    words: each.words,
    match: each.quoted.match,
    confidence: round(
      sureness *
        matchFactors[each.place.match] *
        (each.quoted.match === "inferred" ? w.inferred : 1) *
        (each.on.page.source === "ocr" ? w.ocr : 1) *
        (given === undefined ? w.withoutQuote : 1),
    ),
  }));
}

/** Accepts a value that the model read from the page image, if the OCR text has similar words. */
function asSeen(
  query: AskedField,
  format: Exclude<AskedField["format"], "list">,
  value: unknown,
  quote: string,
  { index, conventions, seen }: Ground,
  near: number | undefined,
): Grounded[] | undefined {
  const mayBe = seen.length > 0 && promptInjectionsIn(quote).length === 0;
  const quoted = mayBe ? valueInQuote(allowed(query, value), format, quote, conventions) : undefined;
  if (!quoted) return undefined;
  const on = (page: number): Grounded[] => {
    const { start, end } = quoted;
    const text = itemAt(index.pages, page);
    const whole = findMisread(text, quote, start, end);
    // OCR may not have read the words around the value, so search for the value alone.
    const best = whole ?? findMisread(text, quote.slice(start, end));
    if (!best) return [];
    const confidence = w.seen * best.similarity * (page === near ? 1 : w.onOtherPage) * (whole ? 1 : w.valueAlone);
    return [{ value: quoted.value, page, words: best.words, match: "inferred", confidence: round(confidence) }];
  };
  const here = near !== undefined && seen.includes(near) ? on(near) : [];
  const found = here.length > 0 ? here : seen.flatMap((page) => (page === near ? [] : on(page)));
  return found.length === 0 ? undefined : found.sort((a, b) => b.confidence - a.confidence);
}

interface FoundValue {
  place: QuoteMatch;
  on: PageText;
  quoted: QuotedValue;
  words: number[];
}

/**
 * Returns the value as the description spells it, if the description lists the allowed values and
 * the value is one of them. Otherwise returns the value unchanged.
 */
function allowed(query: AskedField, value: unknown): unknown {
  if (typeof value !== "string") return value;
  return query.allowed.find((each) => each.toLowerCase() === value.toLowerCase()) ?? value;
}

/**
 * Converts the words of a match to text, and text offsets back to word indices. Tabs separate
 * columns, so that numbers of two columns are not read as one.
 */
function readPlace({ page, layout }: PageText, { words }: QuoteMatch) {
  const taken = new Set(words);
  const runOf = new Map<number, number>();
  for (const [at, run] of layout.runs.entries()) for (const word of run.words) if (taken.has(word)) runOf.set(word, at);
  const starts: number[] = [];
  let text = "";
  for (const [at, word] of words.entries()) {
    if (text) text += runOf.get(word) === runOf.get(words[at - 1] ?? -1) ? " " : "\t";
    starts.push(text.length);
    text += asciiDigits(wordAt(page, word).text);
  }
  const between = (start: number, end: number): number[] =>
    words.filter((word, at) => {
      const from = starts[at] ?? 0;
      return from < end && from + wordAt(page, word).text.length > start;
    });
  return { text, between };
}

function ranked(
  query: AskedField,
  found: readonly FoundValue[],
  near: number | undefined,
): { each: FoundValue; sureness: number }[] {
  const unlike = found.filter((each) => each.place.page !== near).length > 0 && near !== undefined;
  if (found.length === 1) return found.map((each) => ({ each, sureness: unlike ? w.onOtherPage : 1 }));
  const labelled = found.map((each) => ({ each, label: labelOf(query, each), here: each.place.page === near }));
  const rank = ({ label, here }: { label: number; here: boolean }) => label + (here ? pageBonus : 0);
  labelled.sort((a, b) => rank(b) - rank(a));
  const [best, second] = labelled;
  const alone = labelled.filter(({ here }) => here).length === 1;
  const byLabel = (best?.label ?? 0) >= minLabel && (best?.label ?? 0) > (second?.label ?? 0);
  const sureness = byLabel ? w.chosenByLabel : alone && best?.here ? w.chosenByPage : w.chosenFirst;
  return labelled.map(({ each }, at) => ({ each, sureness: at === 0 ? sureness : w.chosenFirst }));
}

const labelOf = (query: AskedField, { on, words }: FoundValue): number => labelScore(query, contextsAt(on, words));

const round = (confidence: number): number => Math.round(confidence * 1000) / 1000;
