/**
 * Computes the edit distance of words that OCR misread. Digits and negations must match exactly.
 */
import { polarities } from "../lexicon/questions/negation.ts";
import { isNumber } from "./atoms.ts";

const shortWord = 3;
const longWord = 8;

export const negations: ReadonlySet<string> = new Set([...polarities.values()].flatMap((each) => [...each.negations]));

/** Returns the edit distance, or undefined if neither word can be a misreading of the other. */
export function wordDistance(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  const most = shorter <= shortWord ? 0 : shorter < longWord ? 1 : 2;
  if (Math.abs(a.length - b.length) > most || most === 0) return undefined;
  if (isNumber(a) || isNumber(b) || negations.has(a) || negations.has(b)) return undefined;
  // The extra letters at the front may be a negation, as in "illegal" and "legal".
  if (a.endsWith(b) || b.endsWith(a)) return undefined;
  const distance = edits(a, b);
  return distance <= most ? distance : undefined;
}

/**
 * Characters that OCR confuses in poor scans, folded. Each string is a digit and the letters that
 * look like it.
 */
const lookalikes = ["0odqc", "1lijt", "2z", "3e", "4a", "5s", "6gb", "7ty", "8b", "9gqp"];

export const looksLike = (a: string, b: string): boolean =>
  lookalikes.some((each) => each.includes(a) && each.includes(b) && (each[0] === a || each[0] === b));

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
