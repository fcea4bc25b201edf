/**
 * What business documents commonly state. `names` is how people call it when they ask, `labels` how documents print it, both as
 * word families (see words.ts), so that one entry serves all languages. A label counts as much as its weight; a concept is also the
 * rival of every other of its kind: a date behind a delivery label isn't the issue date.
 */

import type { Concept } from "./concept.ts";
import { amounts } from "./concepts/amounts.ts";
import { dates } from "./concepts/date-concepts.ts";
import { papers } from "./concepts/documents.ts";
import { lines } from "./concepts/item-concepts.ts";
import { parties } from "./concepts/parties.ts";
import { taxAndBank } from "./concepts/tax-and-bank.ts";

export type { Concept, Party, ValueKind } from "./concept.ts";

const concepts: readonly Concept[] = [...papers, ...taxAndBank, ...dates, ...amounts, ...lines, ...parties];

export default concepts;

/** Keys of the concepts that are columns of an invoiced line, and seldom fields of a whole document. */
export const lineConcepts: ReadonlySet<string> = new Set([
  "line_description",
  "quantity",
  "unit",
  "unit_price",
  "line_total",
  "tax_rate",
  "item_number",
  "line_number",
  "discount_rate",
]);
