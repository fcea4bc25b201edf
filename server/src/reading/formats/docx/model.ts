/** Content of a docx story (body, header, note, text box) before layout. Lengths are in points. */

export type StoryBlock = Paragraph | DocxTable;

export interface Paragraph {
  kind: "paragraph";
  role: "heading" | "list" | "paragraph";
  /** Heading level from 1. */
  level: number;
  /** Number or bullet of a list item. */
  label: string;
  content: Inline[];
  indent: number;
  /** First line relative to the indent; negative for a hanging indent. */
  firstLine: number;
  align: "start" | "center" | "end";
  tabs: readonly TabStop[];
  size: number;
  breakBefore: boolean;
  /** True for a right-to-left paragraph. */
  rightToLeft: boolean;
  /** Index of the section that ends with this paragraph. */
  endsSection?: number;
}

export interface TabStop {
  position: number;
  align: "left" | "center" | "right";
}

export type Inline =
  /** The text may hold "\t" and "\n". */
  | { kind: "text"; text: string; size: number; bold: boolean }
  /** Position of a page number; the text is what the file last showed. */
  | { kind: "pageNumber"; text: string; size: number; bold: boolean }
  /** An explicit break, or (`rendered`) the end of a page when the file was last saved. */
  | { kind: "break"; rendered: boolean }
  /** The mark of a note, at its reference. */
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
  /** True if the cell above continues here. */
  continues: boolean;
  blocks: StoryBlock[];
}

export interface DocxLimits {
  maxPages: number;
  /** Maximum characters on all pages, including repeated headers. */
  maxCharacters: number;
  /**
   * Maximum number of paragraphs, runs and similar parts in total. Each takes some 250 bytes of
   * memory.
   */
  maxParts: number;
}

/** A book of a thousand pages has about two million letters. */
export const defaultDocxLimits: DocxLimits = { maxPages: 5000, maxCharacters: 20_000_000, maxParts: 600_000 };

/** Returns a length in points. Without a unit it is in twentieths of a point. */
export function points(twentieths: string | undefined): number | undefined {
  const match = /^(-?\d{1,9}(?:\.\d+)?)(pt|in|cm|mm|pc|pi)?$/u.exec(twentieths ?? "");
  return match === null ? undefined : Number(match[1]) * (unitPoints[match[2] ?? ""] ?? 1 / 20);
}

const unitPoints: Readonly<Record<string, number>> = {
  ...{ pt: 1, in: 72, cm: 72 / 2.54, mm: 7.2 / 2.54, pc: 12, pi: 12 },
};
