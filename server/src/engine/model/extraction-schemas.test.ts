import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { conform } from "./client/conform.ts";
import { lineSchema, quoteSchema } from "./extraction-schemas.ts";

test("the schema with quotes has closed objects and can be checked", () => {
  const params: ExtractionParam[] = [
    { name: "total", format: "number", description: "Total amount" },
    { name: "__proto__", format: "text", description: "Name of the seller" },
    {
      name: "lines",
      format: "list",
      description: "What is charged",
      items: [
        { name: "item", format: "text", description: "Name of the product" },
        { name: "price", format: "number", description: "Price" },
      ],
    },
  ];
  const schema = quoteSchema(params);
  const empty = { value: null, quote: null, page: null };
  const answer = JSON.parse('{"total": 0, "__proto__": 0, "lines": []}');
  const fits = {
    ...Object.fromEntries(Object.keys(answer).map((key) => [key, empty])),
    lines: [{ item: empty, price: empty }],
  };
  Object.defineProperty(fits, "__proto__", { value: empty, enumerable: true });
  assert.deepEqual(conform(schema, fits).problems, []);
  assert.notDeepEqual(conform(schema, answer).problems, []);
});

test("the schema with line numbers has closed objects and nullable leaves", () => {
  const params: ExtractionParam[] = [{ name: "total", format: "number", description: "Total amount\n\nto pay" }];
  assert.deepEqual(lineSchema(params), {
    type: "object",
    properties: {
      total: {
        anyOf: [
          {
            type: "object",
            properties: { value: { type: "number" }, line: { type: "integer" } },
            required: ["value", "line"],
            additionalProperties: false,
          },
          { type: "null" },
        ],
      },
    },
    required: ["total"],
    additionalProperties: false,
  });
});
