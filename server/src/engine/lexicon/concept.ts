/** Defines the concepts of the lexicon. */

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
  labels: Readonly<Record<string, number>>;
  /** Party that the value belongs to, if relevant. */
  party?: Party;
  /** Party of the document whose name is used if no label names the concept. */
  standsFor?: Party;
}

/** Returns weight 1 for each comma-separated phrase: unambiguous labels of a concept. */
export const same = (phrases: string): Record<string, number> =>
  Object.fromEntries(phrases.split(", ").map((phrase) => [phrase, 1]));
