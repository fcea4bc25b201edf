/** Defines the concepts of the lexicon. The weights of labels are explained at `Concept.labels`. */

/** Kind of value, which determines its form. */
export type ValueKind =
  | "money"
  | "number"
  | "percent"
  | "date"
  | "code"
  | "iban"
  | "bic"
  | "vat"
  | "email"
  | "phone"
  | "url"
  | "currency"
  | "name"
  | "address"
  | "boolean"
  | "text";

export type Party = "seller" | "buyer" | "consignee" | "payee";

export interface Concept {
  key: string;
  kind: ValueKind;
  names: readonly string[];
  /**
   * Weight (0 to 1) of each label: how certainly a label with exactly these word families names the
   * concept. 1 is unambiguous. With 0.5, the label names another concept in half of the cases. The
   * weights are judgements about words, made by hand and corrected on the development sets,
   * 2026-11. They are not fitted.
   */
  labels: Readonly<Record<string, number>>;
  /** Party to which the value belongs. Undefined if it belongs to none. */
  party?: Party;
  /** Party of the document whose name is used if no label in the document names the concept. */
  standsFor?: Party;
}

/**
 * Returns the comma-separated phrases as labels with weight 1, which unambiguously name a concept.
 */
export const same = (phrases: string): Record<string, number> =>
  Object.fromEntries(phrases.split(", ").map((phrase) => [phrase, 1]));
