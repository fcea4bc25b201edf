/** Computes the similarity of words, from 0 to 1. */
import type { Vocabulary } from "./vocabulary.ts";

/**
 * Minimum length of a word that is compared, in characters. A shorter word would be similar to too
 * many others.
 */
const minLength = 4;
/** Minimum Dice similarity of trigrams, 0 to 1. Chosen by hand, 2026-11. */
const minSimilarity = 0.5;
const end = "_".charCodeAt(0);

/** Finds the words that are similar to a term, as ids of the vocabulary. */
export class Kinship {
  readonly #vocabulary: Vocabulary;
  readonly #words: readonly string[];
  /** All words, with a space before each. `#starts` has their offsets. */
  readonly #joined: string;
  readonly #starts: Int32Array;
  readonly #byInitial: ReadonlyMap<string, number[]>;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#joined = vocabulary.joined();
    this.#words = vocabulary.size === 0 ? [] : this.#joined.slice(1).split(" ");
    this.#starts = new Int32Array(this.#words.length);
    const byInitial = new Map<string, number[]>();
    let start = 1;
    this.#words.forEach((word, id) => {
      this.#starts[id] = start;
      start += word.length + 1;
      if (word.length < minLength) return;
      const initial = word[0] ?? "";
      const others = byInitial.get(initial);
      if (others) others.push(id);
      else byInitial.set(initial, [id]);
    });
    this.#byInitial = byInitial;
  }

  /**
   * Returns the ids of the words that are similar to a term, with their similarities. The term
   * itself is left out. If one word contains the other, the similarity is the ratio of their
   * lengths. Otherwise it is the share of trigrams that they have in common (Dice), if both begin
   * with the same letter and the share is at least 0.5.
   */
  kinOf(term: string): Map<number, number> {
    const kin = new Map<number, number>();
    const inner = (id: number | undefined, length: number): void => {
      if (id !== undefined) kin.set(id, Math.min(length, term.length) / Math.max(length, term.length));
    };
    for (let from = 0; from + minLength <= term.length; from++)
      for (let to = from + minLength; to <= term.length && to - from < term.length; to++)
        inner(this.#vocabulary.find(term.slice(from, to)), to - from);
    for (let at = this.#joined.indexOf(term); at !== -1; at = this.#joined.indexOf(term, at + 1)) {
      const id = this.#wordAt(at);
      const { length } = this.#words[id] ?? "";
      if (length > term.length && length >= minLength) inner(id, length);
    }
    const codes = codesOf(term);
    const trigrams = new Set(Array.from({ length: term.length }, (_, i) => codes.slice(i, i + 3).join())).size;
    for (const id of this.#byInitial.get(term[0] ?? "") ?? []) {
      const word = this.#words[id] ?? "";
      if (kin.has(id) || word === term) continue;
      const dice = (2 * commonTrigrams(codes, word)) / (word.length + trigrams);
      if (dice >= minSimilarity) kin.set(id, Math.min(1, dice));
    }
    return kin;
  }

  #wordAt(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * Returns the UTF-16 codes of a word, with a boundary marker at both ends. With the markers, a word
 * has as many trigrams as characters.
 */
function codesOf(word: string): number[] {
  return [end, ...Array.from({ length: word.length }, (_, i) => word.charCodeAt(i)), end];
}

/** Counts the trigrams of the word that also occur in `codes`. */
function commonTrigrams(codes: readonly number[], word: string): number {
  let common = 0;
  let first = end;
  let second = word.charCodeAt(0);
  for (let i = 1; i <= word.length; i++) {
    const third = i < word.length ? word.charCodeAt(i) : end;
    for (let j = 2; j < codes.length; j++)
      if (codes[j - 2] === first && codes[j - 1] === second && codes[j] === third) {
        common++;
        break;
      }
    first = second;
    second = third;
  }
  return common;
}
