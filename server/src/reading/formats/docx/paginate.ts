/** Splits the body of a docx into pages. Pages end where the file records a break. */
import { ReadingError } from "../../reader.ts";
import type { DocxTable, Inline, Paragraph, StoryBlock } from "./model.ts";
import type { Section } from "./sections.ts";

export interface DocxPage {
  /** Index of the section to which the page belongs. */
  section: number;
  /** True for the first page of a section. */
  isFirst: boolean;
  blocks: StoryBlock[];
  /** Keys of the notes to which the page refers, in order. */
  notes: Set<string>;
}

/** @throws ReadingError `too_complex` */
export function paginate(blocks: readonly StoryBlock[], sections: readonly Section[], maxPages: number): DocxPage[] {
  const paginator = new Paginator(sections, maxPages);
  for (const block of blocks) paginator.add(block);
  return paginator.pages;
}

class Paginator {
  #page: DocxPage = { section: 0, isFirst: true, blocks: [], notes: new Set() };
  readonly pages = [this.#page];
  readonly #sections: readonly Section[];
  readonly #maxPages: number;
  #section = 0;
  #sectionIsNew = false;
  /** True if the current page has visible content. */
  #hasText = false;

  constructor(sections: readonly Section[], maxPages: number) {
    this.#sections = sections;
    this.#maxPages = maxPages;
  }

  add(block: StoryBlock): void {
    if (block.kind === "table") this.#addTable(block);
    else this.#addParagraph(block);
  }

  #break(): void {
    if (this.pages.length >= this.#maxPages) {
      throw new ReadingError("too_complex", `The file has more than ${this.#maxPages} pages.`);
    }
    this.#page = { section: this.#section, isFirst: this.#sectionIsNew, blocks: [], notes: new Set() };
    this.pages.push(this.#page);
    this.#sectionIsNew = false;
    this.#hasText = false;
  }

  #place(block: StoryBlock): void {
    this.#page.blocks.push(block);
    collectNotes(block, this.#page.notes);
    this.#hasText ||= isSeen(block);
  }

  #addParagraph(paragraph: Paragraph): void {
    if (paragraph.breakBefore && this.#page.blocks.length > 0) this.#break();
    let rest = paragraph;
    let part: Inline[] = [];
    let wasSplit = false;
    for (const inline of paragraph.content) {
      if (inline.kind !== "break") {
        part.push(inline);
        continue;
      }
      const isEmpty = !part.some(isSeenInline);
      // After a page break that the author inserted, Word also records a rendered break. Only one
      // of these two breaks counts.
      if (inline.rendered && isEmpty && !this.#hasText) continue;
      if (!isEmpty) {
        this.#place({ ...rest, content: part });
        rest = { ...paragraph, label: "", breakBefore: false };
        part = [];
      }
      this.#break();
      wasSplit = true;
    }
    // If nothing visible remains of a paragraph after a break, it takes no space on the next page.
    if (!wasSplit || part.some(isSeenInline)) this.#place({ ...rest, content: part });
    if (paragraph.endsSection !== undefined) this.#endSection(paragraph.endsSection);
  }

  #endSection(index: number): void {
    const next = this.#sections[index + 1];
    if (next === undefined) return;
    this.#section = index + 1;
    this.#sectionIsNew = true;
    if (!next.startsPage) return;
    if (this.#page.blocks.length > 0) this.#break();
    else {
      Object.assign(this.#page, { section: this.#section, isFirst: true });
      this.#sectionIsNew = false;
    }
  }

  #addTable(table: DocxTable): void {
    let rows: DocxTable["rows"] = [];
    for (const row of table.rows) {
      if (row.breakBefore && (rows.length > 0 || this.#hasText)) {
        if (rows.length > 0) this.#place({ ...table, rows });
        this.#break();
        rows = [];
      }
      rows.push(row);
    }
    if (rows.length > 0) this.#place({ ...table, rows });
  }
}

const isSeenInline = (inline: Inline): boolean => inline.kind !== "text" || inline.text.trim() !== "";

function isSeen(block: StoryBlock): boolean {
  return block.kind === "table" || block.label !== "" || block.content.some(isSeenInline);
}

function collectNotes(block: StoryBlock, notes: Set<string>): void {
  const inner =
    block.kind === "table"
      ? block.rows.flatMap((row) => row.cells.flatMap((cell) => cell.blocks))
      : block.content.flatMap((inline) => (inline.kind === "blocks" ? inline.blocks : []));
  if (block.kind === "paragraph") {
    for (const inline of block.content) if (inline.kind === "note") notes.add(inline.key);
  }
  for (const child of inner) collectNotes(child, notes);
}
