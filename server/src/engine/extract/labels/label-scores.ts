/**
 * Scores how well a label names a field. A field, like every concept of the lexicon, is a set of
 * weighted phrases of word families. A label scores low if another concept matches it better.
 */

import { cachedByText } from "../../../language/cached-by-text.ts";
import concepts, { type Concept, type ValueKind } from "../../lexicon/all-concepts.ts";
import { type LabelTerm, toTerms, weightOf } from "../../lexicon/family-terms.ts";

export interface LabelPhrase {
  /** Terms of the phrase. Each lists the word families that match it. */
  terms: readonly (readonly string[])[];
  /** 0 to 1: how reliably this phrase names the field. */
  weight: number;
}

export interface LabelScore {
  /** 0 to 1, including the phrase's weight. */
  score: number;
  /** 0 to 1: similarity of label and phrase, without the weight. */
  similarity: number;
  /** Number of terms in the phrase. */
  terms: number;
}

const none: LabelScore = { score: 0, similarity: 0, terms: 0 };
/** Words that change the meaning of a label: "previous balance", "alternative order". */
const qualifiers = new Set(["previous", "old", "alternative"]);
/** Factor for a label with a qualifier that the phrase lacks. Chosen by hand, 2026-11. */
const ofOther = 0.5;
/** Characters at the end of a label that are read, in UTF-16 units. Chosen by hand, 2026-11. */
const maxLabelLength = 120;
/** Maximum labels whose terms or score are cached. */
const maxCached = 20_000;
/** Maximum windows per label: see `windowsOf`. Chosen by hand, 2026-11. */
const maxWindows = 6;
/** Maximum terms per label. Matched terms are marked in the bits of one 32-bit integer. */
const maxTerms = 30;

/**
 * Minimum weight of a phrase for its concept to be a rival for a label. Chosen by hand, 2026-11.
 */
const minRivalWeight = 0.7;

/** Groups of kinds whose labels can be confused. */
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

/** Phrases of all concepts that may be rivals, by each word family in them. */
const rivalPhrases: readonly (LabelPhrase & { concept: Concept })[] = concepts.flatMap((concept) =>
  phrasesOf(concept)
    .filter(({ weight }) => weight >= minRivalWeight)
    .map((phrase) => ({ ...phrase, concept })),
);
const rivalsByFamily = new Map<string, number[]>();
for (const [at, { terms }] of rivalPhrases.entries())
  for (const family of new Set(terms.flat())) rivalsByFamily.set(family, [...(rivalsByFamily.get(family) ?? []), at]);

/** Returns the terms of a label. Words with digits count as values and split the label. */
export const labelTerms = cachedByText(maxCached, (text): readonly LabelTerm[] =>
  toTerms(
    text
      .slice(-maxLabelLength)
      .replace(/(?<!\S)[^\s\d]*\d\S*/g, (word) => ` ${/^(\p{L}{2,})[@(:]/u.exec(word)?.[1] ?? ""} 0 `),
  ),
);

/** Returns true if the text has a word that can be part of a label. */
export const hasWords = (text: string): boolean => labelTerms(text).some((term) => term.weight > 0);

/** Removes punctuation that would split a label joined with other words. */
export const withoutPunctuation = (label: string): string => label.replace(/[:;,()]/g, " ");

/**
 * Caches windows by the terms of a label, because each label is compared with all fields of a
 * request.
 */
const windowsOfTerms = new WeakMap<readonly LabelTerm[], readonly (readonly LabelTerm[])[]>();

/**
 * Returns the windows of a label: the whole label, and each of its endings that begins a new
 * phrase. "Please remit until" also yields "until".
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
  // Bit set of the label's terms that the phrase has already matched.
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
 * Similarity (0 to 1) that does not depend on the precision of a label, and the part that is
 * multiplied by it. Chosen by hand, 2026-11.
 */
const ofRecall = 0.3;
const ofPrecision = 0.7;
/** Minimum share of the phrase's weight that a label must match. Chosen by hand, 2026-11. */
const minRecall = 0.6;

/**
 * Returns the index of the first term that is not in `used` and has one of the families. Returns -1
 * if there is none.
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
 * Returns true if the term repeats a matched one, as in the bilingual label "Rechnung / Invoice".
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
 * Caches matches by the terms of a label. `labelTerms` returns the same array again for the same
 * label.
 */
const matchesOfTerms = new WeakMap<readonly LabelTerm[], readonly ConceptMatch[]>();

/**
 * Returns every phrase of a concept that matches the label. All fields of a request use the same
 * result.
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

/** Scores like `scoreTerms`, but treats the terms as one name that must not be cut. */
export function scoreWhole(phrases: readonly LabelPhrase[], terms: readonly LabelTerm[]): number {
  const said = terms.filter((term) => term.weight > 0).slice(0, maxTerms);
  return Math.max(0, ...phrases.map((phrase) => similarityOf(phrase, said) * phrase.weight));
}

/** Scores a label for one field and caches the result by text. */
export type LabelScorer = (label: string) => number;

/**
 * Returns a scorer. `own` contains the keys of concepts that mean the same as the field and
 * therefore are not rivals. `moreRivals` adds rivals of other kinds.
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
    // Returns early: most labels share no word with the field.
    if (!terms.some(({ texts }) => texts.some((text) => families.has(text)))) return 0;
    return scoreAgainstRivals(phrases, isRival, terms);
  });
}

/**
 * Returns a predicate that is true if labels of a concept can be confused with those of a field.
 */
function rivalTest(
  kind: ValueKind,
  own: ReadonlySet<string>,
  more: ReadonlySet<string>,
): (concept: Concept) => boolean {
  const group = groups.find((kinds) => kinds.includes(kind)) ?? [];
  return ({ key, kind: other }) => (group.includes(other) || more.has(key)) && !own.has(key);
}

/** Minimum score of a label that certainly names another concept. Chosen by hand, 2026-11. */
const surelyAnother = 0.9;

/**
 * Returns a predicate that is true if a label certainly names a concept that is not one of the
 * field's own.
 */
export function rivalLabelTest(kind: ValueKind, own: ReadonlySet<string>): (label: string) => boolean {
  const isRival = rivalTest(kind, own, new Set());
  return (label) =>
    conceptMatches(labelTerms(label.slice(-maxLabelLength))).some(
      ({ concept, score }) => score >= surelyAnother && isRival(concept),
    );
}

/**
 * Returns a scorer that passes only the last `length` UTF-16 units of a label to `scorer`, and
 * caches the result.
 */
export function cachedByLabel(length: number, scorer: LabelScorer): LabelScorer {
  const scoreOf = cachedByText(maxCached, scorer);
  return (label) => scoreOf(label.slice(-length));
}

/** Factor for a label that another concept matches better. Chosen by hand, 2026-11. */
const rivalDiscount = 0.3;
/** Minimum score of another concept that matches with more words. Chosen by hand, 2026-11. */
const wholeRival = 0.95;
/**
 * Minimum lead in similarity (0 to 1) of a concept that matches a label clearly better than the
 * field does. Chosen by hand, 2026-11.
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
  // "Sub total carried forward" matches another concept with more words than it matches a subtotal.
  const fuller = rival.terms > own.terms && rival.score >= own.similarity - clearlyBetter && rival.score >= wholeRival;
  return better || fuller ? own.score * rivalDiscount : own.score;
}
