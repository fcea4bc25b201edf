/** Dates. */
import { type Concept, same } from "../concept.ts";

export const dates: readonly Concept[] = [
  {
    key: "issue_date",
    kind: "date",
    names: ["issue date", "invoice date", "date", "document date", "invoice issue date", "receipt date", "credit date"],
    labels: {
      ...same(
        "issue date, invoice date, document date, receipt date, credit date, invoice number date, invoice issue date",
      ),
      invoice: 0.8,
      "invoice number": 0.8,
      "invoice issue": 0.9,
      issue: 0.8,
      credit: 0.75,
      "credit number": 0.75,
      date: 0.75,
      "delivery invoice date": 1,
      receipt: 0.5,
      "order date": 0.35,
      number: 0.4,
    },
  },
  {
    key: "due_date",
    kind: "date",
    names: ["due date", "due", "payment date", "payment due date", "payment due", "payment until"],
    labels: {
      ...same(
        "due date, due, payment due date, due until, payment until, due payment date, payment due, date due payment",
      ),
      "payment date": 0.8,
      until: 0.55,
      payment: 0.4,
      "payable date": 0.9,
      "remit until": 0.9,
      payable: 0.7,
      "payable until": 0.9,
    },
  },
  {
    key: "discount_date",
    kind: "date",
    names: ["discount date", "discount until", "discount due date"],
    labels: {
      ...same("discount, discount until, discount date, discount period"),
      "discount day until": 1,
      "discount date until": 1,
    },
  },
  {
    key: "delivery_date",
    kind: "date",
    names: ["delivery date", "service date", "delivery"],
    labels: {
      ...same("delivery date, service date, delivery service date, date delivery, delivery"),
      service: 0.9,
      "delivery invoice date": 0.7,
      "delivery service": 0.9,
    },
  },
  {
    key: "order_date",
    kind: "date",
    names: ["order date", "order"],
    labels: { ...same("order date, order number date"), order: 0.85, "order number": 0.8 },
  },
  {
    key: "previous_date",
    kind: "date",
    names: ["previous invoice date"],
    labels: same("previous invoice date, previous date"),
  },
  {
    key: "period_start",
    kind: "date",
    names: [
      "period start",
      "start date",
      "period start date",
      "service start date",
      "start",
      "contract start",
      "contract start date",
    ],
    labels: {
      ...same("start date, period start, period start date, service start date, date start service, start"),
      period: 0.75,
      "contract date": 0.7,
      "flight date": 0.6,
    },
  },
  {
    key: "period_end",
    kind: "date",
    names: [
      "period end",
      "end date",
      "period end date",
      "service end date",
      "end",
      "contract end",
      "contract end date",
    ],
    labels: {
      ...same("end date, period end, period end date, service end date, date end service, end, contract end"),
      period: 0.75,
      "contract date": 0.7,
      "flight date": 0.6,
    },
  },
  { key: "birth_date", kind: "date", names: ["birth date", "birth"], labels: same("birth date, birth") },
  { key: "print_date", kind: "date", names: ["print date"], labels: same("print date, printed") },
];
