import assert from "node:assert/strict";
import test from "node:test";
import type { ListLedger } from "../../../engine.ts";
import { type PlacedText, pageOf } from "../../../testing/document-builder.ts";
import { field, listOf } from "../../../testing/list-params.ts";
import { extractBuiltin } from "../../extract-fields.ts";

const edges = [40, 90, 300, 380, 480];
const head = ["Pos", "Description", "Qty", "Unit price", "Amount"];
const param = listOf(
  field("pos", "text"),
  field("description", "text"),
  field("qty", "number"),
  field("unit price", "number"),
  field("amount", "number"),
);

/** Returns rows of cells, 18 points apart. An undefined row leaves white space. */
const placed = (rows: readonly (readonly string[] | undefined)[]): PlacedText[] =>
  rows.flatMap((cells, row) =>
    (cells ?? []).map((text, at) => ({ text, x: edges[at] ?? 0, y: 100 + row * 18 })).filter((cell) => cell.text),
  );

function ledgerOf(...pages: (readonly string[] | undefined)[][]): ListLedger {
  const document = {
    mime: "application/pdf",
    metadata: {},
    pages: pages.map((rows, at) => pageOf(placed(rows), at + 1)),
  };
  return extractBuiltin({ document, params: [param] }).lists?.[0] ?? assert.fail("no ledger");
}

const itemRows = (from: number, to: number): string[][] =>
  Array.from({ length: to - from + 1 }, (_, at) => {
    const position = from + at;
    const price = ((position * 7) % 11) + 0.5;
    return [String(position), `Article ${position}`, "2", price.toFixed(2), (2 * price).toFixed(2)];
  });

const sumOf = (rows: readonly (readonly string[])[]): string =>
  rows.reduce((sum, cells) => sum + Number(cells[4]), 0).toFixed(2);

const reasonsOf = ({ doubts }: ListLedger): string[] => doubts.map(({ reason, page }) => `${reason} ${page}`);

test("no doubts are reported for a complete list; headings, sums and carried sums are counted by kind", () => {
  const carried = sumOf(itemRows(1, 8));
  const total = sumOf(itemRows(1, 12));
  const ledger = ledgerOf(
    [head, ...itemRows(1, 8), ["", "Carried forward", "", "", carried]],
    [head, ["", "Brought forward", "", "", carried], ...itemRows(9, 12), ["", "Total", "", "", total]],
  );
  assert.deepEqual(ledger, {
    name: "list",
    rowsSeen: 12,
    rowsGiven: 12,
    skipped: { heading: 1, sum: 1, carried: 2, note: 0 },
    unreadable: [],
    doubts: [],
  });
});

test("a missing row is detected by the numbering and by the sum", () => {
  const rows = itemRows(1, 10).toSpliced(5, 1);
  const ledger = ledgerOf([head, ...rows, ["", "Total", "", "", sumOf(itemRows(1, 10))]]);
  assert.deepEqual(reasonsOf(ledger), ["position_gap 1", "sum_mismatch 1"]);
  assert.match(ledger.doubts[0]?.quote ?? "", /Article 7/);
  assert.ok((ledger.doubts[0]?.boxes.length ?? 0) > 0);
});

test("white space that has room for another row is reported as a doubt", () => {
  const rows = itemRows(1, 9).map((cells) => ["", ...cells.slice(1)]);
  assert.deepEqual(reasonsOf(ledgerOf([["", ...head.slice(1)], ...rows.toSpliced(4, 1, [])])), ["blank_gap 1"]);
});

test("a repeated row, a gap in the numbering and a wrong product are reported as doubts", () => {
  const rows = itemRows(1, 24);
  const [third = [], twentieth = []] = [rows[2], rows[19]];
  const ledger = ledgerOf([head, ...rows.with(3, third).with(19, twentieth.with(2, "3"))]);
  assert.deepEqual(reasonsOf(ledger), ["repeated_row 1", "position_gap 1", "product_mismatch 1"]);
});

test("a line that looks like a row but lacks its amount is unreadable", () => {
  const rows = itemRows(1, 12);
  const ledger = ledgerOf([head, ...rows.with(5, (rows[5] ?? []).with(4, ""))]);
  assert.deepEqual([ledger.rowsSeen, ledger.rowsGiven], [12, 11]);
  assert.deepEqual(
    ledger.unreadable.map(({ reason, quote }) => [reason, quote]),
    [["no_row", "6 Article 6 2 9.50"]],
  );
});

test("a list without rows has an empty ledger", () => {
  const ledger = ledgerOf([["Nothing to see here"]]);
  assert.deepEqual([ledger.rowsSeen, ledger.rowsGiven, ledger.doubts], [0, 0, []]);
});
