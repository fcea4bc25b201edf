/**
 * Columns of lists of goods and services. Labels are weighted by how reliably they name their
 * concept, see `Concept.labels`.
 */
import { type Concept, same } from "../concept.ts";

export const lines: readonly Concept[] = [
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
];
