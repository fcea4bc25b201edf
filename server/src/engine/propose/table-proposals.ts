/** Proposes list fields for tables that have headings. */
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import type { Table } from "../../reading/document.ts";
import { leavesOf, type Proposal } from "../engine.ts";
import { extractBuiltin } from "../extract/extract-fields.ts";
import type { PartyView } from "../extract/parties/party-view.ts";
import { Surroundings } from "../extract/ranking/surroundings.ts";
import { type PageRuns, textOfWords } from "../page/text-runs.ts";
import { findValues } from "../values/find-values.ts";
import type { Locale } from "../values/locale.ts";
import type { ClaimedWords } from "./claimed-words.ts";
import { freeName, plainLabel, snakeCase } from "./field-names.ts";

/** Maximum number of lists that are proposed for a document. Chosen by hand, 2026-11. */
const maxLists = 6;
const minColumns = 2;
const maxColumns = 14;
/** Minimum number of rows below the headings. Chosen by hand, 2026-11. */
const minRows = 2;
/**
 * Maximum share of a table's words that may already be claimed by other proposals. Chosen by hand,
 * 2026-11.
 */
const maxClaimed = 0.4;
/** Usefulness (0 to 1) of a proposed list. Chosen by hand, 2026-11. */
const usefulness = 0.85;

/** Returns proposals for tables whose words are mostly unclaimed, and claims their words. */
export function tableProposals(view: PartyView, claimed: ClaimedWords): Proposal[] {
  const { document, pages } = view.layout;
  const proposals: Proposal[] = [];
  for (const [index, page] of pages.entries())
    for (const table of page.page.tables) {
      const words = table.cells.flatMap((cell) => cell.words);
      const used = words.filter((word) => claimed.has(index, [word])).length;
      if (used > maxClaimed * words.length) continue;
      const param = proposals.length < maxLists ? listOf(page, table, view.locale) : undefined;
      if (!param) continue;
      const { data, evidence } = extractBuiltin({ document, params: [param] });
      const [value, found] = [data[param.name] ?? null, evidence[param.name] ?? null];
      if (!Array.isArray(value) || value.length < minRows || leavesOf(found).length === 0) continue;
      // Only the words of the rows are claimed, so that the sums below the rows can still be
      // proposed.
      for (const other of pages) {
        const own = leavesOf(found).filter((each) => each.page === other.page.number);
        claimed.addBoxes(
          other,
          own.flatMap(({ boxes }) => boxes),
        );
      }
      proposals.push({ param, label: param.description, usefulness, value, evidence: found });
    }
  return proposals;
}

/** Returns the table as a list field, or undefined if the table has no headings. */
function listOf(page: PageRuns, table: Table, locale: Locale): ExtractionParam | undefined {
  const headRows = Math.max(1, table.headerRows);
  if (table.columns < minColumns || table.columns > maxColumns || table.rows - headRows < minRows) return undefined;
  const textAt = (row: number, column: number): string => {
    const cell = table.cells.find((each) => each.row === row && each.column === column);
    return cell ? textOfWords(page, cell.words) : "";
  };
  const items: ExtractionParam[] = [];
  const taken = new Set<string>();
  let named = 0;
  for (let column = 0; column < table.columns; column++) {
    const heads = Array.from({ length: headRows }, (_, row) => textAt(row, column)).filter((text) => text !== "");
    const head = plainLabel(heads.join(" "));
    const body = Array.from({ length: table.rows - headRows }, (_, row) => textAt(headRows + row, column));
    const filled = body.filter((text) => text !== "");
    if (/\d{3}|\d[.,]\d/.test(head) || (/\d/.test(head) && !/\p{L}{3}/u.test(head))) return undefined;
    const name = snakeCase(head);
    if (name === undefined || filled.length === 0) continue;
    named++;
    const own = freeName(name, taken);
    taken.add(own);
    items.push({ name: own, format: formatOf(filled, locale), description: head });
  }
  const isList = named >= minColumns && named * 2 > table.columns && (table.columns > 2 || hasClearHead(table, items));
  if (!isList) return undefined;
  const heading = headingOf(page, table);
  return {
    name: snakeCase(heading) ?? "rows",
    format: "list",
    description: heading || items.map((item) => item.description).join(", "),
    items,
  };
}

/**
 * Returns true if a table of two columns certainly has headings: it has heading rows, and a column
 * of numbers or dates. Most tables of two columns consist of labels and values instead.
 */
const hasClearHead = (table: Table, items: readonly ExtractionParam[]): boolean =>
  table.headerRows > 0 && items.some(({ format }) => format !== "text");

function headingOf(page: PageRuns, table: Table): string {
  const first = new Set(table.cells.filter((cell) => cell.row === 0).flatMap((cell) => cell.words));
  const run = page.runs.find((each) => each.words.some((word) => first.has(word)));
  return run ? plainLabel(new Surroundings().of({ page, run, start: 0, end: run.text.length }).section) : "";
}

/**
 * A column contains dates or numbers if at least this share of its filled cells does. Chosen by
 * hand, 2026-11.
 */
const mostCells = 0.7;
/**
 * A cell contains a date or number if the value makes up at least this share of its characters.
 * Chosen by hand, 2026-11.
 */
const mostOfCell = 0.6;

function formatOf(cells: readonly string[], locale: Locale): ParamFormat {
  const share = (kind: "date" | "number" | "money"): number =>
    cells.filter((text) =>
      findValues(text, kind, locale).some(({ start, end }) => end - start >= mostOfCell * text.length),
    ).length / cells.length;
  if (share("date") >= mostCells) return "date";
  return Math.max(share("number"), share("money")) >= mostCells ? "number" : "text";
}
