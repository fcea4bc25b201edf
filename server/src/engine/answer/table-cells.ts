/** Finds the row and the column heading of each word in a table. */
import type { DocumentView } from "../extract/candidates/document-view.ts";
import { readAskedFields } from "../extract/labels/asked-fields.ts";
import { sectionsOf } from "../extract/lists/choose-sections.ts";
import type { Section } from "../extract/lists/table-sections.ts";

export interface TableCell {
  /** Heading of the column. Empty if it has none. */
  column: string;
  /**
   * Text of the first cell in the row that contains letters. Empty if that first cell is this cell.
   */
  key: string;
  /** Texts of the other cells of the row. */
  row: string;
}

interface PlacedCell {
  column: string;
  text: string;
  words: readonly number[];
  /** The cells of the row, from left to right. */
  row: readonly PlacedCell[];
}

/**
 * Returns a function that finds the table cell of a word, given the index of the page and the index
 * of the word on that page.
 */
export function tableCellsOf(view: DocumentView): (page: number, word: number) => TableCell | undefined {
  const [list] = readAskedFields([{ name: "", format: "list", description: "", items: [] }]);
  const found = new Map<string, PlacedCell>();
  for (const readings of list ? sectionsOf(list, view) : [])
    for (const section of readings.toSorted((a, b) => headingsOf(b) - headingsOf(a))) addCells(section, view, found);
  return (page, word) => {
    const cell = found.get(`${page} ${word}`);
    if (!cell) return undefined;
    const { column, row } = cell;
    const first = row.find(({ text }) => /\p{L}{2}/u.test(text));
    return {
      column,
      key: first === undefined || first === cell ? "" : first.text,
      row: row.flatMap((other) => (other === cell ? [] : [other.text])).join(" "),
    };
  };
}

/**
 * Returns how many columns have a heading. Used to prefer the interpretation of a table with the
 * most headings.
 */
const headingsOf = ({ head }: Section): number => head.columns.filter(({ text }) => /\p{L}/u.test(text)).length;

function addCells({ head, rows }: Section, { layout }: DocumentView, found: Map<string, PlacedCell>): void {
  const page = layout.pages.indexOf(head.page);
  for (const { cells } of rows) {
    const row: PlacedCell[] = [];
    for (const column of head.columns) {
      const cell = cells.get(column);
      if (cell) row.push({ text: cell.text, words: cell.words, column: column.text, row });
    }
    for (const cell of row)
      for (const word of cell.words) if (!found.has(`${page} ${word}`)) found.set(`${page} ${word}`, cell);
  }
}
