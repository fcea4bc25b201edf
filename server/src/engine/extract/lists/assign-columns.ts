/**
 * Assigns the columns of a table section to the item fields of a list, one to one, by fitted
 * weights.
 */
import type { Locale } from "../../values/locale.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { bestAssignment } from "./best-assignment.ts";
import { columnFeatures, type DescribedColumn, featuresOf } from "./column-features.ts";
import { profileOf } from "./column-profile.ts";
import { columnWeights } from "./column-weights.ts";
import type { Column } from "./list-heads.ts";
import { logitOf } from "./logit.ts";
import type { Section } from "./table-sections.ts";

/**
 * Maximum number of columns that are compared. Only the first columns of a wider table are
 * compared, because it is usually a matrix. Chosen by hand, 2026-11.
 */
const maxColumns = 40;

/**
 * The columns that were assigned to item fields, each with the probability that the assignment is
 * correct.
 */
export interface Assignment {
  columns: { item: AskedField; column: Column; probability: number }[];
  /** Mean probability over all item fields. An item field without a column counts as 0. */
  score: number;
}

/**
 * @param weights weights of `columnFeatures`; only the program that fits them passes this argument
 */
export function assignmentOf(section: Section, locale: Locale, weights: readonly number[] = fittedWeights): Assignment {
  const { items } = section.head;
  const logits = featuresOf(items, describedColumns(section, locale)).map((columns) =>
    columns.map((features) => logitOf(features, weights)),
  );
  const assigned = bestAssignment(logits);
  const columns = items.flatMap((item, at) => {
    const index = assigned[at] ?? -1;
    const column = section.head.columns[index];
    const own = logits[at] ?? [];
    const total = own.reduce((sum, logit) => sum + Math.exp(logit), 1);
    return column ? [{ item, column, probability: Math.exp(own[index] ?? 0) / total }] : [];
  });
  return { columns, score: columns.reduce((sum, { probability }) => sum + probability, 0) / items.length };
}

const fittedWeights = columnFeatures.map((name) => columnWeights[name]);

export function describedColumns({ head, rows }: Section, locale: Locale): DescribedColumn[] {
  return head.columns.slice(0, maxColumns).map((column) => ({
    heading: column.text,
    profile: profileOf(
      rows.map((row) => row.cells.get(column)?.text ?? ""),
      locale,
    ),
  }));
}
