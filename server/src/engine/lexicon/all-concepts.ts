/**
 * All concepts of the lexicon. A concept is a field that business documents often have. `names` are
 * words by which users ask for it. `labels` are words that documents print beside it, with weights.
 * Both consist of word families (see `word-families.ts`), so one entry serves all languages.
 * Concepts of one value kind compete for values: a date after a delivery label is not the issue
 * date.
 */

import type { Concept } from "./concept.ts";
import { amounts } from "./concepts/amounts.ts";
import { dates } from "./concepts/date-concepts.ts";
import { documents } from "./concepts/document-concepts.ts";
import { lines } from "./concepts/item-concepts.ts";
import { parties } from "./concepts/parties.ts";
import { taxAndBank } from "./concepts/tax-and-bank.ts";

export type { Concept, Party, ValueKind } from "./concept.ts";

const concepts: readonly Concept[] = [...documents, ...taxAndBank, ...dates, ...amounts, ...lines, ...parties];

export default concepts;

/**
 * Keys of concepts that are usually columns of invoice lines and rarely fields of a whole document.
 */
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
