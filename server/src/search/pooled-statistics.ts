/** Combines the term statistics of several indexes as if all their passages were in one index. */
import type { TermShares, TermStatistics } from "./term-statistics.ts";

interface Measured {
  statistics: TermStatistics;
  /** Number of passages of the index. */
  passages: number;
}

export class PooledStatistics implements TermShares {
  readonly sampled: number;
  readonly meanLength: number;
  /** Languages that are common in at least one index. Those of the largest index come first. */
  readonly languages: readonly string[];
  /** Total number of passages. */
  readonly passages: number;
  readonly #parts: readonly Measured[];

  constructor(parts: readonly Measured[]) {
    this.#parts = parts;
    this.passages = parts.reduce((sum, { passages }) => sum + passages, 0);
    this.sampled = parts.reduce((sum, { statistics }) => sum + statistics.sampled, 0);
    this.meanLength = Math.max(
      1,
      this.#mean(({ meanLength }) => meanLength),
    );
    const bySize = parts.toSorted((a, b) => b.passages - a.passages);
    this.languages = [...new Set(bySize.flatMap(({ statistics }) => statistics.languages))];
  }

  shareOf(term: string): number {
    return this.#mean((statistics) => statistics.shareOf(term));
  }

  shareOfHash(hash: number): number {
    return this.#mean((statistics) => statistics.shareOfHash(hash));
  }

  /** Returns the mean over all passages. Each index counts in proportion to its size. */
  #mean(measure: (statistics: TermStatistics) => number): number {
    if (this.passages === 0) return 0;
    return this.#parts.reduce((sum, part) => sum + measure(part.statistics) * part.passages, 0) / this.passages;
  }
}
