/**
 * Represents each class of a request by two things: the document kinds that its text names, and its
 * other words.
 */
import type { ClassInputJson } from "@sheaf/contract/classification.ts";
import { labelTokensOf, spellOut } from "../../language/label-tokens.ts";
import { kinds } from "../lexicon/document-kinds/all-kinds.ts";
import { type Topic, topics } from "../lexicon/document-kinds/topics.ts";
import { type LabelTerm, toTerms } from "../lexicon/family-terms.ts";
import type { PageRuns } from "../page/text-runs.ts";
import { affinities, minTermWeight, prominentFrom, wordWeights } from "./class-weights.ts";
import { type KindIndex, kindCount, kindOf, namedKinds, type PageStyle, prominence } from "./kind-scores.ts";
import { PhraseTable, stemsOf } from "./phrases.ts";

export interface GivenClass {
  label: string;
  /** Affinity of each document kind to the class, from -1 (excluded) to 1. */
  kinds: Float64Array;
  /** Words in labels that do not name a kind of document. Stored as word families and stems. */
  labelTerms: Parts;
  descriptionTerms: Parts;
  /** Pairs of consecutive content words in label or description. */
  pairs: Parts;
}

/**
 * Terms with weights. A term that several classes share weighs less, because it distinguishes them
 * less.
 */
type Parts = readonly (readonly [text: string, part: number])[];

type OwnWords = Record<"labelTerms" | "descriptionTerms" | "pairs", readonly string[]>;

const { ofDescription, ofQualified, ofNarrower, ofBroader, ofTopic } = affinities;

const topicTable = new PhraseTable<Topic>();
for (const topic of topics) topicTable.add(topic.names, topic);

/**
 * Matches a negated phrase up to its end, such as "but no credit notes". What the phrase names is
 * excluded from the class.
 */
const negation =
  /(?<!\p{L})(?:not|no|without|except|excluding|ohne|ausser|kein(?:e[nr]?)?|nicht|sans|sauf|pas|hors|sin|excepto|salvo|senza|tranne|escluso|geen|niet|zonder|behalve)(?!\p{L})[^.,;:()]*/giu;

export function readClasses(classes: readonly ClassInputJson[]): GivenClass[] {
  const read = classes.map(readClass);
  const sharedBy = new Map<string, number>();
  for (const { words } of read) {
    for (const text of new Set([...words.labelTerms, ...words.descriptionTerms, ...words.pairs]))
      sharedBy.set(text, (sharedBy.get(text) ?? 0) + 1);
  }
  const parts = (texts: readonly string[]): Parts =>
    [...new Set(texts)].map((text) => [text, 1 / (sharedBy.get(text) ?? 1) ** 2]);
  return read.map(({ label, kinds: weights, words }) => ({
    label,
    kinds: weights,
    labelTerms: parts(words.labelTerms),
    descriptionTerms: parts(words.descriptionTerms),
    pairs: parts(words.pairs),
  }));
}

function readClass({ label, description = "" }: ClassInputJson): Pick<GivenClass, "label" | "kinds"> & {
  words: OwnWords;
} {
  const spelt = spellOut(label.replace(/[-_/]+/g, " "));
  const excluded = [...description.matchAll(negation)].map(([phrase]) => phrase).join(" , ");
  const included = description.replace(negation, " ");
  const weights = new Float64Array(kindCount);
  const labelWords = labelTokensOf(spelt).map((token) => token.text);
  const labelStems = stemsOf(spelt);
  const hits = namedKinds(labelStems);
  const explained = new Set(hits.flatMap(({ start, end }) => labelStems.slice(start, end)));
  const qualified = labelStems.some((word) => word.length > 2 && !explained.has(word));
  for (const { value } of topicTable.find(labelStems))
    for (const kind of value.kinds) raise(weights, kindOf.get(kind) as KindIndex, ofTopic);
  for (const { value } of namedKinds(stemsOf(included))) raise(weights, value, ofDescription);
  for (const { value } of hits) raise(weights, value, qualified ? ofQualified : 1);
  spread(weights);
  for (const { value } of namedKinds(stemsOf(excluded))) weights[value] = -ofDescription;
  // Compounds stay among the terms, because they say more than the document kind: "Monatsrechnung"
  // is a monthly invoice.
  const named = hits.filter(({ compound }) => !compound).flatMap(({ start, end }) => labelWords.slice(start, end));
  const own = new Set([...named, ...hits.map(({ value }) => kinds[value]?.label ?? "")].flatMap(contentTerms));
  const labelTerms = contentTerms(spelt);
  const descriptionTerms = contentTerms(included);
  return {
    label,
    kinds: weights,
    words: {
      labelTerms: labelTerms.filter((term) => !own.has(term)),
      descriptionTerms,
      pairs: [...pairsOf(labelTerms), ...pairsOf(descriptionTerms)],
    },
  };
}

function raise(weights: Float64Array, kind: KindIndex, weight: number): void {
  weights[kind] = Math.max(weights[kind] ?? 0, weight);
}

/**
 * Extends the weights to broader and narrower document kinds. A class for contracts also accepts
 * leases. A class for leases also accepts, with a lower weight, a document that is certainly a
 * contract but may not be a lease.
 */
function spread(weights: Float64Array): void {
  const named = weights.slice();
  for (const [index, { broader }] of kinds.entries()) {
    const parent = broader === undefined ? undefined : kindOf.get(broader);
    if (parent === undefined) continue;
    raise(weights, index, ofNarrower * (named[parent] ?? 0));
    raise(weights, parent, ofBroader * (named[index] ?? 0));
  }
}

const termsOf = (terms: readonly LabelTerm[]): string[] =>
  terms.filter((term) => term.weight >= minTermWeight).flatMap((term) => term.texts.slice(0, 1));
const contentTerms = (text: string): string[] => termsOf(toTerms(text));
const pairsOf = (terms: readonly string[]): string[] => terms.slice(1).map((term, at) => `${terms[at]} ${term}`);

/** Maximum number of text runs per page whose terms are compared. Chosen by hand, 2026-11. */
const maxRuns = 140;

/**
 * Terms of a page, as word families and stems, so that they can be compared with the terms of
 * classes.
 */
export interface PageTerms {
  all: ReadonlySet<string>;
  prominent: ReadonlySet<string>;
  pairs: ReadonlySet<string>;
}

export function termsOfPage(page: PageRuns, style: PageStyle): PageTerms {
  const all = new Set<string>();
  const prominent = new Set<string>();
  const pairs = new Set<string>();
  for (const run of page.runs.slice(0, maxRuns)) {
    const terms = contentTerms(run.text);
    const stands = prominence(page, run, style) >= prominentFrom;
    for (const term of terms) {
      all.add(term);
      if (stands) prominent.add(term);
    }
    for (const pair of pairsOf(terms)) pairs.add(pair);
  }
  return { all, prominent, pairs };
}

/** Returns the score of each class from its words. Names of document kinds do not count here. */
export function wordScores(classes: readonly GivenClass[], page: PageTerms): Float64Array {
  const w = wordWeights;
  return Float64Array.from(classes, ({ labelTerms, descriptionTerms, pairs }) => {
    let label = 0;
    for (const [term, part] of labelTerms) {
      if (page.prominent.has(term)) label += w.prominentLabel * part;
      else if (page.all.has(term)) label += w.label * part;
    }
    let description = 0;
    for (const [term, part] of descriptionTerms) if (page.all.has(term)) description += w.description * part;
    let ofPairs = 0;
    for (const [pair, part] of pairs) if (page.pairs.has(pair)) ofPairs += w.pair * part;
    return label + Math.min(w.maxDescription, description) + Math.min(w.maxPairs, ofPairs);
  });
}
