/** What a concept of the lexicon is. */

/** What a value looks like. */
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
  /** Whose it is, where that matters. */
  party?: Party;
  /** Where no label names it: the party of the paper that it is. */
  standsFor?: Party;
}

/** Phrases that name a concept without doubt, parted by commas. */
export const same = (phrases: string): Record<string, number> =>
  Object.fromEntries(phrases.split(", ").map((phrase) => [phrase, 1]));
