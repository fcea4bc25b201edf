import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentParam } from "@sheaf/client";
import { importFields, jsonSchemaOf, paramsJson } from "./json-fields.ts";

const params: AgentParam[] = [
  { name: "number", format: "text", description: "Number of the invoice", items: [] },
  { name: "total", format: "number", description: "", items: [] },
  { name: "paid", format: "boolean", description: "Whether it is paid", items: [] },
  {
    name: "lines",
    format: "list",
    description: "The lines",
    items: [
      { name: "amount", format: "number", description: "Amount", items: [] },
      {
        name: "taxes",
        format: "list",
        description: "Taxes",
        items: [{ name: "rate", format: "number", description: "", items: [] }],
      },
    ],
  },
];

const read = (json: unknown) => {
  const result = importFields(JSON.stringify(json));
  assert.ok("fields" in result, JSON.stringify(result));
  return result;
};
const kinds = (json: unknown) => read(json).notes.map(({ kind, field }) => `${kind} ${field}`);

test("exported fields are imported unchanged, as JSON and as JSON Schema, without a note", () => {
  assert.deepEqual(importFields(paramsJson(params)), { fields: params, notes: [] });
  assert.deepEqual(importFields(jsonSchemaOf("Invoice", params)), { fields: params, notes: [] });
  assert.deepEqual(read({ data: { configuration: { params } } }).fields, params);
});

test("a note says that a date in a request becomes text", () => {
  const result = read([{ name: "due", format: "date", description: "Due date" }]);
  assert.deepEqual(result.fields, [{ name: "due", format: "text", description: "Due date", items: [] }]);
  assert.deepEqual(result.notes, [{ kind: "date_as_text", field: "due" }]);
});

test("a schema with references, enums, nested objects and lists of plain values is imported", () => {
  const schema = {
    type: "object",
    properties: {
      due: { type: "string", format: "date" },
      count: { type: ["integer", "null"], minimum: 0 },
      state: { enum: ["open", "paid", null], description: "State" },
      seller: { $ref: "#/$defs/party" },
      tags: { type: "array", items: { type: "string" } },
      total: { anyOf: [{ type: "number" }, { type: "null" }], title: "Total" },
      rows: { type: "array", items: { $ref: "#/$defs/party" } },
    },
    $defs: { party: { type: "object", properties: { name: { type: "string" } } } },
  };
  const { fields } = read(schema);
  assert.deepEqual(
    fields.map(({ name, format }) => `${name} ${format}`),
    ["due text", "count number", "state text", "seller_name text", "tags list", "total number", "rows list"],
  );
  assert.equal(fields[2]?.description, "State (one of: open, paid)");
  assert.equal(fields[5]?.description, "Total");
  assert.deepEqual(
    fields[4]?.items.map(({ name }) => name),
    ["value"],
  );
  assert.deepEqual(kinds(schema), [
    "date_as_text due",
    "constraints_dropped count",
    "integer_as_number count",
    "choices_in_description state",
    "object_flattened seller",
    "values_as_list tags",
  ]);
});

test("importing a schema that refers to itself ends", () => {
  const list = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
  };
  assert.ok(kinds(list).includes("too_deep_dropped children.children.children.children.children"));
  const group = { type: "object", properties: { name: { type: "string" }, next: { $ref: "#" } } };
  assert.ok(kinds(group).some((kind) => kind.startsWith("too_deep_dropped")));
  const loop = { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } };
  assert.ok(kinds(loop).includes("reference_dropped a"));
});

test("an error says why a text cannot be imported", () => {
  assert.deepEqual(importFields("{"), { problem: "not_json" });
  assert.deepEqual(importFields("[]"), { problem: "no_fields" });
  assert.deepEqual(importFields('{"a": 1}'), { problem: "unknown_form" });
  assert.deepEqual(importFields("3"), { problem: "unknown_form" });
});
