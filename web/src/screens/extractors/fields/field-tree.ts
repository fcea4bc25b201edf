/** The fields in the editor: a tree whose nodes keep their ids while they are changed and moved. */
import type { AgentParam, FieldRules } from "@sheaf/client";

export type FieldFormat = AgentParam["format"];
export const fieldFormats = ["text", "number", "boolean", "list"] as const satisfies readonly FieldFormat[];

/** Limits of the API, checked here so that a mistake is shown before sending. */
export const fieldLimits = { fields: 500, levels: 5, nameLength: 100, descriptionLength: 2_000 } as const;

export interface FieldNode {
  /** Id of the node within the editor. */
  readonly id: string;
  readonly name: string;
  readonly format: FieldFormat;
  readonly description: string;
  /**
   * Fields of each row, if this field is a list. Kept if the format changes, so that an accidental
   * change can be reverted.
   */
  readonly items: readonly FieldNode[];
  readonly rules?: FieldRules | undefined;
}

export type FieldTree = readonly FieldNode[];

let lastId = 0;
const newId = () => `field-${++lastId}`;

export const newField = (name = ""): FieldNode => ({ id: newId(), name, format: "text", description: "", items: [] });

export const treeOf = (params: readonly AgentParam[]): FieldTree =>
  params.map(({ name, format, description, items, rules }) => ({
    id: newId(),
    name,
    format,
    description,
    items: treeOf(items),
    rules,
  }));

/** Returns the fields in the format of the API, where only lists have items. */
export const paramsOf = (tree: FieldTree): AgentParam[] =>
  tree.map(({ name, format, description, items, rules }) => {
    const fitting = rulesFor(format, rules);
    return {
      name,
      format,
      description,
      items: format === "list" ? paramsOf(items) : [],
      ...(fitting && { rules: fitting }),
    };
  });

/** Rules that each format allows. All formats also allow `required`. */
const rulesOfFormat: Readonly<Record<FieldFormat, readonly (keyof FieldRules)[]>> = {
  text: ["required", "pattern", "one_of"],
  number: ["required", "minimum", "maximum", "sum_of"],
  boolean: ["required"],
  list: ["required"],
};

/** Returns the rules that the format allows; undefined if there are none. */
export function rulesFor(format: FieldFormat, rules: FieldRules | undefined): FieldRules | undefined {
  const fitting = rulesOfFormat[format].filter((name) => rules?.[name] !== undefined);
  return fitting.length === 0 ? undefined : Object.fromEntries(fitting.map((name) => [name, rules?.[name]]));
}

/**
 * Returns JSON pointers to the number fields inside those `siblings` that are lists. The rule
 * `sum_of` can require a value to equal the sum of one of these fields over all rows.
 */
export const sumsOf = (siblings: FieldTree): string[] =>
  siblings
    .filter(({ format }) => format === "list")
    .flatMap((list) =>
      list.items
        .filter(({ format, name }) => format === "number" && name !== "" && list.name !== "")
        .map(({ name }) => `/${escapeSegment(list.name)}/${escapeSegment(name)}`),
    );

const escapeSegment = (text: string): string => text.replaceAll("~", "~0").replaceAll("/", "~1");

/** Number of fields at all levels, as the API counts them. */
export const countFields = (tree: FieldTree): number =>
  tree.reduce((sum, { format, items }) => sum + 1 + (format === "list" ? countFields(items) : 0), 0);

export type FieldChange = Partial<Pick<FieldNode, "name" | "format" | "description" | "rules">>;

/**
 * Replaces the list of siblings that contains the node. Reuses the objects of all other parts of
 * the tree.
 */
function changeSiblings(
  tree: FieldTree,
  id: string,
  change: (siblings: FieldTree, index: number) => FieldTree,
): FieldTree {
  const index = tree.findIndex((node) => node.id === id);
  if (index >= 0) return change(tree, index);
  let isChanged = false;
  const nodes = tree.map((node) => {
    if (isChanged || node.items.length === 0) return node;
    const items = changeSiblings(node.items, id, change);
    if (items === node.items) return node;
    isChanged = true;
    return { ...node, items };
  });
  return isChanged ? nodes : tree;
}

export const changeField = (tree: FieldTree, id: string, change: FieldChange): FieldTree =>
  changeSiblings(tree, id, (siblings, index) =>
    siblings.map((node, at) => {
      if (at !== index) return node;
      const changed = { ...node, ...change };
      // A new list gets one item, because the service refuses a list without items.
      return changed.format === "list" && changed.items.length === 0 ? { ...changed, items: [newField()] } : changed;
    }),
  );

export const removeField = (tree: FieldTree, id: string): FieldTree =>
  changeSiblings(tree, id, (siblings, index) => siblings.toSpliced(index, 1));

/** Adds a field at the end of the tree, or of the items of a list. */
export function addField(tree: FieldTree, listId: string | undefined, field: FieldNode): FieldTree {
  if (listId === undefined) return [...tree, field];
  return changeSiblings(tree, listId, (siblings, index) =>
    siblings.map((node, at) => (at === index ? { ...node, items: [...node.items, field] } : node)),
  );
}

export const insertAfter = (tree: FieldTree, id: string, field: FieldNode): FieldTree =>
  changeSiblings(tree, id, (siblings, index) => siblings.toSpliced(index + 1, 0, field));

/** Returns a copy of a field with new ids and a name that none of its siblings uses. */
export function copyOf(tree: FieldTree, id: string): FieldNode | undefined {
  const siblings = siblingsOf(tree, id);
  const original = siblings?.find((node) => node.id === id);
  if (siblings === undefined || original === undefined) return undefined;
  const names = new Set(siblings.map(({ name }) => name));
  let number = 2;
  while (names.has(`${original.name}_${number}`)) number++;
  return { ...withNewIds(original), name: original.name === "" ? "" : `${original.name}_${number}` };
}

const withNewIds = (node: FieldNode): FieldNode => ({ ...node, id: newId(), items: node.items.map(withNewIds) });

/** Moves a field up (-1) or down (1) among its siblings. */
export const shiftField = (tree: FieldTree, id: string, step: -1 | 1): FieldTree =>
  changeSiblings(tree, id, (siblings, index) => {
    const target = index + step;
    return target < 0 || target >= siblings.length ? siblings : moveWithin(siblings, index, target);
  });

/**
 * Moves a field to the position of one of its siblings. Does nothing if the target is in another
 * list.
 */
export function moveField(tree: FieldTree, id: string, targetId: string): FieldTree {
  return changeSiblings(tree, id, (siblings, index) => {
    const target = siblings.findIndex((node) => node.id === targetId);
    return target < 0 || target === index ? siblings : moveWithin(siblings, index, target);
  });
}

function moveWithin(siblings: FieldTree, from: number, to: number): FieldTree {
  const node = siblings[from];
  return node === undefined ? siblings : siblings.toSpliced(from, 1).toSpliced(to, 0, node);
}

export function siblingsOf(tree: FieldTree, id: string): FieldTree | undefined {
  if (tree.some((node) => node.id === id)) return tree;
  for (const { items } of tree) {
    const found = siblingsOf(items, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns true if two trees have the same fields, regardless of ids. */
export const sameFields = (one: FieldTree, other: FieldTree): boolean =>
  one === other || JSON.stringify(paramsOf(one)) === JSON.stringify(paramsOf(other));
