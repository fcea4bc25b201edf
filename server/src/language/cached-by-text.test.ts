import assert from "node:assert/strict";
import { test } from "node:test";
import { cachedByText } from "./cached-by-text.ts";

test("each text is computed once, also if its result is undefined", () => {
  const computed: string[] = [];
  const lengthOf = cachedByText(3, (text) => {
    computed.push(text);
    return text === "" ? undefined : text.length;
  });
  assert.deepEqual(["a", "", "a", ""].map(lengthOf), [1, undefined, 1, undefined]);
  assert.deepEqual(computed, ["a", ""]);
});

test("a full cache forgets all texts, and results stay the same", () => {
  let computed = 0;
  const lengthOf = cachedByText(2, (text) => {
    computed++;
    return text.length;
  });
  assert.deepEqual(["a", "bb", "ccc", "a", "ccc"].map(lengthOf), [1, 2, 3, 1, 3]);
  assert.equal(computed, 4);
});
