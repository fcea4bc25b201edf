/**
 * Extracts fields and assesses each one: whether its value is sure, and where else in the document
 * the value could be (hints).
 */
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
  /**
   * True if the value can be trusted. For a null value: true if the document surely contains no
   * value.
   */
  sure: boolean;
  /**
   * Places where the value may be, best first. Empty for lists, and if nothing in the text points
   * to the field.
   */
  hints: Hint[];
  /**
   * True if the hints cover every text that has the format of the field's kind, such as every date.
   * If so, the value is at one of the hints or it is absent.
   */
  complete: boolean;
}

export interface Assessment extends Extraction {
  /** Assessments by field name. */
  fields: Record<string, FieldAssessment>;
}

/** Extracts like `extractBuiltin` and adds an assessment of each field. */
export function assessFields(request: Pick<ExtractRequest, "document" | "params">): Assessment {
  const queries = readAskedFields(request.params);
  const view = partyViewOf(request.document, queries);
  const ranked = rank(queries, view);
  const choices = choose(ranked, view);
  const extraction = answersOf(queries, choices, view);
  const fields: Assessment["fields"] = {};
  for (const query of queries) {
    const candidates = ranked.find((each) => each.query === query)?.candidates ?? [];
    const assessment =
      query.format === "list"
        ? { sure: isSureList(extraction.evidence[query.name] ?? null), hints: [], complete: false }
        : assessmentOf(query, candidates, choices.get(query), view);
    define(fields, query.name, assessment);
  }
  return { ...extraction, fields };
}

/**
 * Minimum confidence of a sure value. `isSure` has further conditions. With all conditions, 3 of
 * 1,062 sure values of invoices, orders and receipts were wrong. Without the further conditions, 50
 * of 1,361 were wrong. When the bounds were chosen on one half of the documents, 4 of 530 sure
 * values in the other half were wrong.
 */
const sure = 0.8;
/**
 * Minimum confidence of a sure value that is free text. The engine may have found the right text
 * but not its exact beginning or end. Chosen by hand, 2026-11.
 */
const sureOfFormless = 0.9;
/**
 * Matches the end of a text that probably continues on the next line, such as "Friends of" or
 * "Marlow &".
 */
const goesOn = /(?:^|\s)(?:\p{Ll}{1,3}|[&+,/-])$/u;
/**
 * Minimum lead in score over the best candidate with a different value. Chosen by hand, 2026-11.
 */
const clearBy = 0.2;
/**
 * Like `clearBy`, but for kinds such as IBAN, of which seller and buyer each have one. Chosen by
 * hand, 2026-11.
 */
const clearByOfOwned = 0.3;
const owned: ReadonlySet<ValueKind> = new Set(["vat", "iban", "bic", "email", "phone", "url"]);
/**
 * Maximum difference between an amount and its rounded amount, in currency units: 5 cents, plus a
 * margin because binary fractions are inexact.
 */
const rounding = 0.051;

/** Returns true if the mean confidence of the list's values is high enough. */
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

/**
 * Returns amounts that differ from the candidate by a few cents. One of the two amounts may be
 * rounded.
 */
function roundedOf(kind: ValueKind, candidate: Candidate | undefined, view: PartyView): LabelledValue[] {
  if (kind !== "money" || !candidate) return [];
  return view.places("money").filter(({ found }) => {
    const apart = Math.abs(Number(found.value) - Number(candidate.value));
    return found.quality >= 1 && apart > 0 && apart < rounding;
  });
}

/**
 * Kinds whose values are recognized by their format. Extraction finds all of these values, except
 * those that OCR misread.
 */
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
/** Kinds whose format is so strict that text in any other format cannot be a value of that kind. */
const formed: ReadonlySet<ValueKind> = new Set(["iban", "bic", "email", "url"]);
/**
 * If the document contains at most this many distinct values of the field's kind, all of them
 * become hints. Chosen by hand, 2026-11.
 */
const fewValues = 8;
/** Like `fewValues`, but for a field that has no candidate. Chosen by hand, 2026-11. */
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
  const isRecognized = view.layout.pages.some(({ page }) => page.source === "ocr");
  const hasForm = ({ run, start, end }: Candidate): boolean =>
    places.some(({ run: other, found }) => other === run && found.start < end && start < found.end);
  // On a page read by OCR, a value may not match the format of its kind because letters were
  // misread.
  const rivals = distinct(formed.has(kind) && !isRecognized ? candidates.filter(hasForm) : candidates);
  const complete = strict.has(kind) && !isRecognized && values.size <= (rivals.length === 0 ? manyValues : fewValues);
  const unlabelled = complete ? places : roundedOf(kind, choice?.candidate, view);
  // The same value may be both a candidate and in `unlabelled`, so the map removes duplicates.
  const spans = new Map(
    [...rivals, ...unlabelled].map(({ run, words }) => [`${run.page} ${words.join(" ")}`, { run, words }]),
  );
  const hints = [...spans.values()].map(({ run, words }) => hintOf(kind, run, words, view.layout));
  return {
    sure: choice ? isSure(query, choice, view) : complete && hints.length === 0,
    hints: [...hints, ...labelsOf(query, view.layout), ...headOf(query, view.layout)],
    complete,
  };
}

/** Maximum number of candidates with distinct values that become hints. Chosen by hand, 2026-11. */
const mostRivals = 5;
/**
 * Minimum score of a candidate that becomes a hint: the larger of `minRival` and `minShare` times
 * the best score. Chosen by hand, 2026-11.
 */
const minRival = 0.1;
const minShare = 0.35;

/** Returns the best candidate of each distinct value, down to the minimum score. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  const least = Math.max(minRival, minShare * (candidates[0]?.score ?? 0));
  for (const candidate of candidates) {
    const key = String(candidate.value).toLowerCase();
    if (candidate.score >= least && best.size < mostRivals && !best.has(key)) best.set(key, candidate);
  }
  return [...best.values()];
}
