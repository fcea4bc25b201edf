/** Chooses the class of a page range: a given class if one fits, otherwise a discovered one. */

import { kinds } from "../lexicon/document-kinds/all-kinds.ts";
import type { GivenClass } from "./given-classes.ts";
import { kindCount } from "./kind-scores.ts";
import type { PageFacts } from "./page-facts.ts";

/** Scores of the document kinds and the given classes for a page range. */
export interface ClassScores {
  kinds: Float64Array;
  /** Score of each given class from its own words. */
  words: Float64Array;
}

export interface ChosenClass {
  label: string;
  /** Undefined for a given class. */
  description?: string;
  confidence: number;
}

const ofOtherPages = 0.3;

/** Combines page scores. The first page has the largest weight because it contains the title. */
export function joinScores(pages: readonly ClassScores[]): ClassScores {
  return { kinds: join(pages.map((page) => page.kinds)), words: join(pages.map((page) => page.words)) };
}

function join([first, ...others]: readonly Float64Array[]): Float64Array {
  if (!first) return new Float64Array(kindCount);
  return first.map((score, index) => {
    const sum = others.reduce((total, other) => total + (other[index] ?? 0), 0);
    const mean = others.length > 0 ? sum / others.length : 0;
    return others.length > 0 ? score + ofOtherPages * mean : score * (1 + ofOtherPages);
  });
}

/** Minimum score of a given class, below which it is never chosen. Chosen by hand, 2026-11. */
const minScore = 0.6;
/**
 * A class below `sureScore` is rejected if a document kind outside the classes scores at least
 * `littleOther`. Chosen by hand, 2026-11.
 */
const sureScore = 1.3;
const littleOther = 2;
/**
 * Minimum lead over the best class, in score, for a document kind outside the classes to win.
 * Chosen by hand, 2026-11.
 */
const clearlyOther = 1.8;
const minOther = 2.6;
const secondWeight = 0.2;

/**
 * Returns the fit of each class: its best document kind, a small share of its other kinds, and its
 * own words.
 */
export function classScores(classes: readonly GivenClass[], evidence: ClassScores): number[] {
  return classes.map((each, index) => {
    let best = 0;
    let sum = 0;
    let against = 0;
    for (let kind = 0; kind < kindCount; kind++) {
      const score = (each.kinds[kind] ?? 0) * (evidence.kinds[kind] ?? 0);
      if (score > best) best = score;
      if (score > 0) sum += score;
      else against = Math.min(against, score);
    }
    return best + secondWeight * Math.min(best, sum - best) + against + (evidence.words[index] ?? 0);
  });
}

export function chooseLabel(classes: readonly GivenClass[], evidence: ClassScores, facts: PageFacts): ChosenClass {
  const scores = classScores(classes, evidence);
  const order = scores.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const [first, second] = order;
  const best = first === undefined ? 0 : (scores[first] ?? 0);
  const other = bestOther(classes, evidence);
  const enough = best >= sureScore || (best >= minScore && other.score < littleOther);
  const fits = enough && !(other.score >= minOther && other.score > best + clearlyOther);
  const given = first === undefined ? undefined : classes[first];
  if (given && fits && !facts.blank) {
    const rival = Math.max(
      second === undefined ? 0 : (scores[second] ?? 0),
      other.score - clearlyOther,
      minScore - 0.5,
    );
    return { label: given.label, confidence: confidenceOf(best, best - rival) };
  }
  return discover(evidence, facts);
}

/** Returns the highest score of a document kind that no given class covers. */
function bestOther(classes: readonly GivenClass[], evidence: ClassScores): { score: number } {
  let score = 0;
  for (let kind = 0; kind < kindCount; kind++) {
    if (classes.some((each) => (each.kinds[kind] ?? 0) >= 0.3)) continue;
    score = Math.max(score, evidence.kinds[kind] ?? 0);
  }
  return { score };
}

const minKind = 1.6;
/**
 * Confidence factor for a discovered document kind that the title does not name. Chosen by hand,
 * 2026-11.
 */
const untitled = 0.8;
const minTitle = 0.75;
const maxLabelWords = 6;

function discover(evidence: ClassScores, facts: PageFacts): ChosenClass {
  if (facts.blank) return { ...generic.blank, confidence: 0.9 };
  const scores = [...evidence.kinds];
  const best = scores.indexOf(Math.max(...scores));
  const score = scores[best] ?? 0;
  const second = Math.max(0, ...scores.filter((_, index) => index !== best));
  const kind = kinds[best];
  if (kind && score >= minKind)
    return {
      label: kind.label,
      description: kind.description,
      confidence: confidenceOf(score, score - second) * (facts.titleKind === best ? 1 : untitled),
    };
  const { text, strength } = facts.title;
  if (strength >= minTitle && text.split(" ").length <= maxLabelWords)
    return { label: text, description: `Documents titled "${text}".`, confidence: 0.4 };
  return { ...genericOf(facts), confidence: 0.35 };
}

const generic = {
  blank: { label: "blank page", description: "Pages with next to no words." },
  text: { label: "text", description: "Running text of no known kind." },
  form: { label: "form", description: "Fields with what was filled in." },
  table: { label: "table", description: "Mostly numbers, in rows and columns." },
  picture: { label: "picture", description: "A picture with few words." },
  document: { label: "document", description: "Documents of no known kind." },
};

function genericOf(facts: PageFacts): { label: string; description: string } {
  if (facts.prose > 0.5) return generic.text;
  if (facts.fields > 0.15) return generic.form;
  if (facts.digits > 0.4) return generic.table;
  if (facts.ocr && facts.words < 25) return generic.picture;
  return generic.document;
}

/**
 * Returns the probability that a label is right, from its score and its margin over the runner-up.
 */
export const confidenceOf = (score: number, margin: number): number =>
  1 / (1 + Math.exp(-(0.6 + 0.25 * Math.min(5, score) + 0.7 * Math.min(4, margin))));
