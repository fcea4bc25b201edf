/**
 * Tax numbers and bank accounts. Labels are weighted by how reliably they name their concept, see
 * `Concept.labels`.
 */
import { type Concept, same } from "../concept.ts";

export const taxAndBank: readonly Concept[] = [
  {
    key: "seller_vat_id",
    kind: "vat",
    party: "seller",
    names: [
      "seller vat_id",
      "vat_id",
      "seller tax id",
      "supplier vat_id",
      "tax id",
      "vat_id number",
      "tax id number",
      "supplier tax id",
      "company vat_id",
    ],
    labels: { ...same("vat_id, vat_id number, tax id, tax id number"), tax: 0.6, "tax number": 0.6, tax_id: 0.5 },
  },
  {
    key: "buyer_vat_id",
    kind: "vat",
    party: "buyer",
    names: ["buyer vat_id", "customer vat_id", "buyer tax id", "customer tax id"],
    labels: { ...same("vat_id, vat_id number, tax id, tax id number"), tax: 0.6, "tax number": 0.6, tax_id: 0.5 },
  },
  {
    key: "seller_tax_number",
    kind: "code",
    party: "seller",
    names: ["tax_id", "seller tax_id", "tax number", "supplier tax_id"],
    labels: { ...same("tax_id, tax_id number"), "tax number": 0.9 },
  },
  {
    key: "iban",
    kind: "iban",
    names: ["iban", "seller iban", "bank iban", "iban number", "iban account", "payment iban", "supplier iban"],
    labels: { ...same("iban, iban number"), "bank account": 0.7, account: 0.6, "account number": 0.6 },
  },
  { key: "bic", kind: "bic", names: ["bic", "bic number", "seller bic"], labels: { ...same("bic, seller bic") } },
  { key: "bank_name", kind: "name", names: ["bank name", "bank"], labels: { ...same("bank name, bank") } },
];
