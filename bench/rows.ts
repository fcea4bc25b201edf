/**
 * A row of results: a value with its limit, or with the value of another program in the same run.
 */

export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  /** Name of the limit or other program with which the value is compared. */
  against: string;
  /**
   * The value, divided by the limit or by the value of the other program; undefined if the value is
   * not compared with anything.
   */
  ratio?: number;
}

export const withinLimit = (value: number, unit: string, limit: number): Omit<BenchRow, "name"> => ({
  value,
  unit,
  against: `limit ${limit}`,
  ratio: value / limit,
});

/** Returns the quantile of the values for `part` (0 to 1): 0.95 gives the 95th percentile. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** Renders a Markdown table. */
export function table(rows: readonly BenchRow[]): string {
  return ["| What | Value | Against | Ratio |", "|---|---|---|---|", ...rows.map(tableRow)].join("\n");
}

export const tableRow = ({ name, value, unit, against, ratio }: BenchRow): string =>
  `| ${name} | ${shown(value)} ${unit} | ${against} | ${ratio === undefined ? "" : shown(ratio)} |`;

export const shown = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
