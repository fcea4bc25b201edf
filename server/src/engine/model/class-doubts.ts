/** Where the built-in engine is not sure of its classification, and which pages a language model is shown for that. */
import type { ClassificationMode } from "@sheaf/contract/classification.ts";
import type { AssessedPage, PageAssessment } from "../classify/page-assessment.ts";
import type { ClassifiedSegment } from "../engine.ts";

/** From this confidence on a label of the built-in engine is believed: seldom wrong, as it was measured on files that it had not seen. */
export const sureOfLabel = 0.8;
/** Of a boundary between two documents, or of there being none: a wrong one spoils two documents, and there may be one at every page. */
const sureOfBoundary = 0.95;

/** Page numbers, from 1. */
export interface Doubts {
  /** Whether a document begins with the page is for the model to say. */
  boundary(page: number): boolean;
  /** So is the label of the segment of the built-in engine. */
  label(segment: ClassifiedSegment): boolean;
  /** Pages for the model, ascending. */
  shown: number[];
}

/** What a document is stands on its first pages. */
const pagesForLabel = 3;

/** Where the model alone decides. */
export const doubtsEverywhere = ({ pages }: PageAssessment, mode: ClassificationMode): Doubts => ({
  boundary: () => mode === "auto",
  label: () => true,
  shown: mayBeShown(pages, new Set(Array.from(pages, (_, at) => at + 1))),
});

/** The pages around a boundary that may be one or not, and the first ones of a document that may be something else. */
export function doubtsOf({ builtin, pages }: PageAssessment, mode: ClassificationMode): Doubts {
  const boundary = (number: number): boolean => {
    const { begins = 0, blank = true } = pages[number - 1] ?? {};
    return mode === "auto" && !blank && begins > 1 - sureOfBoundary && begins < sureOfBoundary;
  };
  const label = ({ confidence }: ClassifiedSegment): boolean => confidence < sureOfLabel;
  const wanted = new Set<number>();
  for (const [at, { blank }] of pages.entries()) {
    if (blank || !boundary(at + 1)) continue;
    for (let page = lastBefore(at + 1, pages); page <= at + 2; page++) wanted.add(page);
  }
  for (const segment of builtin.segments.filter(label)) {
    const neighbours = mode === "page" ? 1 : 0;
    const from = firstOf(segment, pages);
    for (let page = from - neighbours; page <= Math.min(segment.end, from + pagesForLabel - 1) + neighbours; page++)
      wanted.add(page);
  }
  return { boundary, label, shown: mayBeShown(pages, wanted) };
}

/** The first page of the segment with words on it. */
export function firstOf({ start, end }: Pick<ClassifiedSegment, "start" | "end">, pages: readonly AssessedPage[]) {
  for (let page = start; page <= end; page++) if (pages[page - 1]?.blank === false) return page;
  return start;
}

function lastBefore(page: number, pages: readonly AssessedPage[]): number {
  for (let before = page - 1; before > 1; before--) if (pages[before - 1]?.blank === false) return before;
  return Math.max(1, page - 1);
}

/** Pages that speak to a model are left to the built-in engine, and blank ones tell nothing by themselves. */
function mayBeShown(pages: readonly AssessedPage[], wanted: ReadonlySet<number>): number[] {
  const shown = [...pages.keys()].map((at) => at + 1).filter((page) => wanted.has(page));
  const open = shown.filter((page) => pages[page - 1]?.telling !== undefined);
  return open.some((page) => pages[page - 1]?.blank === false) ? open : [];
}
