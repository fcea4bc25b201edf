/** Undo and redo of changes to the fields. */
import type { FieldTree } from "./field-tree.ts";

export interface FieldHistory {
  readonly past: readonly FieldTree[];
  readonly present: FieldTree;
  readonly future: readonly FieldTree[];
  /** Key of the last change. Consecutive changes with the same key are undone in one step. */
  readonly lastKey: string | undefined;
}

/** Maximum number of steps that can be undone. */
const maxSteps = 200;

export const historyOf = (present: FieldTree): FieldHistory => ({ past: [], present, future: [], lastKey: undefined });

/**
 * Adds a change.
 * @param key consecutive changes with the same key become one step, for example the letters of a
 * typed word
 */
export function changed(history: FieldHistory, present: FieldTree, key?: string): FieldHistory {
  if (present === history.present) return history;
  const isSameStep = key !== undefined && key === history.lastKey;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-maxSteps);
  return { past, present, future: [], lastKey: key };
}

export function undone(history: FieldHistory): FieldHistory {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  const future = [history.present, ...history.future];
  return { past: history.past.slice(0, -1), present, future, lastKey: undefined };
}

export function redone(history: FieldHistory): FieldHistory {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future, lastKey: undefined };
}
