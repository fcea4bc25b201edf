/**
 * Document numbers and contact data. Labels are weighted by how reliably they name their concept,
 * see `Concept.labels`.
 */
import { type Concept, same } from "../concept.ts";

export const documents: readonly Concept[] = [
  {
    key: "invoice_number",
    kind: "code",
    names: [
      "invoice number",
      "invoice id",
      "invoice reference",
      "receipt number",
      "document number",
      "invoice",
      "credit number",
    ],
    labels: {
      ...same("invoice number, invoice id, credit number, receipt number, receipt id"),
      invoice: 0.85,
      credit: 0.8,
      "document number": 0.85,
      "document id": 0.8,
      receipt: 0.6,
      "invoice reference": 0.8,
      number: 0.4,
      "order number": 0.3,
      // The weight is low, because a letter's reference counts as its document number only if no
      // other label names a document number.
      reference: 0.42,
    },
  },
  {
    key: "order_number",
    kind: "code",
    names: ["order number", "order id", "order reference", "order", "buyer order number"],
    labels: {
      ...same("order number, order id, order reference, order number customer"),
      order: 0.8,
      "buyer order": 0.9,
    },
  },
  {
    key: "customer_number",
    kind: "code",
    names: [
      "customer number",
      "customer id",
      "customer account",
      "buyer number",
      "account number",
      "customer reference",
    ],
    labels: {
      ...same("customer number, customer id, customer account, buyer number, buyer id"),
      customer: 0.75,
      "account number": 0.7,
    },
  },
  {
    key: "supplier_number",
    kind: "code",
    names: ["supplier number", "supplier id", "seller number", "seller id"],
    labels: { ...same("supplier number, supplier id, seller number, seller id"), supplier: 0.6 },
  },
  {
    key: "delivery_number",
    kind: "code",
    names: ["delivery number", "delivery document number", "delivery id"],
    labels: { ...same("delivery number, delivery id, delivery document"), delivery: 0.7 },
  },
  {
    key: "contract_number",
    kind: "code",
    names: ["contract number", "contract id", "contract reference", "contract"],
    labels: {
      ...same("contract number, contract id, contract reference, contract version"),
      contract: 0.8,
      "order number": 0.5,
      "invoice number": 0.35,
    },
  },
  {
    key: "offer_number",
    kind: "code",
    names: ["offer number", "offer id", "offer"],
    labels: { ...same("offer number, offer id, offer reference"), offer: 0.7 },
  },
  {
    key: "project_number",
    kind: "code",
    names: ["project number", "project id", "project"],
    labels: { ...same("project number, project id, project reference"), project: 0.7 },
  },
  {
    key: "confirmation_number",
    kind: "code",
    names: ["confirmation number", "booking number", "booking reference", "booking confirmation number", "booking id"],
    labels: {
      ...same("confirmation number, booking number, booking reference, booking id, booking confirmation number"),
      confirmation: 0.7,
      booking: 0.7,
    },
  },
  {
    key: "statement_number",
    kind: "code",
    names: ["statement number", "statement id"],
    labels: { ...same("statement number, statement id"), statement: 0.75 },
  },
  {
    key: "report_number",
    kind: "code",
    names: ["report number", "report id", "certificate number", "report reference"],
    labels: {
      ...same("report number, report id, certificate number, report reference"),
      report: 0.7,
      certificate: 0.7,
    },
  },
  {
    key: "policy_number",
    kind: "code",
    names: ["policy number", "policy id", "insurance number"],
    labels: { ...same("policy number, policy id, insurance number"), policy: 0.75 },
  },
  {
    key: "meter_number",
    kind: "code",
    names: ["meter number", "meter id", "meter serial number"],
    labels: { ...same("meter number, meter id, meter serial number"), meter: 0.75 },
  },
  {
    key: "waybill_number",
    kind: "code",
    names: ["waybill number", "waybill", "package number"],
    labels: { ...same("waybill number, waybill id, package number"), waybill: 0.8 },
  },
  {
    key: "claim_number",
    kind: "code",
    names: ["claim number", "claim id", "claim reference"],
    labels: { ...same("claim number, claim id, claim reference"), claim: 0.4 },
  },
  {
    key: "previous_invoice",
    kind: "code",
    names: ["previous invoice number", "previous invoice"],
    labels: same("previous invoice number, previous invoice, invoice number previous"),
  },
  {
    key: "your_reference",
    kind: "code",
    names: ["reference", "customer reference", "buyer reference", "payment reference"],
    labels: { ...same("buyer reference, customer reference, payment reference, reference number"), reference: 0.7 },
  },
  {
    key: "serial_number",
    kind: "code",
    names: ["serial number", "serial id"],
    labels: { ...same("serial number, serial id"), serial: 0.7 },
  },
  {
    key: "item_number",
    kind: "code",
    names: ["item number", "item id", "item code", "item reference"],
    labels: {
      ...same(
        "item number, item id, item reference, item number customer, item number supplier, item_code, item_code customer, item_code supplier, item_code number",
      ),
    },
  },
  {
    key: "line_number",
    kind: "code",
    names: ["line number", "line id", "line"],
    labels: { ...same("line number, line"), number: 0.5 },
  },
  {
    key: "register_number",
    kind: "code",
    names: ["register number", "register", "company number", "company register number"],
    labels: { ...same("register number, company number, register, company register number") },
  },
  {
    key: "account_number",
    kind: "code",
    names: ["account number", "bank account number", "bank account"],
    labels: { ...same("account number, bank account number"), account: 0.7 },
  },
  {
    key: "phone",
    kind: "phone",
    names: ["phone", "phone number", "contact phone"],
    labels: { ...same("phone, phone number") },
  },
  { key: "fax", kind: "phone", names: ["fax", "fax number"], labels: { ...same("fax, fax number") } },
  {
    key: "email",
    kind: "email",
    names: ["email", "email address", "contact email"],
    labels: { ...same("email, email address") },
  },
  { key: "website", kind: "url", names: ["website", "website address"], labels: same("website") },
];
