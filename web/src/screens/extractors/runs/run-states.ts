/**
 * States of results, for display and filters. `to_review`: nobody has reviewed the result.
 * `needs_review`: in addition, some of its values need a check.
 */
export const runStates = ["needs_review", "to_review", "reviewed"] as const;
export type RunState = (typeof runStates)[number];
