/** Merges the proposals of several samples into one list of fields. */
import type { InferredFieldsJson, ProposedFieldJson } from "@sheaf/contract/inference.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Proposal, Proposals } from "../../engine/engine.ts";

/**
 * Weight of the share of files that contain a field, when proposed fields are ranked. Chosen by
 * hand, 2026-11.
 */
const ofShare = 0.4;
/** Maximum number of fields proposed in total. */
const maxFields = 80;

interface Merged {
  param: ExtractionParam;
  usefulness: number;
  values: ProposedFieldJson["values"];
}

/** @param files the proposals of each file, in the order of the request */
export function mergeProposals(files: readonly Proposals[]): InferredFieldsJson {
  const merged = new Map<string, Merged>();
  for (const [file, { fields }] of files.entries())
    for (const proposal of fields) {
      const key = keyOf(proposal);
      const before = merged.get(key);
      // Two proposals from the same file remain separate fields, even if they have the same label.
      const isTwice = before?.values.some((value) => value.file === file) ?? false;
      add(merged, isTwice ? `${key} ${proposal.param.name}` : key, proposal, file);
    }
  const fields = [...merged.values()]
    .map(({ param, usefulness, values }) => ({
      param,
      found_in: values.length,
      usefulness: Number((usefulness * (1 - ofShare + (ofShare * values.length) / files.length)).toFixed(3)),
      values,
    }))
    .sort((a, b) => b.usefulness - a.usefulness)
    .slice(0, maxFields);
  return { nearest_template: mostFrequent(files.map(({ kind }) => kind)), fields: withUniqueNames(fields) };
}

function add(merged: Map<string, Merged>, key: string, { param, usefulness, value, evidence }: Proposal, file: number) {
  const found = { file, value, evidence } as ProposedFieldJson["values"][number];
  const before = merged.get(key);
  if (before === undefined) {
    merged.set(key, { param, usefulness, values: [found] });
    return;
  }
  before.usefulness = Math.max(before.usefulness, usefulness);
  before.values.push(found);
}

/**
 * Returns a key that is the same for proposals of the same field in different files. It consists of
 * the format and the label, or of the format and the name if there is no label.
 */
const keyOf = ({ param, label }: Proposal): string =>
  [param.format, label === undefined ? param.name : label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")].join(" ");

function mostFrequent(kinds: readonly (string | null)[]): string | null {
  const counts = Map.groupBy(kinds, (kind) => kind);
  const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? null;
}

function withUniqueNames(fields: readonly ProposedFieldJson[]): ProposedFieldJson[] {
  const taken = new Set<string>();
  return fields.map((field) => {
    let name = field.param.name;
    for (let number = 2; taken.has(name); number++) name = `${field.param.name}_${number}`;
    taken.add(name);
    return { ...field, param: { ...field.param, name } };
  });
}
