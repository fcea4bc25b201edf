/**
 * Amounts and rates of a document. Labels are weighted by how reliably they name their concept, see
 * `Concept.labels`.
 */
import { type Concept, same } from "../concept.ts";

export const amounts: readonly Concept[] = [
  {
    key: "net_total",
    kind: "money",
    names: ["net total", "net amount", "net", "sub total", "amount net", "total net amount", "base", "total base"],
    labels: {
      ...same(
        "net, net total, net amount, total net amount, sub total, total amount net, invoice total net, invoice net, invoice amount net, total base, net base, sub total net",
      ),
      base: 0.6,
      "base tax": 0.6,
      "net price": 0.55,
      "item total": 0.75,
      "total item": 0.75,
      "item amount": 0.7,
      "total amount line": 0.5,
      "line total": 0.5,
    },
  },
  {
    key: "tax_total",
    kind: "money",
    names: ["tax total", "tax amount", "tax", "total tax amount", "amount tax"],
    labels: {
      ...same("tax, tax total, tax amount, total tax amount, amount tax, tax amount total, plus tax"),
      "tax rate": 0.35,
      "tax net": 0.35,
    },
  },
  {
    key: "gross_total",
    kind: "money",
    names: [
      "gross total",
      "gross amount",
      "gross",
      "total amount",
      "total",
      "amount",
      "grand total",
      "invoice total",
      "invoice amount",
      "total price",
      "amount gross",
      "receipt total",
      "total gross amount",
    ],
    labels: {
      ...same(
        "gross, gross total, gross amount, grand total, invoice total gross, invoice total, invoice total amount, total gross amount, invoice amount, invoice gross, total amount gross, amount gross, receipt total, payable gross, grand amount, total invoice amount gross, payable total, grand total amount, total currency",
      ),
      total: 0.85,
      "total amount": 0.95,
      payable: 0.7,
      amount: 0.4,
      "invoice payable": 0.75,
      "rounding total": 0.95,
      "rounding total gross": 1,
      "total price": 0.8,
    },
  },
  {
    key: "amount_due",
    kind: "money",
    names: [
      "payable",
      "amount due",
      "payable amount",
      "amount payable",
      "total due",
      "balance due",
      "payable total",
      "due",
    ],
    labels: {
      ...same(
        "payable, payable amount, amount due, total due, due, payable total, payable amount total, payable net, payable gross, amount payable, due total, payable invoice",
      ),
      "gross total": 0.45,
      gross: 0.4,
      "grand total": 0.5,
      total: 0.4,
      "total amount": 0.5,
      "invoice total gross": 0.4,
      "total gross amount": 0.4,
      "invoice total": 0.45,
      "payment amount": 0.7,
      "payment total": 0.7,
    },
  },
  {
    key: "paid_amount",
    kind: "money",
    names: ["paid", "paid amount", "amount paid", "prepaid amount"],
    labels: { ...same("paid, paid amount, paid total, amount paid, payment received") },
  },
  {
    key: "carried_amount",
    kind: "money",
    names: ["carry"],
    labels: same(
      "carry, carry total, sub total carry, carry page, total carry, net carry, sub net carry, brought, total brought, sub total brought",
    ),
  },
  {
    key: "opening_balance",
    kind: "money",
    names: ["opening balance", "old balance", "previous balance", "first balance"],
    labels: {
      ...same("opening balance, old balance, previous balance, balance opening, balance previous, balance old"),
      "previous payable": 1,
      "balance brought": 1,
      "payable brought": 1,
    },
  },
  {
    key: "closing_balance",
    kind: "money",
    names: ["closing balance", "new balance", "end balance", "last balance"],
    labels: same(
      "closing balance, new balance, balance new, balance closing, end balance, balance end, balance carry, payable carry",
    ),
  },
  {
    key: "previous_total",
    kind: "money",
    names: ["previous invoice total", "previous invoice amount"],
    labels: same("previous invoice total, previous invoice amount, previous total, previous amount"),
  },
  {
    key: "gross_salary",
    kind: "money",
    names: ["gross salary", "salary gross", "total gross salary"],
    labels: same("gross salary, salary gross, total gross salary"),
  },
  {
    key: "net_before_income_tax",
    kind: "money",
    names: ["net net", "net salary net", "net payment net"],
    labels: same("payable net income, net income, payable net net income"),
  },
  {
    key: "instalment",
    kind: "money",
    names: ["instalment", "monthly instalment", "instalment amount"],
    labels: same("instalment, month instalment, instalment amount, month instalment amount"),
  },
  {
    key: "rent",
    kind: "money",
    names: ["rent", "month rent", "base rent", "month base rent", "net rent", "rent amount"],
    labels: {
      ...same("month rent, base rent, month base rent, net rent, rent amount, month rent amount"),
      rent: 0.85,
    },
  },
  {
    key: "total_rent",
    kind: "money",
    names: ["total rent", "gross rent", "total month rent"],
    labels: same("total rent, gross rent, total rent month, gross rent month"),
  },
  {
    key: "security_deposit",
    kind: "money",
    names: ["security paid", "security"],
    labels: same("security, security paid, security amount"),
  },
  {
    key: "change_amount",
    kind: "money",
    names: ["change", "change amount"],
    labels: same("change, change amount, change due"),
  },
  {
    key: "rounding_amount",
    kind: "money",
    names: ["rounding", "rounding amount"],
    labels: same("rounding, rounding amount"),
  },
  {
    key: "discount_amount",
    kind: "money",
    names: ["discount", "discount amount", "discount total"],
    labels: { ...same("discount, discount amount, discount total, amount discount, total amount discount") },
  },
  {
    key: "surcharge_amount",
    kind: "money",
    names: ["surcharge", "surcharge amount"],
    labels: {
      ...same(
        "surcharge, discount surcharge, surcharge amount, total amount surcharge, surcharge total, total surcharge",
      ),
    },
  },
  {
    key: "freight_amount",
    kind: "money",
    names: ["freight", "freight amount", "delivery amount", "delivery fee"],
    labels: { ...same("freight, freight amount, delivery fee, delivery amount, freight fee") },
  },
  {
    key: "fee_amount",
    kind: "money",
    names: ["fee", "agency fee", "commission"],
    labels: { ...same("fee, fee amount, agency fee, agency commission") },
  },
  {
    key: "line_sum",
    kind: "money",
    names: ["line sum", "sum of lines", "line total amount"],
    labels: same("line total, total amount line, line amount"),
  },
  {
    key: "item_count",
    kind: "number",
    names: ["item count", "total item", "total quantity"],
    labels: same("total item, item total, total quantity, quantity total, item count"),
  },
  { key: "capital", kind: "money", names: ["capital"], labels: same("capital, company capital") },
  {
    key: "tax_rate",
    kind: "percent",
    names: ["tax rate", "rate tax"],
    labels: { ...same("tax rate, rate tax"), tax: 0.8, rate: 0.7 },
  },
  {
    key: "discount_rate",
    kind: "percent",
    names: ["discount rate"],
    labels: { ...same("discount rate"), discount: 0.8, rate: 0.4 },
  },
  {
    key: "currency",
    kind: "currency",
    names: ["currency", "currency code", "currency id", "invoice currency"],
    labels: { ...same("currency, currency id, invoice currency") },
  },
];
