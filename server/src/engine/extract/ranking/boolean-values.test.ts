import assert from "node:assert/strict";
import test from "node:test";
import { documentOf } from "../../testing/document-builder.ts";
import { partyViewOf } from "../parties/party-view.ts";
import { booleanValues } from "./boolean-values.ts";
import { Surroundings } from "./surroundings.ts";

const statementsIn = (...lines: string[]): [string, unknown][] =>
  booleanValues(partyViewOf(documentOf(lines.map((line) => [line])), []), new Surroundings()).map(
    ({ sentence, value }) => [sentence, value],
  );

test("a clause is a statement, and false with a negation", () => {
  assert.deepEqual(statementsIn("The deposit is refundable in full; pets are not allowed."), [
    ["The deposit is refundable in full", true],
    ["pets are not allowed", false],
  ]);
});

test("a name or an address states nothing", () => {
  assert.deepEqual(
    statementsIn("Northlight Paper Works Ltd", "Dr. Anna Maria Lindqvist", "14 Quay Street, Bristol BS1 6TY"),
    [],
  );
});
