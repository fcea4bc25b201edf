/**
 * Chooses the class of a page range: one of the given classes if it fits, otherwise a discovered
 * one.
 */

import { kinds } from "../lexicon/document-kinds/all-kinds.ts";
import {
  classConfidenceWeights,
  classScoreWeights,
  discoveredConfidences,
  genericShares,
  minAffinity,
} from "./class-weights.ts";
import type { GivenClass } from "./given-classes.ts";
import { kindCount } from "./kind-scores.ts";
import type { PageFacts } from "./page-facts.ts";

/** Scores of the document kinds and the given classes for a page range. */
export interface ClassScores {
  kinds: Float64Array;
  /** Score that each given class gets from words other than the names of document kinds. */
  words: Float64Array;
}

export interface ChosenClass {
  label: string;
  /** Description of a discovered class. Undefined for a given class. */
  description?: string;
  confidence: number;
}

const w = classScoreWeights;

/**
 * Combines the scores of pages. The first page has the largest weight because it contains the
 * title.
 */
export function joinScores(pages: readonly ClassScores[]): ClassScores {
  return { kinds: join(pages.map((page) => page.kinds)), words: join(pages.map((page) => page.words)) };
}

function join([first, ...others]: readonly Float64Array[]): Float64Array {
  if (!first) return new Float64Array(kindCount);
  return first.map((score, index) => {
    const sum = others.reduce((total, other) => total + (other[index] ?? 0), 0);
    const mean = others.length > 0 ? sum / others.length : 0;
    return others.length > 0 ? score + w.ofOtherPages * mean : score * (1 + w.ofOtherPages);
  });
}

/**
 * Returns a score for each class. It adds the score of the class's best document kind, a small
 * share of the scores of its other kinds, and the score of its own words. The score of a document
 * kind that the class excludes is subtracted.
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
    return best + w.ofOtherKinds * Math.min(best, sum - best) + against + (evidence.words[index] ?? 0);
  });
}

export function chooseLabel(classes: readonly GivenClass[], evidence: ClassScores, facts: PageFacts): ChosenClass {
  const scores = classScores(classes, evidence);
  const order = scores.map((_, index) => index).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const [first, second] = order;
  const best = first === undefined ? 0 : (scores[first] ?? 0);
  const other = bestOther(classes, evidence);
  const enough = best >= w.sureScore || (best >= w.minScore && other.score < w.littleOther);
  const fits = enough && !(other.score >= w.minOther && other.score > best + w.clearlyOther);
  const given = first === undefined ? undefined : classes[first];
  if (given && fits && !facts.blank) {
    const rival = Math.max(
      second === undefined ? 0 : (scores[second] ?? 0),
      other.score - w.clearlyOther,
      w.minScore - w.rivalBelowLeast,
    );
    return { label: given.label, confidence: confidenceOf(best, best - rival) };
  }
  return discover(evidence, facts);
}

/** Returns the highest score of a document kind that no given class covers. */
function bestOther(classes: readonly GivenClass[], evidence: ClassScores): { score: number } {
  let score = 0;
  for (let kind = 0; kind < kindCount; kind++) {
    if (classes.some((each) => (each.kinds[kind] ?? 0) >= minAffinity)) continue;
    score = Math.max(score, evidence.kinds[kind] ?? 0);
  }
  return { score };
}

/**
 * Minimum strength of a title that becomes the name of a discovered class. Chosen by hand, 2026-11.
 */
const minTitle = 0.75;
/**
 * Maximum number of words of a title that becomes the name of a discovered class. Chosen by hand,
 * 2026-11.
 */
const maxLabelWords = 6;

function discover(evidence: ClassScores, facts: PageFacts): ChosenClass {
  if (facts.blank) return { ...generic.blank, confidence: discoveredConfidences.blank };
  const scores = [...evidence.kinds];
  const best = scores.indexOf(Math.max(...scores));
  const score = scores[best] ?? 0;
  const second = Math.max(0, ...scores.filter((_, index) => index !== best));
  const kind = kinds[best];
  if (kind && score >= w.minKind)
    return {
      label: kind.label,
      description: kind.description,
      confidence: confidenceOf(score, score - second) * (facts.titleKind === best ? 1 : discoveredConfidences.untitled),
    };
  const { text, strength } = facts.title;
  if (strength >= minTitle && text.split(" ").length <= maxLabelWords)
    return { label: text, description: `Documents titled "${text}".`, confidence: discoveredConfidences.titled };
  return { ...genericOf(facts), confidence: discoveredConfidences.generic };
}

const generic = {
  blank: { label: "blank page", description: "Pages with almost no text." },
  text: { label: "text", description: "Running text of an unknown kind." },
  form: { label: "form", description: "A form with its entries." },
  table: { label: "table", description: "Mostly numbers, in rows and columns." },
  picture: { label: "picture", description: "A picture with few words." },
  document: { label: "document", description: "Documents of an unknown kind." },
};

function genericOf(facts: PageFacts): { label: string; description: string } {
  if (facts.prose > genericShares.prose) return generic.text;
  if (facts.fields > genericShares.fields) return generic.form;
  if (facts.digits > genericShares.digits) return generic.table;
  if (facts.ocr && facts.words < 25) return generic.picture;
  return generic.document;
}

/**
 * Returns the probability that a label is correct, from its score and its margin over the
 * runner-up.
 */
export function confidenceOf(score: number, margin: number): number {
  const { intercept, score: ofScore, maxScore, margin: ofMargin, maxMargin } = classConfidenceWeights;
  const logit = intercept + ofScore * Math.min(maxScore, score) + ofMargin * Math.min(maxMargin, margin);
  return 1 / (1 + Math.exp(-logit));
}
