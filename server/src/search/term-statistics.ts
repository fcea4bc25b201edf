/**
 * Estimates, from a sample, in how many passages of an agent a term occurs. Terms are counted by
 * their hash, so the statistics take at most 256 KiB, however many different words there are. If
 * two terms have the same hash, the rarer term seems a little less rare than it is.
 */
import { bytesOf, emptyHash, hashedOn, hashOf, placeOf, space } from "./term-hash.ts";
import { mark, termsEnd } from "./terms-column.ts";

const maxBuckets = 2 ** 17;
/**
 * Number of counters for each passage of the sample. With 64 counters per passage, hash collisions
 * reduce nDCG@10 by 0.005 in small corpora.
 */
const bucketsPerPassage = 256;

/** Statistics of the terms of the searched passages, for ranking. */
export type TermShares = Pick<TermStatistics, "sampled" | "meanLength" | "shareOf" | "shareOfHash">;

export class TermStatistics {
  /** Number of passages in the sample. */
  readonly sampled: number;
  /** Mean number of terms of a passage in the sample. */
  readonly meanLength: number;
  /** Languages of at least a tenth of the passages in the sample, the most frequent first. */
  readonly languages: readonly string[];
  readonly #counts: Uint16Array;

  /**
   * @param columns terms columns of the passages in the sample
   * @param languages language of each of these passages
   */
  constructor(columns: readonly Buffer[], languages: readonly string[]) {
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, columns.length) * bucketsPerPassage));
    this.#counts = new Uint16Array(Math.min(maxBuckets, buckets));
    let length = 0;
    // Reads bytes instead of strings, because a sample has half a million words.
    const lastIn = new Uint32Array(this.#counts.length);
    columns.forEach((column, index) => {
      let hash = emptyHash;
      const end = termsEnd(column);
      for (let at = 0; at <= end; at++) {
        const byte = column[at] ?? 0;
        if (byte !== space) {
          hash = hashedOn(hash, byte);
          continue;
        }
        const bucket = placeOf(hash, this.#counts.length);
        const isMark = hash === hashOfMark;
        hash = emptyHash;
        if (isMark) continue;
        length++;
        if (lastIn[bucket] === index + 1) continue;
        lastIn[bucket] = index + 1;
        this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
      }
    });
    this.sampled = columns.length;
    this.meanLength = Math.max(1, length / Math.max(1, columns.length));
    this.languages = commonLanguages(languages);
  }

  /** Returns the share (0–1) of the passages that contain the term. */
  shareOf(term: string): number {
    return this.shareOfHash(hashOfTerm(term));
  }

  shareOfHash(hash: number): number {
    return this.sampled === 0 ? 0 : (this.#counts[placeOf(hash, this.#counts.length)] ?? 0) / this.sampled;
  }
}

function hashOfTerm(term: string): number {
  const bytes = bytesOf(term);
  return hashOf(bytes, 0, bytes.length);
}

const hashOfMark = hashOfTerm(mark);

function commonLanguages(languages: readonly string[]): string[] {
  const counts = Map.groupBy(languages, (language) => language);
  return [...counts]
    .filter(([, all]) => all.length * 10 >= languages.length)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([language]) => language);
}
