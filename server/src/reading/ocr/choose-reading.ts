/** Chooses between two readings of one word: Tesseract's, and that of the second recognizer. */

export interface Candidate {
  text: string;
  /** 0 to 1. */
  confidence: number;
}

/** One place of the word: Tesseract's character, and the one of the second recognizer. */
export interface ReadPlace {
  first?: string;
  second?: Candidate;
}

/**
 * Weights of the evidence for the second reading, in logits. Chosen on one half of 60 receipts,
 * 2026-11; `bench/RESULTS.md` has the figures of the other half.
 */
const weights = {
  constant: -0.5,
  secondConfidence: 0.7,
  firstConfidence: -0.5,
  inserted: 1.2,
  missingLetter: -2,
  missingMark: -0.5,
  form: 1.2,
};
/** Minimum confidence of a word that only one of the recognizers has read. */
const minAlone = { first: 0.4, second: 0.4 };

/**
 * Returns the better reading. Undefined if only one recognizer has read the word and it is probably
 * not text.
 */
export function betterOf(
  first: Candidate | undefined,
  second: Candidate | undefined,
  places: readonly ReadPlace[],
): Candidate | undefined {
  if (first === undefined) return second && second.confidence >= minAlone.second ? second : undefined;
  if (second === undefined) return first.confidence >= minAlone.first ? first : undefined;
  const differing = places.filter((place) => !isSame(place));
  if (differing.length === 0) {
    return { text: first.text, confidence: 1 - (1 - first.confidence) * (1 - second.confidence) };
  }
  const evidence = evidenceOf(first, second, differing);
  const text = evidence > 0 ? textOf(places) : first.text;
  return { text, confidence: confidenceOf(evidence, first, second) };
}

/**
 * Returns true if both characters agree. The second recognizer reads most letters with accents
 * without them, so a letter of Tesseract with an accent agrees with the same letter without.
 */
const isSame = ({ first, second }: ReadPlace): boolean =>
  first !== undefined &&
  second !== undefined &&
  (plain(first) === plain(second.text) || isLikeness(first, second.text));

/**
 * Returns the character without accents. Quotation marks and dashes are returned in their simplest
 * form.
 */
const plain = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’‘‚]/u, "'").replace(/[“”„]/u, '"').replace(/[–—]/u, "-");

/** Characters that the second recognizer reads in place of those that it does not know. */
const likenesses: Readonly<Record<string, string>> = { ß: "BbßSs38", "€": "EeCcGf", "£": "EfL" };
const isLikeness = (first: string, second: string): boolean => likenesses[first]?.includes(second) ?? false;

/**
 * Returns the second reading, but with Tesseract's characters wherever both agree: they may have
 * accents.
 */
const textOf = (places: readonly ReadPlace[]): string =>
  places.map((place) => (isSame(place) ? (place.first ?? "") : (place.second?.text ?? ""))).join("");

function evidenceOf(first: Candidate, second: Candidate, differing: readonly ReadPlace[]): number {
  const replaced = differing.filter((place) => place.first !== undefined && place.second !== undefined);
  const least = Math.min(...replaced.map((place) => place.second?.confidence ?? 1));
  const missing = differing.filter((place) => place.second === undefined);
  const letters = missing.filter((place) => isLetter.test(place.first ?? "")).length;
  return (
    weights.constant +
    weights.secondConfidence * logit(replaced.length > 0 ? least : 0.85) +
    weights.firstConfidence * logit(first.confidence) +
    (differing.some((place) => place.first === undefined) ? weights.inserted : 0) +
    weights.missingLetter * letters +
    weights.missingMark * (missing.length - letters) +
    weights.form * (breaksOf(first.text) - breaksOf(second.text))
  );
}

const isLetter = /[\p{L}\p{N}]/u;

/** Returns the logit of a confidence. The confidence is limited, so that it can't decide alone. */
function logit(confidence: number): number {
  const share = Math.min(Math.max(confidence, 0.05), 0.99);
  return Math.log(share / (1 - share));
}

/**
 * Counts changes inside a word that are rare in text: between letters and digits, and from a small
 * letter to a capital.
 */
function breaksOf(text: string): number {
  return (text.match(letterThenDigit)?.length ?? 0) + (text.match(smallThenCapital)?.length ?? 0);
}

const letterThenDigit = /\p{L}(?=\p{N})|\p{N}(?=\p{L})/gu;
const smallThenCapital = /\p{Ll}(?=\p{Lu})/gu;

/** Returns the probability of the chosen reading, at most the confidence of its recognizer. */
function confidenceOf(evidence: number, first: Candidate, second: Candidate): number {
  const chosen = evidence > 0 ? second : first;
  return Math.min(1 / (1 + Math.exp(-Math.abs(evidence))), chosen.confidence);
}
