/**
 * Compares the words that were read with the correct ones. The order of words, case and surrounding
 * punctuation do not matter.
 */

export interface WordCounts {
  found: number;
  expected: number;
  right: number;
  add(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void;
}

export function zeroCounts(): WordCounts {
  return {
    found: 0,
    expected: 0,
    right: 0,
    add(found, expected) {
      this.found += sizeOf(found);
      this.expected += sizeOf(expected);
      for (const [word, count] of expected) this.right += Math.min(count, found.get(word) ?? 0);
    },
  };
}

export const wordF1 = ({ found, expected, right }: WordCounts): number => (2 * right) / Math.max(1, found + expected);

export function bagOf(text: string): Map<string, number> {
  const bag = new Map<string, number>();
  for (const token of text.toLowerCase().split(/\s+/)) {
    const word = token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    if (word !== "") bag.set(word, (bag.get(word) ?? 0) + 1);
  }
  return bag;
}

const sizeOf = (bag: ReadonlyMap<string, number>): number => bag.values().reduce((sum, count) => sum + count, 0);
