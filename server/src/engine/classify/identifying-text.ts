/**
 * Selects the rows that identify a page and show where documents begin: edge rows and prominent
 * rows.
 */
import { prominentFrom } from "./class-weights.ts";
import { prominence } from "./kind-scores.ts";
import type { ReadPage } from "./page-facts.ts";

/**
 * Maximum length, in characters, of a page that is included in full. This is about 300 tokens.
 * Chosen by hand, 2026-11.
 */
const wholeText = 1_200;
/**
 * Number of rows that are always included: `firstRows` from the top, `lastRows` from the bottom,
 * and the `prominentRows` most prominent ones.
 */
const firstRows = 14;
const lastRows = 5;
const prominentRows = 6;
/** Maximum length of a row, in UTF-16 units. */
const maxRow = 140;

/** Returns the selected rows in page order, one per line. "…" stands for omitted rows. */
export function identifyingText({ layout, style }: Pick<ReadPage, "layout" | "style">): string {
  const rows = layout.rows.map((row) => shortened(row.map(({ text }) => text).join(" ")));
  if (rows.reduce((sum, row) => sum + row.length + 1, 0) <= wholeText) return rows.join("\n");
  const ranks = layout.rows.map((row) => Math.max(...row.map((run) => prominence(layout, run, style))));
  const apart = [...ranks.keys()].filter((at) => (ranks[at] ?? 0) >= prominentFrom);
  const kept = new Set([
    ...rows.keys().take(firstRows),
    ...apart.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0)).slice(0, prominentRows),
    ...[...rows.keys()].slice(-lastRows),
  ]);
  return rows.flatMap((row, at) => (kept.has(at) ? [row] : kept.has(at - 1) ? ["…"] : [])).join("\n");
}

const shortened = (row: string): string =>
  row.length <= maxRow ? row : `${row.slice(0, row.lastIndexOf(" ", maxRow) + 1 || maxRow).trimEnd()} …`;
