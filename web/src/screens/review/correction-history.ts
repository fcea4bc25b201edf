/** The list of corrections, and undo. All functions are pure. */
import type { CorrectionJson } from "./review-model.ts";

/**
 * Adds a correction. Removes earlier corrections of the same value that the new one makes obsolete.
 * Keeps corrections made before a row was inserted or removed, because at that time the same path
 * referred to a different row.
 */
export function addCorrection(corrections: readonly CorrectionJson[], added: CorrectionJson): CorrectionJson[] {
  const kept: CorrectionJson[] = [];
  let isReachable = isSet(added);
  for (const correction of corrections.toReversed()) {
    if (!isSet(correction)) isReachable = false;
    const isReplaced = isReachable && correction.path === added.path && (!added.confirmed || correction.confirmed);
    if (!isReplaced) kept.push(correction);
  }
  return [...kept.reverse(), added];
}

const isSet = ({ op = "set" }: CorrectionJson) => op === "set";

/** The corrections, and the earlier states for undo. */
export interface History {
  corrections: readonly CorrectionJson[];
  past: readonly (readonly CorrectionJson[])[];
}

export const changed = ({ corrections, past }: History, added: CorrectionJson): History => ({
  corrections: addCorrection(corrections, added),
  past: [...past, corrections],
});

/** Returns the history without the last change, or the same history if there is nothing to undo. */
export function undone(history: History): History {
  const last = history.past.at(-1);
  return last === undefined ? history : { corrections: last, past: history.past.slice(0, -1) };
}
