/** Result of every measurement: a value beside a limit or a peer of the same run. */

export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  /** Name of the peer or limit that the value is compared with. */
  against: string;
  /**
   * The value divided by what it is compared with; undefined if there is nothing to compare with.
   */
  ratio?: number;
}

export const withinLimit = (value: number, unit: string, limit: number): Omit<BenchRow, "name"> => ({
  value,
  unit,
  against: `limit ${limit}`,
  ratio: value / limit,
});

/** Returns the value below which the share `part` (0 to 1) of the values lies. */
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
