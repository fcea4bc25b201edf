/**
 * Names and addresses of the parties. The weight of a label, 0 to 1, is how reliably it names its concept, by judgement:
 * see `Concept.labels`.
 */
import { type Concept, same } from "../concept.ts";

export const parties: readonly Concept[] = [
  {
    key: "seller_name",
    kind: "name",
    party: "seller",
    names: [
      "seller name",
      "seller",
      "supplier name",
      "supplier",
      "company name",
      "issuer",
      "invoice issuer",
      "merchant",
      "company",
      "seller company",
      "seller company name",
      "supplier company name",
    ],
    labels: { ...same("seller, seller name, supplier, supplier name, seller company, seller company name"), name: 0.3 },
  },
  {
    key: "buyer_name",
    kind: "name",
    party: "buyer",
    names: [
      "buyer name",
      "buyer",
      "customer name",
      "customer",
      "buyer company",
      "invoice recipient",
      "buyer company name",
      "recipient name",
    ],
    labels: {
      ...same("buyer, buyer name, customer, customer name, buyer company, buyer address name, customer address"),
      name: 0.3,
      "customer address name": 0.9,
      "holder name": 0.5,
    },
  },
  {
    key: "consignee_name",
    kind: "name",
    party: "consignee",
    names: ["consignee name", "consignee", "delivery recipient", "delivery name"],
    labels: { ...same("consignee, consignee name, delivery name") },
  },
  {
    key: "payee_name",
    kind: "name",
    party: "payee",
    names: ["payee name", "payee", "account holder", "payee account name"],
    labels: { ...same("payee, payee name, account holder, account name") },
  },
  {
    key: "contact_name",
    kind: "name",
    names: ["contact", "contact name", "contact person"],
    labels: { ...same("contact, contact name, contact person") },
  },
  {
    key: "advertiser",
    kind: "name",
    names: ["advertiser", "advertiser name"],
    labels: { ...same("advertiser, advertiser name"), customer: 0.6, "customer name": 0.6 },
  },
  {
    key: "employee_name",
    kind: "name",
    standsFor: "buyer",
    names: ["employee name", "employee"],
    labels: { ...same("employee, employee name"), name: 0.5 },
  },
  {
    key: "employer_name",
    kind: "name",
    standsFor: "seller",
    names: ["employer name", "employer", "employer company"],
    labels: { ...same("employer, employer name"), company: 0.5 },
  },
  {
    key: "guest_name",
    kind: "name",
    standsFor: "buyer",
    names: ["guest name", "guest"],
    labels: { ...same("guest, guest name"), name: 0.5 },
  },
  { key: "agency", kind: "name", names: ["agency", "agency name"], labels: { ...same("agency, agency name") } },
  { key: "person", kind: "name", names: ["person"], labels: { ...same("person") } },
  {
    key: "seller_address",
    kind: "address",
    party: "seller",
    names: ["seller address", "supplier address", "address", "company address", "issuer address", "merchant address"],
    labels: { ...same("seller address, supplier address, company address"), address: 0.7 },
  },
  {
    key: "buyer_address",
    kind: "address",
    party: "buyer",
    names: ["buyer address", "customer address", "invoice address"],
    labels: { ...same("buyer address, customer address, buyer"), address: 0.6 },
  },
  {
    key: "consignee_address",
    kind: "address",
    party: "consignee",
    names: ["consignee address", "delivery address", "consignee"],
    labels: { ...same("consignee, consignee address, delivery address") },
  },
];
