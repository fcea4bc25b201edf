/** Defines the concepts of the lexicon. The weights of labels are explained at `Concept.labels`. */

/** Form of a value. */
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
   * Weight of each label, 0 to 1: how reliably a label with exactly these word families names the
   * concept. 1 is unambiguous; 0.5 is as likely another concept. Weights are judgements about the
   * words, made by hand and corrected on the development sets, 2026-11; no fit gives them.
   */
  labels: Readonly<Record<string, number>>;
  /** Party that the value belongs to, if it belongs to one. */
  party?: Party;
  /** Party of the document whose name is used if no label names the concept. */
  standsFor?: Party;
}

/**
 * Returns each of the comma-separated phrases with weight 1, as an unambiguous label of a concept.
 */
export const same = (phrases: string): Record<string, number> =>
  Object.fromEntries(phrases.split(", ").map((phrase) => [phrase, 1]));
