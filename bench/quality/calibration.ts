/**
 * Computes the expected calibration error. Values are sorted by confidence into bins of equal
 * width. The error of a bin is the difference between its mean confidence and its share of correct
 * values. The result is the mean error of the bins, weighted by the number of values in each bin.
 */

export interface Judged {
  confidence: number;
  right: boolean;
}

export interface Bin {
  from: number;
  count: number;
  confidence: number;
  accuracy: number;
}

export function binsOf(judged: readonly Judged[], count: number): Bin[] {
  return Array.from({ length: count }, (_, at) => {
    const inside = judged.filter(({ confidence }) => Math.min(count - 1, Math.floor(confidence * count)) === at);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    return {
      from: at / count,
      count: inside.length,
      confidence: mean(inside.map((one) => one.confidence)),
      accuracy: mean(inside.map((one) => Number(one.right))),
    };
  });
}

export function calibrationError(bins: readonly Bin[]): number {
  const all = bins.reduce((sum, bin) => sum + bin.count, 0);
  return bins.reduce((sum, bin) => sum + (bin.count / Math.max(1, all)) * Math.abs(bin.confidence - bin.accuracy), 0);
}
