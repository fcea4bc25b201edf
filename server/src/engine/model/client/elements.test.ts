/** Tests reading the elements of a list while it is still arriving. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { elementsOf } from "./elements.ts";

const schema = {
  type: "object",
  properties: {
    rows: {
      type: "array",
      items: {
        type: "object",
        properties: { text: { type: "string" }, of: { type: "array", items: { type: "number" } } },
        required: ["text", "of"],
        additionalProperties: false,
      },
    },
  },
  required: ["rows"],
};

async function* from(pieces: Iterable<string>): AsyncGenerator<string> {
  yield* pieces;
}

async function allOf(elements: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const element of elements) all.push(element);
  return all;
}

test("the elements do not depend on how the list is cut into pieces", async () => {
  const row = fc.record({ text: fc.string(), of: fc.array(fc.nat()) }, { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.nat({ max: 9 }), fc.boolean(), async (rows, size, fenced) => {
      const json = JSON.stringify({ rows });
      const text = fenced ? `\`\`\`json\n${json}\n\`\`\`` : json;
      const pieces = text.match(new RegExp(`[^]{1,${size + 1}}`, "g")) ?? [];
      assert.deepEqual(await allOf(elementsOf(from(pieces), schema)), rows);
    }),
  );
});

test("an element is returned before the list ends, unless it is invalid or truncated", async () => {
  const elements = elementsOf(
    from([
      '{"rows": [{"text": "a}", "of": [1]}',
      ', {"text": 5}, 7, {"text": "b", "of": [2],}, {"text": "c", "of": [3',
    ]),
    schema,
  );
  assert.deepEqual((await elements.next()).value, { text: "a}", of: [1] });
  assert.deepEqual(await allOf(elements), [{ text: "b", of: [2] }]);
});

test("a response that is not a list is malformed", async () => {
  for (const text of ["", "I am sorry.", "[1, 2]", '{"lines": []}', '{"rows": 3}'])
    await assert.rejects(allOf(elementsOf(from([text]), schema)), { kind: "malformed" });
});
