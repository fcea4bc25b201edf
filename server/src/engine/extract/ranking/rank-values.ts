/** Ranks the values of each field by the probability that each value is correct. */
import { byScore, type Candidate } from "../candidates/find-candidates.ts";
import type { Ranked } from "../candidates/totals.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { PartyView } from "../parties/party-view.ts";
import { chancesOf } from "./chances.ts";
import { ContextTexts, comparedField } from "./context-similarity.ts";
import { type DescribedValue, FeatureMaker } from "./features.ts";
import { forest, logitOf } from "./forest.ts";
import { type Pool, poolOf } from "./pool.ts";
import type { PoolValue } from "./pool-value.ts";
import { valuesForFields } from "./values-for-field.ts";

/**
 * Returns false for fields that only the rules rank: lists, currencies, and fields with a list of
 * allowed values.
 */
export const isRankedByForest = ({ format, kind, allowed }: AskedField): boolean =>
  format !== "list" && kind !== "currency" && allowed.length === 0;

/** Minimum probability at which a candidate is kept. */
const minKept = 0.02;

/**
 * A field with the candidates that the rules found, and the values of the pool that may fill it.
 */
export interface DescribedField extends Ranked {
  values: readonly DescribedValue[];
}

/** @param rules fields with the candidates that the rules found, best first */
export function describeValues(rules: readonly Ranked[], view: PartyView, pool: Pool = poolOf(view)): DescribedField[] {
  const compared = new Map(rules.map(({ query }) => [query, comparedField(query)]));
  const texts = new ContextTexts([...compared.values()].filter(({ field }) => isRankedByForest(field)));
  const maker = new FeatureMaker(view, texts);
  const valuesFor = valuesForFields(pool, view, texts);
  return rules.map(({ query, candidates }) => {
    const field = compared.get(query);
    if (!field || !isRankedByForest(query)) return { query, candidates, values: [] };
    return { query, candidates, values: maker.describe(field, valuesFor(field, candidates), candidates) };
  });
}

/**
 * A field with the candidates that the forest ranked, and the candidates that the rules found. Both
 * lists are sorted best first.
 */
export interface RankedByForest extends Ranked {
  byRules: readonly Candidate[];
}

/**
 * Returns each field with its candidates.
 * @param rules fields with the candidates that the rules found, best first
 */
export function rankByForest(rules: readonly Ranked[], view: PartyView): RankedByForest[] {
  const trees = forest();
  return describeValues(rules, view).map(({ query, candidates, values }) => {
    if (!isRankedByForest(query)) return { query, candidates, byRules: candidates };
    const confirmed = new Set(
      candidates.flatMap((each) => ("confirmed" in each && each.confirmed ? [each.value] : [])),
    );
    const kept: Candidate[] = [];
    const chances = chancesOf(
      values.map(({ value }) => value.value),
      values.map(({ row }) => logitOf(trees, row)),
    );
    for (const [at, { value }] of values.entries()) {
      const score = chances[at] ?? 0;
      if (score < minKept && !isSame(value, candidates[0])) continue;
      kept.push({ ...toCandidate(value, score), ...(confirmed.has(value.value) ? { confirmed: true } : {}) });
    }
    kept.sort(byScore);
    trustRule(query, candidates, kept);
    return { query, candidates: kept, byRules: candidates };
  });
}

/**
 * If the rules' best value has at least this score, its probability is raised to at least
 * `probable`. Measured on papers-a with a forest that was fitted without papers-a, 2026-11: F1 is
 * 0.598 at 0.5, 0.591 at 0.65 and 0.593 at 0.8.
 */
const sureRule = 0.5;
/**
 * Like `sureRule`, but for the name or address of a party, which the rules find by evidence other
 * than labels. Chosen by hand, 2026-11.
 */
const sureParty = 0.4;
/**
 * The rules' best value ranks first if it has at least this score. Applies to booleans, and to
 * amounts whose concept is known. Chosen by hand, 2026-11.
 */
const surestRule = 0.8;
/**
 * The rules' best name or address of a party is put first if its score is at least `sureRule` and
 * exceeds the second best by at least this much. Without this lead, a clerk beside the label
 * "Buyer" could win. Chosen by hand, 2026-11.
 */
const clearLead = 0.15;
/**
 * Probability to which a value is raised if the rules are sure of it. It is just above
 * `minProbability`.
 */
const probable = 0.36;
/**
 * The rules' best value also ranks first if its probability is at least this share of the greatest
 * probability. Applies to fields whose concept is known, except for names of parties. Chosen by
 * hand, 2026-11.
 */
const nearBest = 0.2;

/**
 * Raises the probability of the rules' best value if the rules are sure of it. They use evidence
 * that the forest does not have, such as the sums of an invoice.
 */
function trustRule({ concept, kind, party }: AskedField, rules: readonly Candidate[], ranked: Candidate[]): void {
  const [best] = rules;
  const own = ranked.find((each) => isSame(each, best));
  if (!best || !own || best.score < (party ? sureParty : sureRule)) return;
  const top = ranked[0]?.score ?? 0;
  const second = rules.find((each) => each.value !== best.value)?.score ?? 0;
  const isName = party !== undefined && kind === "name";
  const isAddress = party !== undefined && kind === "address";
  const isSurest =
    isName || isAddress
      ? best.score >= sureRule && best.score - second >= clearLead
      : best.score >= surestRule && (kind === "boolean" || (concept !== undefined && kind === "money"));
  const decides = isSurest || (concept !== undefined && !isName && own.score >= nearBest * top);
  own.score = Math.max(own.score, probable, decides ? top : 0);
  ranked.sort((a, b) => b.score - a.score || Number(b === own) - Number(a === own));
}

const isSame = (a: Pick<Candidate, "value" | "words">, b: Pick<Candidate, "value" | "words"> | undefined): boolean =>
  b !== undefined && a.value === b.value && a.words[0] === b.words[0];

const toCandidate = ({ value, match, run, start, end, words }: PoolValue, score: number): Candidate => ({
  value,
  page: run.page,
  words,
  match,
  score,
  run,
  start,
  end,
});
