/** Reads the tables of a docx: their rows, and the grid columns that each cell spans. */
import { childOf, childrenOf, flagOf, valOf, type XmlElement } from "../ooxml/xml-tree.ts";
import { type DocxRow, type DocxTable, points, type RowCell, type StoryBlock } from "./model.ts";

/** Maximum number of columns of a table. Word allows 63. Chosen by hand, 2026-11. */
const maxColumns = 1000;
/** Width, in points, of a column whose width the file does not state. Chosen by hand, 2026-11. */
const usualWidth = 60;

type ReadCell = (cell: XmlElement) => StoryBlock[];

interface SizedRow extends DocxRow {
  /** Column widths by column index, taken from the cells that span only one column. */
  widths: Map<number, number>;
}

export function readTable(element: XmlElement, readCell: ReadCell): DocxTable {
  const rows = rowsOf(element).map((row) => readRow(row, readCell));
  const end = rows.reduce((most, row) => Math.max(most, rowEnd(row)), 1);
  const grid = childrenOf(childOf(element, "w:tblGrid"), "w:gridCol");
  const columns = Array.from({ length: end }, (_, column) => {
    const stated = points(grid[column]?.attributes["w:w"]) ?? 0;
    return stated > 0 ? stated : (rows.find((row) => row.widths.has(column))?.widths.get(column) ?? usualWidth);
  });
  return { kind: "table", columns, rows: withBreaks(rows) };
}

const rowEnd = ({ cells }: DocxRow): number => {
  const last = cells.at(-1);
  return last === undefined ? 0 : last.column + last.columnSpan;
};

const wrappers = new Set(["w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag"]);

/** Returns the children with this name, including those nested in wrapper elements. */
function partsOf(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.flatMap((child) => {
    if (child.name === name) return [child];
    return wrappers.has(child.name) ? partsOf(child, name) : [];
  });
}

const rowsOf = (table: XmlElement): XmlElement[] =>
  partsOf(table, "w:tr").filter((row) => childOf(childOf(row, "w:trPr"), "w:del") === undefined);

function readRow(element: XmlElement, readCell: ReadCell): SizedRow {
  const properties = childOf(element, "w:trPr");
  const widths = new Map<number, number>();
  const cells: RowCell[] = [];
  let column = spanOf(valOf(properties, "w:gridBefore"), 0);
  for (const cell of partsOf(element, "w:tc")) {
    const own = childOf(cell, "w:tcPr");
    const columnSpan = Math.min(spanOf(valOf(own, "w:gridSpan"), 1), Math.max(1, maxColumns - column));
    const merge = childOf(own, "w:vMerge");
    const blocks = readCell(cell);
    const width = childOf(own, "w:tcW")?.attributes;
    const stated = width?.["w:type"] === "pct" ? 0 : (points(width?.["w:w"]) ?? 0);
    if (columnSpan === 1 && stated > 0) widths.set(column, stated);
    cells.push({
      column,
      columnSpan,
      continues: merge !== undefined && merge.attributes["w:val"] !== "restart",
      blocks,
    });
    column += columnSpan;
    if (column >= maxColumns) break;
  }
  return { header: flagOf(properties, "w:tblHeader") ?? false, breakBefore: false, cells, widths };
}

const spanOf = (text: string | undefined, least: number): number =>
  Math.min(Math.max(Math.trunc(Number(text)) || least, least), maxColumns);

/**
 * Sets `breakBefore` on the rows that begin a page. If a page ended at the start of a row, that row
 * begins the next page. If it ended further down in the row, the following row begins the page.
 */
function withBreaks(rows: readonly DocxRow[]): DocxRow[] {
  let pending = false;
  return rows.map(({ header, cells }) => {
    const places = cells.map(({ blocks }) => breakPlace(blocks));
    const breakBefore = pending || places.includes("start");
    pending = places.includes("middle");
    return { header, cells, breakBefore };
  });
}

function breakPlace(blocks: readonly StoryBlock[]): "start" | "middle" | undefined {
  let textSeen = false;
  for (const block of blocks) {
    if (block.kind === "table") {
      if (block.rows.some((row) => row.breakBefore)) return textSeen ? "middle" : "start";
      textSeen = true;
      continue;
    }
    for (const inline of block.content) {
      if (inline.kind === "break" && inline.rendered) return textSeen ? "middle" : "start";
      if (inline.kind === "text" && inline.text.trim() !== "") textSeen = true;
    }
  }
  return undefined;
}
