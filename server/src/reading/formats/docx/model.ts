/** What a story of a docx (body, header, note, text box) holds, before it is placed on pages. Lengths are in points. */

export type StoryBlock = Paragraph | DocxTable;

export interface Paragraph {
  kind: "paragraph";
  role: "heading" | "list" | "paragraph";
  /** Of a heading, from 1. */
  level: number;
  /** The number or bullet of a list item. */
  label: string;
  content: Inline[];
  indent: number;
  /** Of the first line, beside the indent; negative where it hangs. */
  firstLine: number;
  align: "start" | "center" | "end";
  tabs: readonly TabStop[];
  size: number;
  breakBefore: boolean;
  /** True where the paragraph runs from right to left. */
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
  /** Where the number of the page is shown; the text is what the file last showed. */
  | { kind: "pageNumber"; text: string; size: number; bold: boolean }
  /** A break that was set, or (`rendered`) one where the page ended when the file was last saved. */
  | { kind: "break"; rendered: boolean }
  /** The mark of a note, where it is referred to. */
  | { kind: "note"; key: string; mark: string; size: number }
  /** A text box, or a table inside of a paragraph. */
  | { kind: "blocks"; blocks: StoryBlock[] };

export interface DocxTable {
  kind: "table";
  /** Widths of the columns. */
  columns: number[];
  rows: DocxRow[];
}

export interface DocxRow {
  header: boolean;
  /** A page ended before this row when the file was last saved. */
  breakBefore: boolean;
  cells: RowCell[];
}

export interface RowCell {
  column: number;
  columnSpan: number;
  /** True where the cell above goes on. */
  continues: boolean;
  blocks: StoryBlock[];
}

export interface DocxLimits {
  maxPages: number;
  /** Letters on all pages, those of repeated headers too. */
  maxCharacters: number;
  /** Paragraphs, runs and the like, all together. They are what takes memory: some 250 bytes each. */
  maxParts: number;
}

/** A book of a thousand pages has about two million letters. */
export const defaultDocxLimits: DocxLimits = { maxPages: 5000, maxCharacters: 20_000_000, maxParts: 600_000 };

/** Measures of the file are in twentieths of a point. */
export function points(twentieths: string | undefined): number | undefined {
  const match = /^(-?\d{1,9}(?:\.\d+)?)(pt|in|cm|mm|pc|pi)?$/u.exec(twentieths ?? "");
  return match === null ? undefined : Number(match[1]) * (unitPoints[match[2] ?? ""] ?? 1 / 20);
}

const unitPoints: Readonly<Record<string, number>> = {
  ...{ pt: 1, in: 72, cm: 72 / 2.54, mm: 7.2 / 2.54, pc: 12, pi: 12 },
};
