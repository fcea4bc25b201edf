import assert from "node:assert/strict";
import { test } from "node:test";
import { hasProblems, problemsOf } from "../fields/field-problems.ts";
import { treeOf } from "../fields/field-tree.ts";
import { templateFields } from "./template-fields.ts";

test("Templates have fields that the service accepts, each with a description", () => {
  for (const [key, fields] of Object.entries(templateFields)) {
    assert.equal(hasProblems(problemsOf(treeOf(fields))), false, key);
    for (const { name, description, items } of fields.flatMap((field) => [field, ...field.items])) {
      assert.match(name, /^[a-z_]+$/);
      assert.ok(description.length > 5, `${key}: ${name}`);
      assert.ok(items.every(({ format }) => format !== "list"));
    }
  }
});
