/**
 * Selects the values that may fill a field: from the pool, and from the candidates that the rules
 * found for the field.
 */
import type { Party } from "../../lexicon/all-concepts.ts";
import { isAddressLine } from "../../values/address-lines.ts";
import { boxOf, type Candidate } from "../candidates/find-candidates.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { contextsOf } from "../labels/label-contexts.ts";
import { addressCandidates } from "../parties/addresses.ts";
import { partyCandidates } from "../parties/party-candidates.ts";
import type { PartyView } from "../parties/party-view.ts";
import type { ComparedField, ContextTexts } from "./context-similarity.ts";
import type { Pool } from "./pool.ts";
import type { PoolKind, PoolValue } from "./pool-value.ts";

const parties: readonly Party[] = ["seller", "buyer", "payee", "consignee"];

/**
 * Minimum score at which a candidate of the rules is added to the values of the pool. Chosen by
 * hand, 2026-11.
 */
const minRuleScore = 0.2;

/**
 * Returns a function that takes a field and the candidates that the rules found for it, and returns
 * the values that may fill the field.
 */
export function valuesForFields(
  pool: Pool,
  view: PartyView,
  texts: ContextTexts,
): (field: ComparedField, candidates: readonly Candidate[]) => PoolValue[] {
  let named: PoolValue[] | undefined;
  return (compared, candidates) => {
    const { field } = compared;
    if (field.format === "list") return [];
    const form = field.concept !== undefined && sureForms.has(field.kind) ? field.kind : undefined;
    const isAllowed = (value: PoolValue): boolean =>
      (form === undefined || value.kind === form) &&
      !(field.kind === "code" && isSum(value)) &&
      !texts.hasLabelOfAnother(compared, value);
    const values = pool[field.format]().filter(isAllowed);
    if (field.format === "text") {
      named ??= partyValues(field, view);
      values.push(...named.filter(isAllowed));
    }
    const likely = candidates.filter(({ score }) => score >= minRuleScore);
    if (likely.length === 0) return values;
    const byFirstWord = Map.groupBy(values, firstWordOf);
    for (const candidate of likely) {
      const sameStart = byFirstWord.get(firstWordOf(candidate)) ?? [];
      const isKnown = sameStart.some(
        ({ run, value }) => run.page === candidate.run.page && String(value) === String(candidate.value),
      );
      if (isKnown) continue;
      const value = fromCandidate(candidate, field.kind, view);
      byFirstWord.set(firstWordOf(value), [...sameStart, value]);
      values.push(value);
    }
    return values;
  };
}

/** Kinds whose format is so distinctive that their values are never mistaken for another kind. */
const sureForms: ReadonlySet<PoolKind> = new Set(["iban", "bic", "email"]);
const forms: ReadonlySet<PoolKind> = new Set(["iban", "bic", "email", "url", "phone"]);
const amounts: ReadonlySet<PoolKind> = new Set(["money", "percent", "date"]);

/** Returns true for "1.254,50 EUR" and "19 %", which are never codes. */
const isSum = ({ kind, value }: PoolValue): boolean =>
  (kind === "money" || kind === "percent") && /[\p{Sc}%]|\p{L}{3}/u.test(String(value));

/** Returns true for an amount, a percentage or a date. A plain number may also be a code. */
const isAmount = ({ kind, value }: PoolValue): boolean => amounts.has(kind) && !/^[\p{L}\d -]+$/u.test(String(value));

/**
 * Returns false if the value's kind does not suit the field's concept, for example an amount if the
 * field asks for a code. The result is only a feature, because the concept may be wrong.
 */
export function hasForm({ kind, concept }: AskedField, value: PoolValue): boolean {
  if (concept === undefined) return true;
  if (forms.has(kind)) return value.kind === kind;
  if (kind === "address")
    return value.kind === "address" || isAddressLine(String(value.value)) || /\d/.test(String(value.value));
  if (kind === "code") return !isAmount(value) && /\d|^\p{Lu}+$/u.test(String(value.value));
  return kind !== "vat" || value.kind === "vat" || value.kind === "code";
}

const firstWordOf = ({ words }: Pick<Candidate, "words">): number => words[0] ?? -1;

const keyOf = ({ run, words, value }: PoolValue): string => `${run.page} ${words[0] ?? -1} ${String(value)}`;

function partyValues(field: AskedField, view: PartyView): PoolValue[] {
  const isLikely = ({ score, value }: Candidate): boolean => score >= minRuleScore && /\p{L}{4}/u.test(String(value));
  const values = parties.flatMap((party) => [
    ...addressCandidates({ ...field, kind: "address", party }, view)
      .filter(isLikely)
      .map((each) => fromCandidate(each, "address", view)),
    ...partyCandidates(party, view.votes())
      .filter(isLikely)
      .map((each) => fromCandidate(each, "name", view)),
  ]);
  return [...new Map(values.map((value) => [`${value.kind} ${keyOf(value)}`, value])).values()];
}

function fromCandidate(
  { value, match, run, start, end, words }: Candidate,
  kind: PoolKind,
  view: PartyView,
): PoolValue {
  const page = view.layout.pages[run.page];
  if (!page) throw new RangeError("the candidate's page is not in the document");
  const own = words.filter((word) => run.words.includes(word));
  const contexts = own.length > 0 ? contextsOf(page, run, start, end, boxOf(page, own)) : [];
  const lines = new Set(words.map((word) => page.runs.findIndex((each) => each.words.includes(word)))).size;
  return { kind, value, match, quality: 1, page, run, start, end, words, lines, contexts, sentence: "", section: "" };
}
