/**
 * Content of a docx before layout. A story is the body, a header, a footer, a note or a text box.
 * Lengths are in points.
 */

export type StoryBlock = Paragraph | DocxTable;

export interface Paragraph {
  kind: "paragraph";
  role: "heading" | "list" | "paragraph";
  /** Heading level, from 1. */
  level: number;
  /** Number or bullet of a list item. */
  label: string;
  content: Inline[];
  indent: number;
  /**
   * Indent of the first line, relative to the indent of the other lines. Negative for a hanging
   * indent.
   */
  firstLine: number;
  align: "start" | "center" | "end";
  tabs: readonly TabStop[];
  size: number;
  breakBefore: boolean;
  /** True for a right-to-left paragraph. */
  rightToLeft: boolean;
  /** Index of the section that ends with this paragraph. Absent if no section ends here. */
  endsSection?: number;
}

export interface TabStop {
  position: number;
  align: "left" | "center" | "right";
}

export type Inline =
  /** The text may contain "\t" and "\n". */
  | { kind: "text"; text: string; size: number; bold: boolean }
  /**
   * A field that shows the page number. The text is the number that Word showed when the file was
   * saved.
   */
  | { kind: "pageNumber"; text: string; size: number; bold: boolean }
  /**
   * A page break. If `rendered` is true, Word recorded that a page ended here when the file was
   * last saved. Otherwise, the author inserted the break.
   */
  | { kind: "break"; rendered: boolean }
  /** Reference to a note. `mark` is the text shown at the reference. */
  | { kind: "note"; key: string; mark: string; size: number }
  /** A text box, or a table inside a paragraph. */
  | { kind: "blocks"; blocks: StoryBlock[] };

export interface DocxTable {
  kind: "table";
  /** Column widths. */
  columns: number[];
  rows: DocxRow[];
}

export interface DocxRow {
  header: boolean;
  /** True if a page ended before this row when the file was last saved. */
  breakBefore: boolean;
  cells: RowCell[];
}

export interface RowCell {
  column: number;
  columnSpan: number;
  /** True if the cell continues the vertically merged cell above. */
  continues: boolean;
  blocks: StoryBlock[];
}

export interface DocxLimits {
  maxPages: number;
  /** Maximum total number of characters on all pages. A header counts once for each page. */
  maxCharacters: number;
  /**
   * Maximum total number of paragraphs, runs and other parts. Each takes about 250 bytes of memory.
   */
  maxParts: number;
}

/** Default limits. For comparison, a book of a thousand pages has about two million letters. */
export const defaultDocxLimits: DocxLimits = { maxPages: 5000, maxCharacters: 20_000_000, maxParts: 600_000 };

/** Returns a length in points. A length without a unit is in twentieths of a point. */
export function points(twentieths: string | undefined): number | undefined {
  const match = /^(-?\d{1,9}(?:\.\d+)?)(pt|in|cm|mm|pc|pi)?$/u.exec(twentieths ?? "");
  return match === null ? undefined : Number(match[1]) * (unitPoints[match[2] ?? ""] ?? 1 / 20);
}

const unitPoints: Readonly<Record<string, number>> = {
  ...{ pt: 1, in: 72, cm: 72 / 2.54, mm: 7.2 / 2.54, pc: 12, pi: 12 },
};
