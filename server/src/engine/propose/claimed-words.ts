/**
 * Keeps track of the words that are claimed: they are already part of the label or value of a
 * proposal.
 */
import type { Box } from "../../reading/document.ts";
import { centreX, centreY, type PageRuns, wordAt } from "../page/text-runs.ts";

export class ClaimedWords {
  readonly #byPage = new Map<number, Set<number>>();

  add(page: number, words: Iterable<number>): void {
    const claimed = this.#byPage.get(page) ?? new Set();
    for (const word of words) claimed.add(word);
    this.#byPage.set(page, claimed);
  }

  has(page: number, words: readonly number[]): boolean {
    const claimed = this.#byPage.get(page);
    return claimed !== undefined && words.some((word) => claimed.has(word));
  }

  /** Claims the words of a page that are within the boxes. */
  addBoxes(page: PageRuns, boxes: readonly Box[]): void {
    const [first] = page.runs;
    if (first) this.add(first.page, wordsInBoxes(page, boxes));
  }
}

/** Returns the words whose centres are within one of the boxes. */
export function wordsInBoxes({ page, runs }: PageRuns, boxes: readonly Box[]): number[] {
  return runs
    .flatMap((run) => run.words)
    .filter((index) => {
      const box = wordAt(page, index).box;
      const [x, y] = [centreX(box), centreY(box)];
      return boxes.some(([left, top, right, bottom]) => x >= left && x <= right && y >= top && y <= bottom);
    });
}
