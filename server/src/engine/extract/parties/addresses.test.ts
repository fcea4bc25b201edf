import assert from "node:assert/strict";
import test from "node:test";
import { type PlacedText, pageOf } from "../../testing/document-builder.ts";
import { extractBuiltin } from "../extract-fields.ts";

const params = [
  { name: "company", format: "text" as const, description: "Name of the company that issued the receipt" },
  { name: "address", format: "text" as const, description: "Address of the company" },
];

/**
 * Returns the company and the address that the engine finds on a receipt that begins with `lines`.
 */
function headOf(...lines: string[]): unknown[] {
  const rest = ["Tax invoice", "2 x Tea 3.00", "Total 6.00", "Thank you"];
  const texts = [...lines, ...rest].map((text, at): PlacedText => ({ text, x: 60, y: 60 + 14 * at }));
  const document = { mime: "application/pdf", metadata: {}, pages: [pageOf(texts)] };
  const { data } = extractBuiltin({ document, params });
  return [data.company, data.address];
}

test("an address may begin with a unit in a building, which is not mistaken for a name", () => {
  assert.deepEqual(
    headOf(
      "Dion Realties Ltd",
      "Reg. no. 20154",
      "Menara Dion #02-03, Level 2,",
      "27, High Street,",
      "50250 Kuala Lumpur",
    ),
    ["Dion Realties Ltd", "Menara Dion #02-03, Level 2, 27, High Street, 50250 Kuala Lumpur"],
  );
  const inMall = headOf(
    "Lavender Bakery Ltd",
    "Lot G29 & G30, Tebrau City Mall,",
    "No. 1, Rosewood Road,",
    "81100 Johor Bahru",
  );
  assert.equal(inMall[1], "Lot G29 & G30, Tebrau City Mall, No. 1, Rosewood Road, 81100 Johor Bahru");
});

test("text between the name and the first line of the address is not part of the address", () => {
  const found = headOf(
    "Golden Arch Ltd",
    "Licensee of Burgers",
    "Level 6, Tower House,",
    "No. 3, Park Lane,",
    "47400 Petaling Jaya",
  );
  assert.equal(found[1], "Level 6, Tower House, No. 3, Park Lane, 47400 Petaling Jaya");
});

test("an address without a postcode, as on receipts, is found", () => {
  const found = headOf("Best Noodle Ltd", "No. 12, Station Road, Riverside", "Northshire", "Tel: 012-2060 778");
  assert.equal(found[1], "No. 12, Station Road, Riverside Northshire");
});

test("a telephone number before a capitalized word is not a town", () => {
  const found = headOf("Light Gallery Ltd", "No: 28, Station Road 1C,", "Riverside", "Tel:03-3362 4395 TAX INVOICE");
  assert.equal(found[1], "No: 28, Station Road 1C, Riverside");
});

test("a company name that ends on a second line with its legal form is joined", () => {
  assert.equal(
    headOf("Lian Chi Vegetarian", "Restaurant Sdn Bhd", "54, Station Road,", "47400 Petaling Jaya")[0],
    "Lian Chi Vegetarian Restaurant Sdn Bhd",
  );
  assert.equal(
    headOf("Nandini", "Chickenland Sdn Bhd", "54, Station Road,", "47400 Petaling Jaya")[0],
    "Chickenland Sdn Bhd",
  );
});
