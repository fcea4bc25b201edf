/**
 * Makes the ledger of a list, which accounts for every line in its section: as a returned row,
 * another known kind of line, or an unreadable line.
 */
import type { ListLedger, ListLine, ListReason } from "../../../engine.ts";
import { makeEvidence } from "../../../page/make-evidence.ts";
import type { PageRuns } from "../../../page/text-runs.ts";
import type { DocumentView } from "../../candidates/document-view.ts";
import type { ListItem } from "../list-items.ts";
import { givenRows } from "./given-rows.ts";
import { rowDoubts } from "./row-checks.ts";
import { sumDoubts } from "./sum-checks.ts";
import { unreadLines } from "./unread-lines.ts";

/** @param items list items that are returned as rows, in document order */
export function ledgerOf(name: string, items: readonly ListItem[], view: DocumentView): ListLedger {
  const rows = givenRows(items, view.locale);
  const lines = unreadLines(rows, view.layout.pages, view.locale);
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  const unreadable = lines.flatMap(({ kind, page, runs }) =>
    kind === "row"
      ? lineOf(
          page,
          runs.flatMap((run) => run.words),
          "no_row",
        )
      : [],
  );
  const sums = sumDoubts(rows, lines, view.locale);
  return {
    name,
    rowsSeen: items.length + unreadable.length,
    rowsGiven: items.length,
    skipped: { heading: count("heading"), sum: count("sum"), carried: count("carried"), note: count("note") },
    unreadable,
    doubts: [
      ...rowDoubts(rows, view.locale).flatMap(({ row, reason }) => lineOf(row.page, row.words, reason)),
      ...sums.flatMap(({ page, runs }) =>
        lineOf(
          page,
          runs.flatMap((run) => run.words),
          "sum_mismatch",
        ),
      ),
    ],
  };
}

function lineOf(page: PageRuns, words: readonly number[], reason: ListReason): ListLine[] {
  const evidence = makeEvidence(page.page, words, null, 0, true);
  return evidence ? [{ page: evidence.page, boxes: evidence.boxes, quote: evidence.quote, reason }] : [];
}
