import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Kinship } from "./kinship.ts";
import { bytesOf, hashOf } from "./term-hash.ts";
import { Vocabulary } from "./vocabulary.ts";

function among(...words: string[]): Kinship {
  const vocabulary = new Vocabulary();
  for (const word of words) {
    const bytes = bytesOf(word);
    vocabulary.idOf(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
  }
  return new Kinship(vocabulary);
}

test("compound parts, other endings and other spellings are similar", () => {
  const kin = among("frist", "kündigungsfrist", "ist", "fristen", "frost", "christ").kinOf("frist");
  assert.deepEqual([...kin.keys()].toSorted(), [1, 3]);
  assert.equal(kin.get(1), 5 / 15);
  assert.equal(kin.get(3), 5 / 7);
  assert.deepEqual(among("contract", "contrakt").kinOf("contract"), new Map([[1, 10 / 16]]));
  assert.deepEqual(among("rate", "frist").kinOf("kündigungsfrist"), new Map([[1, 5 / 15]]));
});

/** Computes the similarity of a pair as the documentation of `kinOf` defines it. */
function kinshipOf(term: string, word: string): number {
  if (word.length < 4 || word === term) return 0;
  if (word.includes(term) || term.includes(word)) return Math.min(word.length / term.length, term.length / word.length);
  if (word[0] !== term[0]) return 0;
  const trigramsOf = (of: string) => Array.from({ length: of.length }, (_, i) => `_${of}_`.slice(i, i + 3));
  const own = new Set(trigramsOf(term));
  const dice = (2 * trigramsOf(word).filter((each) => own.has(each)).length) / (word.length + own.size);
  return dice >= 0.5 ? Math.min(1, dice) : 0;
}

test("searching many words finds the same similar words as comparing pair by pair", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "д"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 40 }),
      fc.string({ minLength: 4, unit: "grapheme-ascii" }),
      word,
      (words, other, term) => {
        for (const each of [term, other.replaceAll(" ", "a")]) {
          const expected = words.flatMap((held, id) =>
            kinshipOf(each, held) > 0 ? [[id, kinshipOf(each, held)]] : [],
          );
          const byId = (x: readonly number[], y: readonly number[]) => (x[0] ?? 0) - (y[0] ?? 0);
          assert.deepEqual([...among(...words).kinOf(each)].toSorted(byId), expected);
        }
      },
    ),
    { numRuns: 500 },
  );
});
