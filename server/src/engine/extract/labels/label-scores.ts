/**
 * Scores how well a label names a field. Every field and every concept of the lexicon has weighted
 * phrases, which consist of word families. A label scores low for a field if the label matches
 * another concept better than it matches the field.
 */

import { cachedByText } from "../../../language/cached-by-text.ts";
import concepts, { type Concept, type ValueKind } from "../../lexicon/all-concepts.ts";
import { type LabelTerm, toTerms, weightOf } from "../../lexicon/family-terms.ts";

export interface LabelPhrase {
  /** Terms of the phrase. Each term is a list of word families, any of which matches. */
  terms: readonly (readonly string[])[];
  /** 0 to 1: how certainly this phrase names the field. */
  weight: number;
}

export interface LabelScore {
  /** 0 to 1: similarity multiplied by the weight of the phrase. */
  score: number;
  /** 0 to 1: similarity of label and phrase. The weight of the phrase is not part of it. */
  similarity: number;
  /** Number of terms in the phrase. */
  terms: number;
}

const none: LabelScore = { score: 0, similarity: 0, terms: 0 };
/** Words that make a label mean something else, as in "previous balance" or "alternative order". */
const qualifiers = new Set(["previous", "old", "alternative"]);
/** Factor for a label that has a qualifier which the phrase lacks. Chosen by hand, 2026-11. */
const ofOther = 0.5;
/** Only this many UTF-16 units at the end of a label are read. Chosen by hand, 2026-11. */
const maxLabelLength = 120;
/** Maximum number of labels whose terms or score are cached. */
const maxCached = 20_000;
/**
 * Maximum number of windows of a label (the whole label, and endings of it; see `windowsOf`).
 * Chosen by hand, 2026-11.
 */
const maxWindows = 6;
/**
 * Maximum number of terms of a label. Matched terms are marked by the bits of one 32-bit integer.
 */
const maxTerms = 30;

/**
 * Only phrases of at least this weight are used to test whether a label fits another concept better
 * than the field. Chosen by hand, 2026-11.
 */
const minRivalWeight = 0.7;

/** Groups of value kinds whose labels can be confused with each other. */
const groups: readonly (readonly ValueKind[])[] = [
  ["code", "iban", "bic", "vat", "phone"],
  ["date"],
  ["money", "number", "percent"],
  ["name", "address", "text", "email", "url", "currency", "boolean"],
];

const inLabels = (text: string): LabelPhrase["terms"] => text.split(" ").map((family) => [family]);

const phrasesByConcept = new Map<Concept, readonly LabelPhrase[]>(
  concepts.map((concept) => [
    concept,
    Object.entries(concept.labels).map(([text, weight]) => ({ terms: inLabels(text), weight })),
  ]),
);

export const phrasesOf = (concept: Concept): readonly LabelPhrase[] => phrasesByConcept.get(concept) ?? [];

/** Phrases of all concepts that may be rivals, and an index of them by word family. */
const rivalPhrases: readonly (LabelPhrase & { concept: Concept })[] = concepts.flatMap((concept) =>
  phrasesOf(concept)
    .filter(({ weight }) => weight >= minRivalWeight)
    .map((phrase) => ({ ...phrase, concept })),
);
const rivalsByFamily = new Map<string, number[]>();
for (const [at, { terms }] of rivalPhrases.entries())
  for (const family of new Set(terms.flat())) rivalsByFamily.set(family, [...(rivalsByFamily.get(family) ?? []), at]);

/** Returns the terms of a label. Words with digits are values, not terms, and split the label. */
export const labelTerms = cachedByText(maxCached, (text): readonly LabelTerm[] =>
  toTerms(
    text
      .slice(-maxLabelLength)
      .replace(/(?<!\S)[^\s\d]*\d\S*/g, (word) => ` ${/^(\p{L}{2,})[@(:]/u.exec(word)?.[1] ?? ""} 0 `),
  ),
);

/** Returns true if the text has a word that can be part of a label. */
export const hasWords = (text: string): boolean => labelTerms(text).some((term) => term.weight > 0);

/**
 * Replaces punctuation with spaces. When a label is joined with other words, punctuation would
 * otherwise split it.
 */
export const withoutPunctuation = (label: string): string => label.replace(/[:;,()]/g, " ");

/**
 * Caches the windows of a label, because each label is compared with all fields of a request. The
 * key is the array of the label's terms.
 */
const windowsOfTerms = new WeakMap<readonly LabelTerm[], readonly (readonly LabelTerm[])[]>();

/**
 * Returns the windows of a label: the whole label, and every ending of it that begins a new phrase.
 * The windows of "Please remit until" are the whole text and "until".
 */
function windowsOf(terms: readonly LabelTerm[]): readonly (readonly LabelTerm[])[] {
  const known = windowsOfTerms.get(terms);
  if (known) return known;
  const windows = [terms.slice()];
  for (let at = terms.length - 1; at > 0 && windows.length < maxWindows; at--)
    if (terms[at]?.opens) windows.push(terms.slice(at));
  const matched = windows.map((window) =>
    window.filter((term) => term.weight > 0 || term.texts.length > 1).slice(-maxTerms),
  );
  windowsOfTerms.set(terms, matched);
  return matched;
}

function similarityOf(phrase: LabelPhrase, label: readonly LabelTerm[]): number {
  if (!phrase.terms.some((families) => matchIn(label, families, 0) >= 0)) return 0;
  let matched = 0;
  let asked = 0;
  // Each bit that is set stands for a term of the label that the phrase has matched so far.
  let used = 0;
  for (const families of phrase.terms) {
    const weight = weightOf(families);
    asked += weight;
    const at = matchIn(label, families, used);
    if (at < 0) continue;
    used |= 1 << at;
    matched += weight;
  }
  if (matched === 0 || matched / asked < minRecall) return 0;
  let extra = 0;
  let qualified = 1;
  for (const [at, term] of label.entries()) {
    if ((used & (1 << at)) !== 0 || repeats(term, label, used)) continue;
    extra += term.weight;
    if (term.texts.some((text) => qualifiers.has(text))) qualified = ofOther;
  }
  const recall = matched / asked;
  const precision = matched / (matched + extra);
  return qualified * recall * recall * (ofRecall + ofPrecision * precision);
}

/**
 * Similarity is recall² × (`ofRecall` + `ofPrecision` × precision). Precision is low for a label
 * with many other words. Chosen by hand, 2026-11.
 */
const ofRecall = 0.3;
const ofPrecision = 0.7;
/** Minimum share of the phrase's weight that a label must match. Chosen by hand, 2026-11. */
const minRecall = 0.6;

/**
 * Returns the index of the first term that has one of the families and whose bit in `used` is not
 * set. Returns -1 if there is none.
 */
function matchIn(label: readonly LabelTerm[], families: readonly string[], used: number): number {
  for (let at = 0; at < label.length; at++)
    if ((used & (1 << at)) === 0 && shareFamily((label[at] as LabelTerm).texts, families)) return at;
  return -1;
}

function shareFamily(a: readonly string[], b: readonly string[]): boolean {
  for (const text of a) if (b.includes(text)) return true;
  return false;
}

/**
 * Returns true if the term repeats a term that is already matched, as in the bilingual label
 * "Rechnung / Invoice".
 */
const repeats = (term: LabelTerm, label: readonly LabelTerm[], used: number): boolean =>
  label.some((other, at) => (used & (1 << at)) !== 0 && shareFamily(other.texts, term.texts));

function scoreTerms(phrases: readonly LabelPhrase[], terms: readonly LabelTerm[]): LabelScore {
  let best = none;
  for (const window of windowsOf(terms)) {
    if (window.length === 0) continue;
    for (const phrase of phrases) {
      const similarity = similarityOf(phrase, window);
      if (similarity * phrase.weight > best.score)
        best = { score: similarity * phrase.weight, similarity, terms: phrase.terms.length };
    }
  }
  return best;
}

interface ConceptMatch extends LabelScore {
  concept: Concept;
}

/**
 * Caches the concepts that match a label. The key is the array of the label's terms; `labelTerms`
 * returns the same array for the same label.
 */
const matchesOfTerms = new WeakMap<readonly LabelTerm[], readonly ConceptMatch[]>();

/**
 * Matches the label with the phrases of all concepts. The result does not depend on a field, so all
 * fields of a request share it.
 */
function conceptMatches(terms: readonly LabelTerm[]): readonly ConceptMatch[] {
  const known = matchesOfTerms.get(terms);
  if (known) return known;
  const matches: ConceptMatch[] = [];
  for (const window of windowsOf(terms)) {
    const sharing = new Set(window.flatMap(({ texts }) => texts.flatMap((text) => rivalsByFamily.get(text) ?? [])));
    for (const at of [...sharing].sort((a, b) => a - b)) {
      const phrase = rivalPhrases[at];
      const similarity = phrase ? similarityOf(phrase, window) : 0;
      if (phrase && similarity > 0)
        matches.push({
          concept: phrase.concept,
          score: similarity * phrase.weight,
          similarity,
          terms: phrase.terms.length,
        });
    }
  }
  matchesOfTerms.set(terms, matches);
  return matches;
}

/**
 * Returns the best score of the phrases. Unlike `scoreTerms`, matches `terms` only as a whole and
 * not their endings, because the ending of a field name may mean something else.
 */
export function scoreWhole(phrases: readonly LabelPhrase[], terms: readonly LabelTerm[]): number {
  const said = terms.filter((term) => term.weight > 0).slice(0, maxTerms);
  return Math.max(0, ...phrases.map((phrase) => similarityOf(phrase, said) * phrase.weight));
}

/** Function that scores how well a label names one field. */
export type LabelScorer = (label: string) => number;

/**
 * Returns a scorer for a field. `own` contains the keys of the concepts that the field may mean.
 * Every other concept is a rival if its kind is similar or its key is in `moreRivals`.
 */
export function makeScorer(
  phrases: readonly LabelPhrase[],
  kind: ValueKind,
  own: ReadonlySet<string>,
  moreRivals: ReadonlySet<string> = new Set(),
): LabelScorer {
  const isRival = rivalTest(kind, own, moreRivals);
  const families = new Set(phrases.flatMap(({ terms }) => terms.flat()));
  return cachedByLabel(maxLabelLength, (label) => {
    const terms = labelTerms(label);
    // Most labels share no word with the field, so their score is 0 without a full comparison.
    if (!terms.some(({ texts }) => texts.some((text) => families.has(text)))) return 0;
    return scoreAgainstRivals(phrases, isRival, terms);
  });
}

/**
 * Returns a function that is true for concepts whose labels can be confused with labels of the
 * field.
 */
function rivalTest(
  kind: ValueKind,
  own: ReadonlySet<string>,
  more: ReadonlySet<string>,
): (concept: Concept) => boolean {
  const group = groups.find((kinds) => kinds.includes(kind)) ?? [];
  return ({ key, kind: other }) => (group.includes(other) || more.has(key)) && !own.has(key);
}

/** Minimum score at which a label clearly names another concept. Chosen by hand, 2026-11. */
const surelyAnother = 0.9;

/**
 * Returns a function that is true for labels which clearly name a concept that the field does not
 * mean.
 */
export function rivalLabelTest(kind: ValueKind, own: ReadonlySet<string>): (label: string) => boolean {
  const isRival = rivalTest(kind, own, new Set());
  return (label) =>
    conceptMatches(labelTerms(label.slice(-maxLabelLength))).some(
      ({ concept, score }) => score >= surelyAnother && isRival(concept),
    );
}

/**
 * Returns a scorer that caches the result of `scorer` and passes it only the last `length` UTF-16
 * units of a label.
 */
export function cachedByLabel(length: number, scorer: LabelScorer): LabelScorer {
  const scoreOf = cachedByText(maxCached, scorer);
  return (label) => scoreOf(label.slice(-length));
}

/** Factor for a label that a rival concept matches better. Chosen by hand, 2026-11. */
const rivalDiscount = 0.3;
/**
 * A rival concept may win because it matches more words of the label than the field does. This is
 * its minimum score. Chosen by hand, 2026-11.
 */
const wholeRival = 0.95;
/**
 * A rival concept matches a label clearly better than the field does if its score is higher than
 * the similarity (0 to 1) of the field by more than this. Chosen by hand, 2026-11.
 */
const clearlyBetter = 0.04;

function scoreAgainstRivals(
  phrases: readonly LabelPhrase[],
  isRival: (concept: Concept) => boolean,
  terms: readonly LabelTerm[],
): number {
  const own = scoreTerms(phrases, terms);
  if (own.score === 0) return 0;
  let rival = none;
  for (const match of conceptMatches(terms)) if (match.score > rival.score && isRival(match.concept)) rival = match;
  const better = rival.score > own.similarity + clearlyBetter;
  // A rival that matches more words wins even without a lead. In "Sub total carried forward", the
  // concept of a subtotal matches fewer words than the concept of a carried sum.
  const fuller = rival.terms > own.terms && rival.score >= own.similarity - clearlyBetter && rival.score >= wholeRival;
  return better || fuller ? own.score * rivalDiscount : own.score;
}
