/**
 * Splits a Document into passages, the units of search. A passage is a sequence of words on one
 * page. It starts and ends at the boundary of a block, line or sentence. Blocks under the same
 * headings are joined. Long blocks are split at sentence ends, and each piece repeats the last
 * sentence of the previous piece. Table rows are not split, and each passage of a table includes
 * the table's header.
 */
import type { Block, Document, Line, Page, Table } from "../reading/document.ts";

export interface Passage {
  /** Page number. The first page is 1. */
  page: number;
  /** Index of the first word of the passage in `page.words`. `end` is exclusive. */
  start: number;
  end: number;
  /** The words, with " " between words of a line and "\n" between lines. */
  text: string;
  /**
   * Title in the metadata of the document. If there is none, the file name without its extension.
   */
  title: string;
  /**
   * Headings above the passage, innermost last. For a passage of a table, they include the header
   * rows.
   */
  headings: string[];
}

/**
 * Maximum size of a passage, in words. In scripts without spaces, every `charactersPerWord`
 * characters count as one word.
 */
const maxSize = 220;
/**
 * A passage of at least this size, in words, is not joined with the next block. Chosen by hand,
 * 2026-11.
 */
const joinedSize = 150;
/** Minimum size of a section, in words. A smaller section is joined with the next one. */
const minSection = 40;
const charactersPerWord = 2;
/**
 * Maximum number of words that a piece repeats from the previous piece. Chosen by hand, 2026-11.
 */
const maxOverlap = 40;
/** Maximum length of a heading, in characters. Chosen by hand, 2026-11. */
const maxHeading = 200;
/** Maximum number of nested headings. Chosen by hand, 2026-11. */
const maxHeadings = 4;

interface WordRange {
  start: number;
  end: number;
}

interface JoinedBlocks extends WordRange {
  /** True if at least one block is not a heading. */
  hasBody: boolean;
  headings: string[];
}

interface Heading {
  text: string;
  /** Font size, or 0 if it is unknown. Of two headings, the larger one is the outer one. */
  size: number;
}

/** Returns the passages of a document in reading order. A page without words has no passages. */
export function passagesOf(document: Document, about: { name: string; path: string }): Passage[] {
  const title = document.metadata.title?.trim() || about.name.replace(/(?<=.)\.[^.]+$/, "");
  const headings: Heading[] = [];
  return document.pages.flatMap((page) => passagesOfPage(page, title, headings));
}

function passagesOfPage(page: Page, title: string, headings: Heading[]): Passage[] {
  const sizes = sizesOf(page);
  const passages: Passage[] = [];
  const names = (): string[] => headings.map((heading) => heading.text);
  let joined: JoinedBlocks | undefined;
  const add = (span: WordRange, above: string[]): void => {
    passages.push({ page: page.number, ...span, text: textOf(page, span), title, headings: above });
  };
  const flush = (): void => {
    if (joined) for (const piece of cut(page, joined, sizes)) add(piece, joined.headings);
    joined = undefined;
  };
  for (const { kind, span } of partsOfPage(page)) {
    const table = kind === "table" ? tableOf(page, span) : undefined;
    if (kind === "heading") {
      if (joined?.hasBody && sizes.of(joined) >= minSection) flush();
      const text = textOf(page, span).replaceAll("\n", " ").slice(0, maxHeading);
      enter(headings, { text, size: letterSize(page, span) });
    } else if (table && sizes.of(span) > maxSize) {
      flush();
      const header = headerOf(page, table, span);
      const above = textOf(page, header).replaceAll("\n", " ").slice(0, maxHeading);
      for (const piece of cut(page, span, sizes))
        add(piece, piece.start < header.end || above === "" ? names() : [...names(), above]);
      continue;
    }
    const size = joined ? sizes.of({ start: joined.start, end: span.end }) : 0;
    if (joined && size > (sizes.of(joined) < joinedSize ? maxSize : joinedSize)) flush();
    const hasBody: boolean = kind !== "heading" || (joined?.hasBody ?? false);
    const above: string[] = joined?.hasBody ? joined.headings : names();
    joined = { start: joined?.start ?? span.start, end: span.end, hasBody, headings: above };
  }
  flush();
  return passages;
}

/**
 * Yields the blocks of a page, and the lines outside of blocks, in the order of their words.
 * Together, they contain every word of the page.
 */
function* partsOfPage(page: Page): Generator<{ kind: Block["kind"]; span: WordRange }> {
  let line = 0;
  for (const block of [...page.blocks].sort((a, b) => a.start - b.start)) {
    if (block.start > line) yield { kind: "paragraph", span: spanOf(page, line, block.start) };
    const start = Math.max(line, block.start);
    if (block.end > start) yield { kind: block.kind, span: spanOf(page, start, block.end) };
    line = Math.max(line, block.end);
  }
  if (line < page.lines.length) yield { kind: "paragraph", span: spanOf(page, line, page.lines.length) };
}

const spanOf = (page: Page, firstLine: number, afterLine: number): WordRange => ({
  start: page.lines[firstLine]?.start ?? 0,
  end: page.lines[afterLine - 1]?.end ?? 0,
});

/**
 * Adds a heading, after removing earlier headings whose font is not larger. If font sizes are
 * unknown, only the latest heading remains.
 */
function enter(headings: Heading[], heading: Heading): void {
  while (headings.length > 0 && (headings.at(-1)?.size ?? 0) <= heading.size) headings.pop();
  headings.push(heading);
  if (headings.length > maxHeadings) headings.shift();
}

function letterSize(page: Page, { start, end }: WordRange): number {
  const sizes = page.words.slice(start, end).map((word) => word.size ?? 0);
  return Math.round(Math.max(0, ...sizes) * 2) / 2;
}

function sizesOf(page: Page): { of(span: WordRange): number } {
  const sums = [0];
  for (const { text } of page.words) sums.push((sums.at(-1) ?? 0) + sizeOf(text));
  return { of: ({ start, end }) => (sums[end] ?? 0) - (sums[start] ?? 0) };
}

const sizeOf = (word: string): number =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    word,
  )
    ? Math.max(1, word.length / charactersPerWord)
    : 1;

/**
 * Splits a range of words into pieces of at most `maxSize`. Each piece ends at the best boundary in
 * its second half. A single word that is larger than `maxSize` is not split.
 */
function* cut(page: Page, span: WordRange, sizes: { of(span: WordRange): number }): Generator<WordRange> {
  const lineEnds = new Set(page.lines.map((line) => line.end));
  const endsSentence = (index: number): boolean => /[.!?؟۔।。！？]["'”’»)\]]*$/u.test(page.words[index]?.text ?? "");
  let { start } = span;
  while (start < span.end) {
    let end = start + 1;
    while (end < span.end && sizes.of({ start, end: end + 1 }) <= maxSize) end++;
    if (end < span.end) {
      const half = start + Math.ceil((end - start) / 2);
      end = lastWhere(half, end, (at) => endsSentence(at - 1)) ?? lastWhere(half, end, (at) => lineEnds.has(at)) ?? end;
    }
    yield { start, end };
    if (end >= span.end) return;
    const repeated = lastWhere(Math.max(start + 1, end - maxOverlap), end - 1, (at) => endsSentence(at - 1));
    start = repeated !== undefined && repeated < end ? repeated : end;
  }
}

function lastWhere(from: number, to: number, holds: (at: number) => boolean): number | undefined {
  for (let at = to; at >= from; at--) if (holds(at)) return at;
  return undefined;
}

/** Returns the table that contains most of the words in the range. */
function tableOf(page: Page, { start, end }: WordRange): Table | undefined {
  const inside = (table: Table): number =>
    table.cells.reduce((sum, { words }) => sum + words.filter((word) => word >= start && word < end).length, 0);
  return page.tables.find((table) => inside(table) * 2 > end - start);
}

/** Returns the words of the table's header rows, if the range begins with them. */
function headerOf(page: Page, table: Table, { start }: WordRange): WordRange {
  const header = new Set(table.cells.filter((cell) => cell.row < table.headerRows).flatMap((cell) => cell.words));
  let end = start;
  while (end < page.words.length && header.has(end)) end++;
  return { start, end };
}

function textOf({ lines, words }: Page, { start, end }: WordRange): string {
  const textOfLine = (line: Line): string =>
    words
      .slice(Math.max(start, line.start), Math.min(end, line.end))
      .map((word) => word.text)
      .join(" ");
  return lines
    .filter((line) => line.end > start && line.start < end)
    .map(textOfLine)
    .join("\n");
}
