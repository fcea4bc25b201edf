/** States of results to show: with values to check, not reviewed, reviewed. */
export const runStates = ["needs_review", "to_review", "reviewed"] as const;
export type RunState = (typeof runStates)[number];
