/** Returns the weighted sum of the features, in logits. */
export const logitOf = (features: readonly number[], weights: readonly number[]): number =>
  features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
