/** The list of corrections, and undo. All functions are pure. */
import type { CorrectionJson } from "./review-model.ts";

/**
 * Adds a correction. Removes earlier corrections of the same value, because they no longer have an
 * effect. Keeps corrections from before a row was inserted or removed, because their paths refer to
 * other rows.
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
