/**
 * Chooses at most one value per field. As a rule, two fields do not get the same words of the
 * document, and the supplier and the customer do not get the same name.
 */
import { greatestCosine } from "../../language/meaning.ts";
import type { LeafValue } from "../engine.ts";
import type { Party } from "../lexicon/all-concepts.ts";
import { barcodeCandidates } from "./candidates/barcode-candidates.ts";
import { answersByBoxes } from "./candidates/box-answers.ts";
import { isFormless, type Sureness, toConfidence } from "./candidates/confidence.ts";
import { byScore, type Candidate } from "./candidates/find-candidates.ts";
import { nameKey } from "./candidates/names.ts";
import type { AskedField } from "./labels/asked-fields.ts";
import type { PartyView } from "./parties/party-view.ts";
import { rankByRules } from "./ranking/rank-by-rules.ts";
import { isRankedByForest, type RankedByForest, rankByForest } from "./ranking/rank-values.ts";

export interface Choice {
  candidate: Candidate;
  /** How the rules rate the value. The confidence depends partly on this rating. */
  sureness: Sureness;
  /** 0 to 1: probability that the value is correct. */
  confidence: number;
}

/** Minimum score of a candidate that only the rules rank. Chosen by hand, 2026-11. */
const minScore = 0.3;
/**
 * Minimum probability of a chosen value. For documents by held-out authors, F1 is 0.585 with a
 * minimum of 0.3, and 0.581 with 0.34. The share of absent fields that stay null is 0.71 with a
 * minimum of 0.3, and 0.74 with 0.34. Chosen 2026-11.
 */
export const minProbability = 0.35;
/**
 * A value may use words of another field's value if its probability is at least this share of the
 * other value's probability. Two fields may ask for the same value. Chosen by hand, 2026-11.
 */
const asProbable = 0.8;

/**
 * Returns the candidates of every field except lists, best first. Their scores are probabilities,
 * except for kinds that the forest does not rank.
 */
export function rank(queries: readonly AskedField[], view: PartyView): RankedByForest[] {
  const byBoxes = answersByBoxes(queries, view);
  const ranked = rankByForest(rankByRules(queries, view), view).map((each): RankedByForest => {
    const answer = byBoxes.get(each.query);
    const candidates = answer?.candidate ? [answer.candidate] : [];
    return answer ? { query: each.query, candidates, byRules: candidates } : each;
  });
  return withBarcodes(ranked, view).sort((a, b) => (b.candidates[0]?.score ?? 0) - (a.candidates[0]?.score ?? 0));
}

/**
 * Adds the values of bar codes as candidates. If the same value is also printed, no candidate is
 * added. Instead, the printed candidate, whose evidence people can read, gets at least the bar
 * code's score.
 */
function withBarcodes(ranked: readonly RankedByForest[], view: PartyView): RankedByForest[] {
  if (view.layout.pages.every(({ page }) => page.barcodes === undefined)) return [...ranked];
  const candidatesFor = barcodeCandidates(view);
  return ranked.map((each) => {
    let { candidates, byRules } = each;
    if (each.query.format === "list") return each;
    for (const candidate of candidatesFor(each.query)) {
      const isPrinted = ({ value }: Candidate): boolean => valueKey(value) === valueKey(candidate.value);
      const raised = (other: Candidate): Candidate =>
        isPrinted(other) ? { ...other, score: Math.max(other.score, candidate.score) } : other;
      candidates = candidates.some(isPrinted) ? candidates.map(raised) : [...candidates, candidate];
      byRules = byRules.some(isPrinted) ? byRules.map(raised) : [...byRules, candidate];
    }
    return { ...each, candidates: [...candidates].sort(byScore), byRules: [...byRules].sort(byScore) };
  });
}

/** Returns the value as lower-case text without spaces, for comparison. */
const valueKey = (value: LeafValue): string => String(value).toLowerCase().replace(/\s+/gu, "");

/**
 * Factor for the confidence of the rules in their best value. The rules were overconfident on
 * documents that they were not developed on: only 83 % of the values with a confidence of at least
 * 0.9 were correct (2026-11).
 */
const ofRules = 0.8;

interface Option {
  query: AskedField;
  candidate: Candidate;
}

/**
 * Chooses a value for each field, the most probable values first. If two fields compete for the
 * same words, the more probable value gets them.
 */
export function choose(ranked: readonly RankedByForest[], view: PartyView): Map<AskedField, Choice> {
  const options = ranked
    .flatMap(({ query, candidates }): Option[] => candidates.map((candidate) => ({ query, candidate })))
    .filter(({ query, candidate }) => candidate.score >= (isRankedByForest(query) ? minProbability : minScore))
    // The sort is stable: fields with equal scores keep their order.
    .sort((a, b) => b.candidate.score - a.candidate.score);
  const chosen = new Map<AskedField, Choice>();
  const taken = new Map<string, Option[]>();
  for (const option of options) {
    const { query, candidate } = option;
    if (chosen.has(query)) continue;
    const keys = candidate.words.map((word) => `${candidate.page} ${word}`);
    if (keys.some((key) => taken.get(key)?.some((other) => excludes(other, option)))) continue;
    if ([...chosen].some(([other, { candidate }]) => isOfOtherSide({ query: other, candidate }, option))) continue;
    for (const key of keys) taken.set(key, [...(taken.get(key) ?? []), option]);
    const byRules = ranked.find((each) => each.query === query)?.byRules ?? [];
    chosen.set(query, choiceOf(query, candidate, byRules, view));
  }
  return chosen;
}

/**
 * Returns true if the value chosen for another field excludes this option. Booleans and currencies
 * may share their words with any field, and two fields that ask for the same thing may share a
 * value.
 */
function excludes(other: Option, { query, candidate }: Option): boolean {
  const shares = ({ kind, format }: AskedField): boolean => kind === "currency" || format === "boolean";
  if (shares(query) || shares(other.query)) return false;
  const overlaps =
    other.candidate.run !== candidate.run ||
    (other.candidate.start < candidate.end && candidate.start < other.candidate.end);
  return overlaps && candidate.score < asProbable * other.candidate.score && !asksForSame(query, other.query);
}

const supplying: ReadonlySet<Party | undefined> = new Set(["seller", "payee"]);
const receiving: ReadonlySet<Party | undefined> = new Set(["buyer", "consignee"]);

/**
 * Returns true if the other field was given the same name as this option and belongs to the other
 * party of the trade. Prevents a supplier whose name is printed several times from being chosen as
 * the customer too.
 */
function isOfOtherSide(other: Option, { query, candidate }: Option): boolean {
  const [a, b] = [other.query.party, query.party];
  const isTrade = (supplying.has(a) && receiving.has(b)) || (receiving.has(a) && supplying.has(b));
  if (!isTrade || other.query.kind !== query.kind || candidate.score >= asProbable * other.candidate.score)
    return false;
  return nameKey(String(other.candidate.value)) === nameKey(String(candidate.value));
}

/**
 * Minimum cosine between the wordings of two fields that ask for the same value. In papers-a and in
 * our own documents, fields that share a concept but ask for different values have a cosine of at
 * most 0.64. The only exception is the tax amounts of two tax rates. Chosen by hand, 2026-11.
 */
const sameWording = 0.65;

function asksForSame(a: AskedField, b: AskedField): boolean {
  if (a.concept === undefined || a.concept !== b.concept || a.party !== b.party || a.format !== b.format) return false;
  return hasSameWords(a, b) || Math.max(likeness(a, b), likeness(b, a)) >= sameWording;
}

/**
 * Returns true if both descriptions have the same significant words, as in "invoice date" and
 * "date of the invoice".
 */
const hasSameWords = ({ asks }: AskedField, other: AskedField): boolean =>
  asks.size > 0 && asks.size === other.asks.size && [...asks].every((word) => other.asks.has(word));

/**
 * Compares the name and description of the first field with those of the second, and also with the
 * description of the second alone. Returns the greater cosine.
 */
const likeness = ({ meaning: { both } }: AskedField, { meaning }: AskedField): number =>
  both ? greatestCosine(both, meaning.description, meaning.both) : 0;

function choiceOf(
  query: AskedField,
  candidate: Candidate & { confirmed?: boolean },
  byRules: readonly Candidate[],
  view: PartyView,
): Choice {
  const key = (value: unknown): string => String(value).toLowerCase();
  const isChosen = ({ value }: Candidate): boolean => key(value) === key(candidate.value);
  const sureness: Sureness = {
    score: byRules.find(isChosen)?.score ?? 0,
    runnerUp: byRules.find((other) => !isChosen(other))?.score ?? 0,
    confirmed: candidate.confirmed ?? false,
    recognized: view.layout.pages[candidate.page]?.page.source === "ocr",
    formless: isFormless(query.kind),
  };
  const isByRules = sureness.score > 0 && sureness.score >= sureness.runnerUp;
  const byRulesAlone = toConfidence(sureness);
  const confidence = isRankedByForest(query)
    ? Math.max(candidate.score, isByRules ? ofRules * byRulesAlone : 0)
    : byRulesAlone;
  return { candidate, sureness, confidence: Math.round(1000 * confidence) / 1000 };
}
