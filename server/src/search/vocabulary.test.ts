import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bytesOf, hashOf } from "./term-hash.ts";
import { Vocabulary } from "./vocabulary.ts";

function idOf(vocabulary: Vocabulary, word: string, hash?: number): number {
  const bytes = bytesOf(word);
  return vocabulary.idOf(bytes, 0, bytes.length, hash ?? hashOf(bytes, 0, bytes.length));
}

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).map((text) => text.replaceAll(" ", "_"));

test("words get ids in order of arrival and are found by id", () => {
  fc.assert(
    fc.property(fc.array(word), word, (words, other) => {
      const vocabulary = new Vocabulary();
      const distinct = [...new Set(words)];
      for (const each of words) assert.equal(idOf(vocabulary, each), distinct.indexOf(each));
      assert.equal(vocabulary.joined(), distinct.map((word) => ` ${word}`).join(""));
      assert.equal(vocabulary.size, distinct.length);
      for (const each of [...words, other])
        assert.equal(vocabulary.find(each), distinct.includes(each) ? distinct.indexOf(each) : undefined);
    }),
  );
});

test("the vocabulary grows beyond its initial size and keeps words with equal hashes apart", () => {
  const vocabulary = new Vocabulary();
  const words = Array.from({ length: 9_000 }, (_, i) => `${i}`.padStart(4 + (i % 9), "a"));
  const distinct = [...new Set(words)];
  for (const each of distinct) idOf(vocabulary, each, each.length % 7);
  for (const each of distinct.slice(0, 500))
    assert.equal(idOf(vocabulary, each, each.length % 7), distinct.indexOf(each));
  assert.equal(vocabulary.joined(), distinct.map((word) => ` ${word}`).join(""));
});
