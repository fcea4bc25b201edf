/**
 * How well a label names what is asked for. A query and every concept of the lexicon are sets of weighted phrases of word families; a
 * label is scored against the phrases, and a label that another concept explains better counts little.
 */
import concepts, { type Concept, type ValueKind } from "../../lexicon/all-concepts.ts";
import { type LabelTerm, toTerms, weightOf } from "../../lexicon/family-terms.ts";

export interface LabelPhrase {
  /** Each term with the families that it may stand for. */
  terms: readonly (readonly string[])[];
  /** 0 to 1: how surely this phrase names what is asked for. */
  weight: number;
}

export interface LabelScore {
  /** 0 to 1, the phrase's weight included. */
  score: number;
  /** 0 to 1: likeness of label and phrase alone. */
  likeness: number;
  /** Number of the phrase's terms. */
  terms: number;
}

const none: LabelScore = { score: 0, likeness: 0, terms: 0 };
/** "Previous balance", "alternative order": words that make something else of what they stand at. */
const qualifiers = new Set(["previous", "old", "alternative"]);
const ofOther = 0.5;
const maxLabelLength = 120;
const maxWindows = 6;
/** More terms than this no label has, and no bits to mark them. */
const maxTerms = 30;

/** Kinds whose labels can be mistaken for each other. */
const groups: readonly (readonly ValueKind[])[] = [
  ["code", "iban", "bic", "vat", "phone"],
  ["date"],
  ["money", "number", "percent"],
  ["name", "address", "text", "email", "url", "currency", "boolean"],
];

const inLabels = (text: string): LabelPhrase["terms"] => text.split(" ").map((family) => [family]);

export const phrasesOf = (concept: Concept): LabelPhrase[] =>
  Object.entries(concept.labels).map(([text, weight]) => ({ terms: inLabels(text), weight }));

const conceptPhrases = new Map<string, LabelPhrase[]>(concepts.map((concept) => [concept.key, phrasesOf(concept)]));

const labelCache = new Map<string, LabelTerm[]>();

/** The terms of a label, words with digits taken as values that part it. */
export function labelTerms(text: string): LabelTerm[] {
  const known = labelCache.get(text);
  if (known) return known;
  const terms = toTerms(
    text
      .slice(-maxLabelLength)
      .replace(/(?<!\S)[^\s\d]*\d\S*/g, (word) => ` ${/^(\p{L}{2,})[@(:]/u.exec(word)?.[1] ?? ""} 0 `),
  );
  if (labelCache.size > 20_000) labelCache.clear();
  labelCache.set(text, terms);
  return terms;
}

/** True if the text says anything that a label could. */
export const hasWords = (text: string): boolean => labelTerms(text).some((term) => term.weight > 0);

/** Windows of a label: itself, and its ends that begin with a new phrase ("Please remit until" has "until"). */
function windowsOf(terms: readonly LabelTerm[]): LabelTerm[][] {
  const windows = [terms.slice()];
  for (let at = terms.length - 1; at > 0 && windows.length < maxWindows; at--)
    if (terms[at]?.opens) windows.push(terms.slice(at));
  return windows.map((window) => window.filter((term) => term.weight > 0 || term.texts.length > 1).slice(-maxTerms));
}

function likeness(phrase: LabelPhrase, label: readonly LabelTerm[]): number {
  let matched = 0;
  let asked = 0;
  // Bits of the label's terms that the phrase has matched.
  let used = 0;
  for (const families of phrase.terms) {
    const weight = weightOf(families);
    asked += weight;
    const at = label.findIndex((term, index) => (used & (1 << index)) === 0 && shareFamily(term.texts, families));
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
  return qualified * recall * recall * (0.3 + 0.7 * precision);
}

const minRecall = 0.6;

const shareFamily = (a: readonly string[], b: readonly string[]): boolean => a.some((text) => b.includes(text));

/** A label that says the same in two languages ("Rechnung / Invoice") says nothing extra. */
const repeats = (term: LabelTerm, label: readonly LabelTerm[], used: number): boolean =>
  label.some((other, at) => (used & (1 << at)) !== 0 && shareFamily(other.texts, term.texts));

export function scoreTerms(phrases: readonly LabelPhrase[], terms: readonly LabelTerm[]): LabelScore {
  let best = none;
  for (const window of windowsOf(terms)) {
    if (window.length === 0) continue;
    for (const phrase of phrases) {
      const like = likeness(phrase, window);
      if (like * phrase.weight > best.score)
        best = { score: like * phrase.weight, likeness: like, terms: phrase.terms.length };
    }
  }
  return best;
}

/** As `scoreTerms`, but the terms are taken as one name that mustn't be cut. */
export function scoreWhole(phrases: readonly LabelPhrase[], terms: readonly LabelTerm[]): number {
  const said = terms.filter((term) => term.weight > 0).slice(0, maxTerms);
  return Math.max(0, ...phrases.map((phrase) => likeness(phrase, said) * phrase.weight));
}

/** Scores labels for one query, once for each text. */
export type LabelScorer = (label: string) => number;

/** `own` are the keys of concepts that are no rivals, for they mean the same; `moreRivals` are rivals of another kind. */
export function makeScorer(
  phrases: readonly LabelPhrase[],
  kind: ValueKind,
  own: ReadonlySet<string>,
  moreRivals: ReadonlySet<string> = new Set(),
): LabelScorer {
  const known = new Map<string, number>();
  const rivals = rivalsOf(kind, own, moreRivals);
  return (label) => {
    const key = label.slice(-maxLabelLength);
    const before = known.get(key);
    if (before !== undefined) return before;
    const score = scoreAgainstRivals(phrases, rivals, labelTerms(key));
    known.set(key, score);
    return score;
  };
}

function rivalsOf(kind: ValueKind, own: ReadonlySet<string>, more: ReadonlySet<string>): LabelPhrase[] {
  const group = groups.find((kinds) => kinds.includes(kind)) ?? [];
  return concepts
    .filter((concept) => (group.includes(concept.kind) || more.has(concept.key)) && !own.has(concept.key))
    .flatMap((concept) => conceptPhrases.get(concept.key) ?? [])
    .filter((phrase) => phrase.weight >= 0.7);
}

const rivalDiscount = 0.3;
const wholeRival = 0.95;

function scoreAgainstRivals(
  phrases: readonly LabelPhrase[],
  rivals: readonly LabelPhrase[],
  terms: readonly LabelTerm[],
): number {
  const own = scoreTerms(phrases, terms);
  if (own.score === 0) return 0;
  const rival = scoreTerms(rivals, terms);
  const better = rival.score > own.likeness + 0.04;
  // "Sub total carried forward" is named by more words as something else than as a sub total.
  const fuller = rival.terms > own.terms && rival.score >= own.likeness - 0.04 && rival.score >= wholeRival;
  return better || fuller ? own.score * rivalDiscount : own.score;
}
