/** Chooses between two readings of one word: Tesseract's, and the second recognizer's. */

export interface Candidate {
  text: string;
  /** Probability that the text is correct, from 0 to 1. */
  confidence: number;
}

/**
 * One character position of the word: what Tesseract read there (`first`) and what the second
 * recognizer read there (`second`). Either may be missing.
 */
export interface ReadPlace {
  first?: string;
  second?: Candidate;
}

/**
 * Weights of the evidence that the second reading is the correct one, in logits. They were chosen
 * on one half of 60 receipts in 2026-11; `bench/RESULTS.md` has the results for the other half.
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
/**
 * Minimum confidence at which a word is kept if only one recognizer has found it: only Tesseract
 * (`first`), or only the second recognizer (`second`).
 */
const minAlone = { first: 0.4, second: 0.4 };

/**
 * Returns the better reading. Returns undefined if only one recognizer has found the word and its
 * confidence is so low that the word is probably not text.
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
 * Returns true if both recognizers read the same character. The second recognizer reads most
 * accented letters without their accent, so Tesseract's "é" counts as equal to the second
 * recognizer's "e".
 */
const isSame = ({ first, second }: ReadPlace): boolean =>
  first !== undefined &&
  second !== undefined &&
  (plain(first) === plain(second.text) || isLikeness(first, second.text));

/**
 * Returns the text without accents, and with quotation marks and dashes replaced by their ASCII
 * forms.
 */
const plain = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’‘‚]/u, "'").replace(/[“”„]/u, '"').replace(/[–—]/u, "-");

/**
 * Maps each character that the second recognizer does not know to the characters that it reads
 * instead.
 */
const likenesses: Readonly<Record<string, string>> = { ß: "BbßSs38", "€": "EeCcGf", "£": "EfL" };
const isLikeness = (first: string, second: string): boolean => likenesses[first]?.includes(second) ?? false;

/**
 * Returns the second reading, but with Tesseract's character wherever both recognizers agree,
 * because the second recognizer leaves out most accents.
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

/**
 * Returns the logit of a confidence. Very low and very high confidences are clipped, so that a
 * single confidence can't outweigh all other evidence.
 */
function logit(confidence: number): number {
  const share = Math.min(Math.max(confidence, 0.05), 0.99);
  return Math.log(share / (1 - share));
}

/**
 * Counts changes inside a word that are rare in real text: from a letter to a digit or back, and
 * from a lower-case letter to a capital.
 */
function breaksOf(text: string): number {
  return (text.match(letterThenDigit)?.length ?? 0) + (text.match(smallThenCapital)?.length ?? 0);
}

const letterThenDigit = /\p{L}(?=\p{N})|\p{N}(?=\p{L})/gu;
const smallThenCapital = /\p{Ll}(?=\p{Lu})/gu;

/**
 * Returns the probability that the chosen reading is correct. It is never higher than the
 * confidence that the recognizer reported for this reading.
 */
function confidenceOf(evidence: number, first: Candidate, second: Candidate): number {
  const chosen = evidence > 0 ? second : first;
  return Math.min(1 / (1 + Math.exp(-Math.abs(evidence))), chosen.confidence);
}
