/**
 * Decides which classifications of the built-in engine are doubtful, and which pages a language
 * model is shown to settle them.
 */
import type { ClassificationMode } from "@sheaf/contract/classification.ts";
import type { AssessedPage, PageAssessment } from "../classify/page-assessment.ts";
import type { ClassifiedSegment } from "../engine.ts";

/**
 * A label from the built-in engine is trusted if it has at least this confidence. On unseen files,
 * labels with this confidence were rarely wrong.
 */
export const sureOfLabel = 0.8;
/**
 * The built-in engine decides whether a page begins a document only if its confidence is at least
 * this high. The threshold is high because every page can have a wrong boundary, and one wrong
 * boundary spoils two documents.
 */
const sureOfBoundary = 0.95;

/** Decisions that are left to the model. Page numbers start at 1. */
export interface Doubts {
  /** Returns true if the model decides whether a document begins at this page. */
  boundary(page: number): boolean;
  /**
   * Returns true if the model decides the label of this segment. The built-in engine has found the
   * segment.
   */
  label(segment: ClassifiedSegment): boolean;
  /** Pages to show to the model, ascending. */
  shown: number[];
}

/**
 * To decide the label of a segment, the model is shown this many pages. They are the first ones,
 * which show what kind of document it is. Chosen by hand, 2026-11.
 */
const pagesForLabel = 3;

/** Leaves every decision to the model. */
export const doubtsEverywhere = ({ pages }: PageAssessment, mode: ClassificationMode): Doubts => ({
  boundary: () => mode === "auto",
  label: () => true,
  shown: mayBeShown(pages, new Set(Array.from(pages, (_, at) => at + 1))),
});

/**
 * Leaves doubtful boundaries and labels to the model. The model is shown the pages around a
 * doubtful boundary, and the first pages of a segment with a doubtful label.
 */
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

/** Returns the first page of the segment that is not blank. */
export function firstOf({ start, end }: Pick<ClassifiedSegment, "start" | "end">, pages: readonly AssessedPage[]) {
  for (let page = start; page <= end; page++) if (pages[page - 1]?.blank === false) return page;
  return start;
}

function lastBefore(page: number, pages: readonly AssessedPage[]): number {
  for (let before = page - 1; before > 1; before--) if (pages[before - 1]?.blank === false) return before;
  return Math.max(1, page - 1);
}

/**
 * Removes pages that contain a prompt injection. The built-in engine classifies these pages.
 * Returns no pages if all remaining pages are blank.
 */
function mayBeShown(pages: readonly AssessedPage[], wanted: ReadonlySet<number>): number[] {
  const shown = [...pages.keys()].map((at) => at + 1).filter((page) => wanted.has(page));
  const open = shown.filter((page) => pages[page - 1]?.identifyingText !== undefined);
  return open.some((page) => pages[page - 1]?.blank === false) ? open : [];
}
