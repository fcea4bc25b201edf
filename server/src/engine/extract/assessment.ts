/** An extraction with what a language model needs to complete it: which values are sure, and where else in the document to look. */
import { type EvidenceValue, type Extraction, type ExtractRequest, leavesOf } from "../engine.ts";
import type { ValueKind } from "../lexicon/all-concepts.ts";
import { define } from "../values/define-member.ts";
import { isFormless, type Sureness, toConfidence } from "./candidates/confidence.ts";
import type { Candidate, LabelledValue } from "./candidates/find-candidates.ts";
import { type Choice, choose, rank } from "./choose-values.ts";
import { answersOf } from "./extract-fields.ts";
import { type Hint, headOf, hintOf, labelsOf } from "./hints.ts";
import { type AskedField, readAskedFields } from "./labels/asked-fields.ts";
import { type PartyView, partyViewOf } from "./parties/party-view.ts";

export interface FieldAssessment {
  /** The value may be believed; or, where there is none, that there is none. */
  sure: boolean;
  /** Best first; none for lists, and where nothing tells where to look. */
  spots: Hint[];
  /** True where the answer stands at one of the spots or nowhere: they are all places with something of its form. */
  complete: boolean;
}

export interface Assessment extends Extraction {
  /** For every param. */
  clues: Record<string, FieldAssessment>;
}

/** As `extractBuiltin`, with a clue for each param. */
export function assessFields(request: Pick<ExtractRequest, "document" | "params">): Assessment {
  const queries = readAskedFields(request.params);
  const view = partyViewOf(request.document, queries);
  const ranked = rank(queries, view);
  const choices = choose(ranked, view);
  const extraction = answersOf(queries, choices, view);
  const clues: Assessment["clues"] = {};
  for (const query of queries) {
    const candidates = ranked.find((each) => each.query === query)?.candidates ?? [];
    const clue =
      query.format === "list"
        ? { sure: isSureList(extraction.evidence[query.name] ?? null), spots: [], complete: false }
        : assessmentOf(query, candidates, choices.get(query), view);
    define(clues, query.name, clue);
  }
  return { ...extraction, clues };
}

/**
 * When a value is believed: of 1,062 such values of invoices, orders and receipts 3 were wrong, of 1,361 with a confidence of 0.8 alone 50.
 * Chosen on one half of the documents, much the same bounds left 4 of 530 wrong in the other.
 */
const sure = 0.8;
/** A text without a form may be too short or too long though its place is right. */
const sureOfFormless = 0.9;
/** "Friends of", "Marlow &": the rest stands on the next line. */
const goesOn = /(?:^|\s)(?:\p{Ll}{1,3}|[&+,/-])$/u;
/** A winner has to be better than any other value by so much; by more where it is one of two parties' numbers of the same form. */
const clearBy = 0.2;
const clearByOfOwned = 0.3;
const owned: ReadonlySet<ValueKind> = new Set(["vat", "iban", "bic", "email", "phone", "url"]);
/** Totals are rounded for payment by at most so much. */
const rounding = 0.051;

/** A list is as sure as its elements are on the whole. */
function isSureList(found: EvidenceValue): boolean {
  const leaves = leavesOf(found);
  return leaves.length > 0 && leaves.reduce((sum, { confidence }) => sum + confidence, 0) / leaves.length >= sure;
}

function isSure({ kind }: AskedField, { candidate, sureness }: Choice, view: PartyView): boolean {
  const confidence = toConfidence(sureness);
  if (isFormless(kind)) return confidence >= sureOfFormless && !goesOn.test(String(candidate.value));
  return confidence >= sure && isClear(kind, sureness) && roundedOf(kind, candidate, view).length === 0;
}

function isClear(kind: ValueKind, { score, runnerUp, confirmed }: Sureness): boolean {
  return confirmed || Math.min(1, score) - runnerUp >= (owned.has(kind) ? clearByOfOwned : clearBy);
}

/** Where the same amount stands but for a few cents: one of them may be rounded. */
function roundedOf(kind: ValueKind, candidate: Candidate | undefined, view: PartyView): LabelledValue[] {
  if (kind !== "money" || !candidate) return [];
  return view.places("money").filter(({ found }) => {
    const apart = Math.abs(Number(found.value) - Number(candidate.value));
    return found.quality >= 1 && apart > 0 && apart < rounding;
  });
}

/** Kinds of which no value of a document is overlooked, unless its letters are. */
const strict: ReadonlySet<ValueKind> = new Set([
  "money",
  "number",
  "percent",
  "date",
  "currency",
  "iban",
  "bic",
  "email",
  "url",
]);
/** So many values of a kind are all shown; of more the labelled ones alone, if there are any. */
const fewValues = 8;
const manyValues = 24;

function assessmentOf(
  query: AskedField,
  candidates: readonly Candidate[],
  choice: Choice | undefined,
  view: PartyView,
): FieldAssessment {
  const { kind } = query;
  const places = strict.has(kind) ? view.places(kind) : [];
  const values = new Set(places.map(({ found }) => String(found.value)));
  const rivals = distinct(candidates);
  const isRecognized = view.layout.pages.some(({ page }) => page.source === "ocr");
  const complete = strict.has(kind) && !isRecognized && values.size <= (rivals.length === 0 ? manyValues : fewValues);
  const unlabelled = complete ? places : roundedOf(kind, choice?.candidate, view);
  const spots = [...rivals, ...unlabelled].map(({ run, words }) => hintOf(kind, run, words, view.layout));
  return {
    sure: choice ? isSure(query, choice, view) : complete && spots.length === 0,
    spots: [...spots, ...labelsOf(query, view.layout), ...headOf(query, view.layout)],
    complete,
  };
}

const mostRivals = 5;
/** Of the score of the best: what is labelled so much worse is no answer. */
const minShare = 0.35;

/** The best candidates, each of another value. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  const least = minShare * (candidates[0]?.score ?? 0);
  for (const candidate of candidates) {
    const key = String(candidate.value).toLowerCase();
    if (candidate.score >= least && best.size < mostRivals && !best.has(key)) best.set(key, candidate);
  }
  return [...best.values()];
}
