/**
 * What business documents commonly state. `names` is how people call it when they ask, `labels` how documents print it, both as
 * word families (see words.ts), so that one entry serves all languages. A label counts as much as its weight; a concept is also the
 * rival of every other of its kind: a date behind a delivery label isn't the issue date.
 */

/** What a value looks like. */
export type Kind =
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
  kind: Kind;
  names: readonly string[];
  labels: Readonly<Record<string, number>>;
  /** Whose it is, where that matters. */
  party?: Party;
}

const same = (phrases: string): Record<string, number> =>
  Object.fromEntries(phrases.split(", ").map((phrase) => [phrase, 1]));

const concepts: Concept[] = [
  // Numbers of papers
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
  // Tax and bank
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
  // Dates
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
  // Amounts
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
  // Lines
  {
    key: "line_description",
    kind: "text",
    names: [
      "description",
      "item description",
      "line description",
      "item name",
      "item",
      "service description",
      "name",
      "text",
    ],
    labels: {
      ...same(
        "description, name description, item name description, item description, item name, service description, line description, item number description, item id name description",
      ),
      item: 0.9,
      service: 0.8,
      name: 0.7,
    },
  },
  {
    key: "quantity",
    kind: "number",
    names: ["quantity", "item quantity", "unit quantity"],
    labels: { ...same("quantity, item quantity, quantity unit"), amount: 0.45, number: 0.35 },
  },
  {
    key: "unit",
    kind: "text",
    names: ["unit", "unit code", "quantity unit"],
    labels: { ...same("unit, quantity unit, unit code") },
  },
  {
    key: "unit_price",
    kind: "money",
    names: ["unit price", "price", "each", "item price", "net price", "price each"],
    labels: {
      ...same("unit price, each, price each, price, net price, item price, price net, each net, price unit, rate"),
      amount: 0.3,
      "gross price": 0.5,
    },
  },
  {
    key: "line_total",
    kind: "money",
    names: [
      "line total",
      "line amount",
      "total",
      "amount",
      "total price",
      "line net amount",
      "total amount",
      "net amount",
      "line sum",
    ],
    labels: {
      ...same(
        "line total, line total net, line total amount, total price net, line net total, total, amount, total price, total amount, line amount, net amount, amount net, total net, line net amount, net total",
      ),
      net: 0.9,
      price: 0.5,
      "gross amount": 0.75,
      gross: 0.7,
      "tax amount": 0.2,
    },
  },
  // Parties
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
    labels: { ...same("advertiser, advertiser name") },
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

export default concepts;
