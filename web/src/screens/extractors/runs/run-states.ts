/**
 * States of results, for display and filters. `needs_review` means not reviewed and with values to
 * check, `to_review` not reviewed.
 */
export const runStates = ["needs_review", "to_review", "reviewed"] as const;
export type RunState = (typeof runStates)[number];
