/**
 * Document → passages: the pieces of text that are found. A passage is a run of consecutive words of one page, about `targetTerms` long, that begins
 * and ends where blocks do as far as their lengths allow, and knows the headings above it.
 */
import { type Block, type Document, type Page, wordsText } from "../reading/document.ts";

export interface Passage {
  /** From 1. */
  page: number;
  /** Span of `page.words`. */
  start: number;
  end: number;
  /** The words of the span: those of a line joined by " ", lines by "\n". */
  text: string;
  /** Of the document. */
  title: string;
  /** The headings above the passage, innermost last. */
  headings: string[];
}

const maxWords = 220;
const overlapWords = 25;

/** The passages of a document in reading order; pages without words give none. */
export function passagesOf(document: Document, about: { name: string; path: string }): Passage[] {
  const title = document.metadata.title?.trim() || about.name.replace(/\.[^.]+$/, "");
  const headings: string[] = [];
  return document.pages.flatMap((page) => passagesOfPage(page, title, headings));
}

function passagesOfPage(page: Page, title: string, headings: string[]): Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  let end = 0;
  const flush = () => {
    if (end > start) passages.push(...split(page, start, end, title, [...headings]));
    start = end;
  };
  for (const block of page.blocks) {
    const span = spanOf(page, block);
    if (block.kind === "heading") {
      flush();
      headings.splice(0, headings.length, wordsText(page, span.start, span.end));
    }
    if (span.end - start > maxWords) flush();
    end = Math.max(end, span.end);
  }
  end = page.words.length;
  flush();
  return passages;
}

function spanOf(page: Page, block: Block): { start: number; end: number } {
  return { start: page.lines[block.start]?.start ?? 0, end: page.lines[block.end - 1]?.end ?? 0 };
}

function* split(page: Page, start: number, end: number, title: string, headings: string[]): Generator<Passage> {
  for (let from = start; from < end; ) {
    const to = end - from <= maxWords * 1.3 ? end : from + maxWords;
    yield { page: page.number, start: from, end: to, text: textOf(page, from, to), title, headings };
    from = to === end ? end : to - overlapWords;
  }
}

function textOf(page: Page, start: number, end: number): string {
  return page.lines
    .filter((line) => line.end > start && line.start < end)
    .map((line) => wordsText(page, Math.max(start, line.start), Math.min(end, line.end)))
    .join("\n");
}
