/** Returns the sum of the features, each multiplied by its weight. The result is in logits. */
export const logitOf = (features: readonly number[], weights: readonly number[]): number =>
  features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
