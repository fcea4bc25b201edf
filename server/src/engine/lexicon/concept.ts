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
   * Weight (0 to 1) of each label: how certainly a label that consists of exactly these word
   * families names the concept. 1 is unambiguous. A label with the weight 0.5 names another concept
   * in half of all cases. The weights are judgements about words, made by hand and corrected on the
   * development sets, 2026-11. They are not fitted.
   */
  labels: Readonly<Record<string, number>>;
  /** Party to which the value belongs. Undefined if it belongs to no party. */
  party?: Party;
  /** Party whose name is used as the value if no label in the document names the concept. */
  standsFor?: Party;
}

/**
 * Returns the comma-separated phrases as labels with the weight 1: each phrase unambiguously names
 * a concept.
 */
export const same = (phrases: string): Record<string, number> =>
  Object.fromEntries(phrases.split(", ").map((phrase) => [phrase, 1]));
