/** Finds phrases in a token sequence in one pass, the longest match at each position. */

import { labelTokensOf } from "../../language/label-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";

export interface PhraseHit<T> {
  value: T;
  /** Token range, `end` exclusive. */
  start: number;
  end: number;
  /**
   * True if the phrase matches only the last part of a compound, such as `Rechnung` in
   * `Schlussrechnung`.
   */
  compound: boolean;
}

interface Entry<T> {
  stems: readonly string[];
  values: T[];
}

/**
 * Minimum length, in characters, of the last part of a compound. German and Dutch write compounds
 * as one word, and the last part names the kind: `Schlussrechnung` is a `Rechnung`. Chosen by hand,
 * 2026-11.
 */
const minCompoundHead = 6;
const minCompoundPrefix = 3;
const maxCompound = 40;

const endings = ["en", "es", "er", "s", "n", "e", "a", "i", "o"];
const minStem = 4;

/**
 * Strips plural and case endings of all languages in the lexicon: `letters` and `lettera` both
 * become `lett`. It is deliberately crude, because it must work without knowing the language.
 */
function stem(word: string): string {
  const left = word.endsWith("y") && word.length > minStem ? `${word.slice(0, -1)}i` : word;
  const ending = endings.find((each) => left.endsWith(each) && left.length - each.length >= minStem);
  return ending ? stem(left.slice(0, -ending.length)) : left;
}

export const stemsOf = (text: string): string[] => labelTokensOf(text).map((token) => stem(token.text));

export class PhraseTable<T> {
  readonly #byFirst = new Map<string, Entry<T>[]>();
  readonly #heads = new Set<string>();

  /** Adds phrases for a value. `phrases` is a comma-separated list. */
  add(phrases: string, value: T): void {
    for (const phrase of phrases.split(",")) this.#addPhrase(stemsOf(phrase), value);
  }

  #addPhrase(stems: readonly string[], value: T): void {
    const first = stems[0];
    if (first === undefined) return;
    const entries = this.#byFirst.get(first) ?? [];
    this.#byFirst.set(first, entries);
    const known = entries.find((entry) => entry.stems.join(" ") === stems.join(" "));
    if (known) {
      if (!known.values.includes(value)) known.values.push(value);
      return;
    }
    entries.push({ stems, values: [value] });
    entries.sort((a, b) => b.stems.length - a.stems.length);
    if (stems.length === 1 && first.length >= minCompoundHead) this.#heads.add(first);
  }

  /**
   * Returns the longest phrase at each position. If a phrase was added for several values, returns
   * one hit per value.
   */
  find(stems: readonly string[]): PhraseHit<T>[] {
    const hits: PhraseHit<T>[] = [];
    for (let at = 0; at < stems.length; ) {
      const entry = this.#at(stems, at);
      const end = at + Math.max(1, entry?.stems.length ?? 0);
      const compound = entry !== undefined && entry.stems[0] !== stems[at];
      for (const value of entry?.values ?? []) hits.push({ value, start: at, end, compound });
      at = end;
    }
    return hits;
  }

  #at(stems: readonly string[], at: number): Entry<T> | undefined {
    const word = itemAt(stems, at);
    const entries = this.#byFirst.get(word) ?? this.#compound(word);
    return entries?.find((entry) => entry.stems.every((part, i) => i === 0 || stems[at + i] === part));
  }

  #compound(word: string): Entry<T>[] | undefined {
    if (word.length < minCompoundHead + minCompoundPrefix || word.length > maxCompound) return undefined;
    for (let cut = minCompoundPrefix; cut <= word.length - minCompoundHead; cut++) {
      const head = word.slice(cut);
      if (this.#heads.has(head)) return this.#byFirst.get(head)?.filter((entry) => entry.stems.length === 1);
    }
    return undefined;
  }
}
