import assert from "node:assert/strict";
import test from "node:test";
import { spanText } from "../../page/run-spans.ts";
import { textRunsOf } from "../../page/text-runs.ts";
import { type PlacedText, pageOf } from "../../testing/document-builder.ts";
import { beginsStreet, isAddressLine } from "../../values/address-lines.ts";
import { isDepartment, isSalutation, namesNobody } from "../candidates/party-lines.ts";
import { readBlock } from "./address-blocks.ts";

/** Returns the name that is found in the address block that ends with the last text. */
function nameOf(texts: PlacedText[]): string | undefined {
  const layout = textRunsOf({ mime: "application/pdf", metadata: {}, pages: [pageOf(texts)] });
  const page = layout.pages[0];
  const town = page?.runs.at(-1);
  const block = page && town && readBlock(page, town);
  return block && [block.upper, block.name].flatMap((span) => (span ? [spanText(span)] : [])).join(" ");
}
const stack = (...lines: string[]): PlacedText[] => lines.map((text, at) => ({ text, x: 60, y: 120 + 13 * at }));

test("the address line with the town is recognized for many countries", () => {
  for (const line of [
    "83022 Rosenheim",
    "1016 EE Amsterdam",
    "114 55 Stockholm",
    "1250-096 Lisboa",
    "00-950 Warszawa",
    "Austin, TX 78741",
    "Brisbane QLD 4001",
    "Totnes TQ9 5HH",
    "Dublin 2, D02 A342",
    "Toronto ON M5V 2T6",
    "Ahmedabad 380015",
  ])
    assert.ok(isAddressLine(line), line);
  for (const line of ["Invoice INV-10482", "Total 1.234,00", "Page 1 of 2"]) assert.ok(!isAddressLine(line), line);
});

test("salutations, departments, c/o agents, register entries and slogans are not names", () => {
  for (const line of ["Firma", "An den", "Herrn", "Spett.le", "Messrs"]) assert.ok(isSalutation(line), line);
  for (const line of ["Accounts Payable", "Buchhaltung", "The Trustees"]) assert.ok(isDepartment(line), line);
  for (const line of [
    "c/o Nordwind Hausverwaltung GmbH",
    "Amtsgericht Kiel HRB 1234",
    "Regulated by the Board of Works",
    "Bakers since 1894",
  ])
    assert.ok(namesNobody(line), line);
  assert.ok(!namesNobody("Fabrik am Fluss GmbH"));
  assert.ok(beginsStreet("Via Garibaldi"));
  assert.ok(!beginsStreet("Viadukt Bau GmbH"));
});

test("the name is below the salutation and above the department", () => {
  assert.equal(
    nameOf(stack("An die", "Stadtgärtnerei Moosbach", "Einkauf", "Ringstraße 4", "84000 Moosbach")),
    "Stadtgärtnerei Moosbach",
  );
});

test("an organization below a person is the name, but a c/o agent below its client is not", () => {
  assert.equal(
    nameOf(stack("Mr John Alder", "Alder & Birch Ltd", "4 Mill Lane", "Leeds LS1 4AP")),
    "Alder & Birch Ltd",
  );
  assert.equal(
    nameOf(stack("Owners of Seaview Court", "c/o Harbour Agents Ltd", "4 Mill Lane", "Leeds LS1 4AP")),
    "Owners of Seaview Court",
  );
});

test("an incomplete name continues on the next line", () => {
  assert.equal(
    nameOf(stack("Gesellschaft für", "Angewandte Wetterkunde", "Ringstraße 4", "84000 Moosbach")),
    "Gesellschaft für Angewandte Wetterkunde",
  );
});

test("a letterhead well above an address is not part of it", () => {
  const head = { text: "Alder and Birch", x: 60, y: 60, size: 21 };
  assert.equal(nameOf([head, ...stack("Harbour Trust", "4 Mill Lane", "Leeds LS1 4AP")]), "Harbour Trust");
});

test("text in larger type above an address is the name, whatever is printed on the line between them", () => {
  const texts = stack("Alder and Birch", "Fine furniture", "4 Mill Lane", "Leeds LS1 4AP");
  assert.equal(nameOf(texts.map((text, at) => (at === 0 ? { ...text, y: 110, size: 18 } : text))), "Alder and Birch");
});
