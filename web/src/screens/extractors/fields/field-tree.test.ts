import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, historyOf, redone, undone } from "./field-history.ts";
import { problemsOf, problemsOfIssues } from "./field-problems.ts";
import {
  addField,
  changeField,
  copyOf,
  countFields,
  type FieldNode,
  type FieldTree,
  insertAfter,
  moveField,
  newField,
  paramsOf,
  removeField,
  shiftField,
  sumsOf,
  treeOf,
} from "./field-tree.ts";

const example = () =>
  treeOf([
    { name: "number", format: "text", description: "Number", items: [] },
    {
      name: "lines",
      format: "list",
      description: "Lines",
      items: [
        { name: "amount", format: "number", description: "Amount", items: [] },
        { name: "label", format: "text", description: "", items: [] },
      ],
    },
  ]);

const idOf = (tree: FieldTree, ...path: number[]): string => {
  let nodes = tree;
  let node: FieldNode | undefined;
  for (const index of path) {
    node = nodes[index];
    nodes = node?.items ?? [];
  }
  return node?.id ?? "";
};
const names = (tree: FieldTree) => tree.map(({ name }) => name);

test("changing a nested field leaves all other fields the same objects", () => {
  const tree = example();
  const after = changeField(tree, idOf(tree, 1, 0), { name: "net" });
  assert.deepEqual(names(after[1]?.items ?? []), ["net", "label"]);
  assert.equal(after[0], tree[0]);
  assert.equal(after[1]?.items[1], tree[1]?.items[1]);
});

test("a list whose format is changed keeps its items, but does not send them", () => {
  const tree = example();
  const asText = changeField(tree, idOf(tree, 1), { format: "text" });
  assert.deepEqual(paramsOf(asText)[1]?.items, []);
  assert.equal(countFields(asText), 2);
  const asList = changeField(asText, idOf(tree, 1), { format: "list" });
  assert.deepEqual(paramsOf(asList), paramsOf(tree));
});

test("a field that becomes a list gets one empty item to fill in", () => {
  const tree = example();
  const after = changeField(tree, idOf(tree, 0), { format: "list" });
  assert.equal(after[0]?.items.length, 1);
});

test("fields can be added, moved, duplicated and removed, but not moved to another list", () => {
  const tree = example();
  const added = addField(tree, idOf(tree, 1), newField("tax"));
  assert.deepEqual(names(added[1]?.items ?? []), ["amount", "label", "tax"]);
  const shifted = shiftField(added, idOf(added, 1, 2), -1);
  assert.deepEqual(names(shifted[1]?.items ?? []), ["amount", "tax", "label"]);
  assert.equal(shiftField(tree, idOf(tree, 0), -1), tree);
  const moved = moveField(added, idOf(added, 1, 0), idOf(added, 1, 2));
  assert.deepEqual(names(moved[1]?.items ?? []), ["label", "tax", "amount"]);
  assert.equal(moveField(tree, idOf(tree, 0), idOf(tree, 1, 0)), tree);
  const copy = copyOf(tree, idOf(tree, 1));
  assert.equal(copy?.name, "lines_2");
  assert.notEqual(copy?.items[0]?.id, idOf(tree, 1, 0));
  assert.deepEqual(names(insertAfter(tree, idOf(tree, 0), copy ?? newField())), ["number", "lines_2", "lines"]);
  assert.deepEqual(names(removeField(tree, idOf(tree, 1, 1))[1]?.items ?? []), ["amount"]);
});

test("a typed word is undone in one step, and every other change in its own step", () => {
  const tree = example();
  const id = idOf(tree, 0);
  let history = historyOf(tree);
  for (const name of ["n", "ne", "net"])
    history = changed(history, changeField(history.present, id, { name }), `${id}-name`);
  history = changed(history, removeField(history.present, id));
  history = undone(history);
  assert.equal(history.present[0]?.name, "net");
  history = undone(history);
  assert.equal(history.present, tree);
  assert.equal(undone(history), history);
  assert.equal(redone(history).present[0]?.name, "net");
});

test("each problem for which the service would refuse a field is found", () => {
  const deep = (levels: number): FieldNode =>
    levels === 0 ? newField("leaf") : { ...newField("list"), format: "list", items: [deep(levels - 1)] };
  const tree: FieldTree = [
    newField("a"),
    newField("a"),
    newField(""),
    newField("__proto__"),
    newField("x".repeat(101)),
    { ...newField("long"), description: "x".repeat(2001) },
    { ...newField("empty"), format: "list" },
    deep(5),
  ];
  const { byField, general } = problemsOf(tree);
  const kinds = tree.flatMap(({ id }) => Object.values(byField.get(id) ?? {}).map(({ kind }) => kind));
  assert.deepEqual(kinds, [
    "name_taken",
    "name_missing",
    "name_forbidden",
    "name_too_long",
    "description_too_long",
    "list_empty",
  ]);
  assert.deepEqual([...byField.values()].at(-1), { format: { kind: "too_deep" } });
  assert.deepEqual(general, []);
  assert.equal(problemsOf([deep(4)]).byField.size, 0);
});

test("more than 500 fields are refused, counting all levels", () => {
  const fields = Array.from({ length: 499 }, (_, index) => newField(`f${index}`));
  const list: FieldNode = { ...newField("list"), format: "list", items: [newField("item")] };
  assert.deepEqual(problemsOf([...fields, newField("last")]).general, []);
  assert.deepEqual(problemsOf([...fields, list]).general, ["too_many"]);
});

test("issues reported by the service are assigned to their fields", () => {
  const tree = example();
  const { byField, general } = problemsOfIssues(tree, [
    { path: "/configuration/params/1/items/0/name", message: "must be unique among its siblings" },
    { path: "/configuration/params/1/items", message: "must not nest deeper than 5 levels" },
    { path: "/configuration/engine", message: "needs a language model" },
    { path: "/configuration/params/7/name", message: "is required" },
  ]);
  assert.deepEqual(byField.get(idOf(tree, 1, 0)), {
    name: { kind: "refused", message: "must be unique among its siblings" },
  });
  assert.deepEqual(Object.keys(byField.get(idOf(tree, 1)) ?? {}), ["items"]);
  assert.equal(general.length, 2);
});

test("only rules that the field's format may have are kept", () => {
  const [field] = treeOf([
    { name: "total", format: "number", description: "", items: [], rules: { required: true, minimum: 0 } },
  ]);
  assert.ok(field);
  assert.deepEqual(paramsOf([field])[0]?.rules, { required: true, minimum: 0 });
  assert.deepEqual(paramsOf(changeField([field], field.id, { format: "text" }))[0]?.rules, { required: true });
  const plain = paramsOf(changeField([field], field.id, { rules: undefined }))[0];
  assert.equal(plain !== undefined && "rules" in plain, false);
});

test("as sums, the number fields in lists beside the field are offered", () => {
  assert.deepEqual(sumsOf(example()), ["/lines/amount"]);
  const list = {
    ...newField("a/b"),
    format: "list" as const,
    items: [{ ...newField("c~d"), format: "number" as const }],
  };
  assert.deepEqual(sumsOf([list]), ["/a~1b/c~0d"]);
});
