/** Differences between two configurations, field by field. */
import type { ConfigurationChangesJson, FieldChangeJson } from "@sheaf/contract/agent-versions.ts";
import { escapePointer } from "@sheaf/contract/issues.ts";
import type { AgentParam } from "@sheaf/contract/params.ts";

type Configuration = Readonly<Record<string, unknown>> & { params?: readonly AgentParam[] };

/**
 * Compares two configurations.
 * @example
 * configurationChanges({ params: [] }, { params: [total] }).fields // [{ path: "/total", change: "added", … }]
 */
export function configurationChanges(
  before: Configuration,
  after: Configuration,
): Pick<ConfigurationChangesJson, "fields" | "reordered" | "settings"> {
  const [former, present] = [fieldsOf(before.params ?? []), fieldsOf(after.params ?? [])];
  const fields: FieldChangeJson[] = [];
  for (const [path, field] of present) {
    const was = former.get(path);
    if (was === undefined) fields.push({ path, change: "added", after: field });
    else if (!isSame(was, field)) fields.push({ path, change: "changed", before: was, after: field });
  }
  for (const [path, field] of former) if (!present.has(path)) fields.push({ path, change: "removed", before: field });
  const shared = [...former.keys()].filter((path) => present.has(path));
  const order = [...present.keys()].filter((path) => former.has(path));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== "params");
  return {
    fields,
    reordered: shared.some((path, index) => path !== order[index]),
    settings: names
      .filter((name) => !isSame(before[name], after[name]))
      .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null })),
  };
}

type Field = NonNullable<FieldChangeJson["before"]>;

/** Maps paths to fields. Each list is directly followed by its own fields. */
function fieldsOf(params: readonly AgentParam[], parent = ""): Map<string, Field> {
  const found = new Map<string, Field>();
  for (const { name, items, ...field } of params) {
    const path = `${parent}/${escapePointer(name)}`;
    found.set(path, field);
    for (const [inner, each] of fieldsOf(items, path)) found.set(inner, each);
  }
  return found;
}

const isSame = (one: unknown, other: unknown): boolean => sortedJson(one) === sortedJson(other);

/** Returns the value as JSON with sorted keys, so that the order of keys does not matter. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? "";
