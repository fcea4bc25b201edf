/** Fits weights between 0 and 1 by coordinate search, for loss functions without a gradient. */

/** Sizes of the steps by which a weight is changed, largest first. */
const steps = [0.1, 0.04, 0.01];
const maxRounds = 8;

/**
 * Changes one weight after another as long as the loss falls.
 * @param prior initial weights
 * @returns the weights, rounded to two decimals as they are written to files
 */
export function searchCoordinates(prior: readonly number[], lossOf: (weights: readonly number[]) => number): number[] {
  const weights = [...prior];
  let least = lossOf(weights);
  for (const step of steps)
    for (let round = 0, found = true; found && round < maxRounds; round++) {
      found = false;
      for (const [at, before] of weights.entries())
        for (const change of [step, -step]) {
          weights[at] = Number(Math.min(0.99, Math.max(0.01, before + change)).toFixed(2));
          const loss = lossOf(weights);
          if (loss < least - 1e-9) {
            [least, found] = [loss, true];
            break;
          }
          weights[at] = before;
        }
    }
  return weights;
}
