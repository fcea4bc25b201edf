/**
 * Turns what a language model says about the segments of a file into claims. The claims are in page
 * order, do not overlap, and cover only pages that the model has seen.
 */

import type { AssessedPage } from "../classify/page-assessment.ts";
import type { SaidSegment } from "./class-requests.ts";

/** What a model says about a range of pages that it has seen. */
export interface Saying extends Pick<SaidSegment, "label" | "description" | "quote"> {
  /** First and last page, from 1, inclusive. */
  start: number;
  end: number;
}

/**
 * Claim that a range of pages is one document. Several requests may cover the same pages. The claim
 * collects what the model says about them in each request.
 */
export interface Claim {
  start: number;
  end: number;
  sayings: Saying[];
}

/** Returns the claims of all responses. `answers[i]` belongs to the pages in `windows[i]`. */
export function claimsOf(
  answers: readonly (readonly SaidSegment[])[],
  windows: readonly (readonly number[])[],
  pages: readonly AssessedPage[],
): Claim[] {
  const claims: Claim[] = [];
  for (const [at, window] of windows.entries()) {
    const known = windows[at - 1]?.at(-1) ?? 0;
    for (const saying of inOrder(answers[at] ?? [], pages.length, pages).flatMap((each) => shownParts(each, window))) {
      if (saying.end <= known) continue;
      const last = claims.at(-1);
      if (last?.end === known && saying.start <= known) {
        last.end = saying.end;
        last.sayings.push(saying);
      } else claims.push({ start: Math.max(saying.start, (last?.end ?? 0) + 1), end: saying.end, sayings: [saying] });
    }
  }
  return claims;
}

/**
 * Drops invalid page ranges. Overlapping ranges are split at the page that most likely begins a
 * document.
 */
function inOrder(said: readonly SaidSegment[], last: number, pages: readonly AssessedPage[]): Saying[] {
  const sound = said
    .map((each) => ({ ...each, start: Math.max(1, each.start), end: Math.min(last, each.end) }))
    .filter(({ start, end }) => start <= end)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const taken: Saying[] = [];
  for (const next of sound) {
    const before = taken.at(-1);
    if (!before || before.end < next.start) taken.push(next);
    else if (before.end < next.end || before.start < next.start) {
      const from = Math.max(next.start, before.start + 1);
      const begin = likeliestBegin(from, Math.max(from, Math.min(before.end + 1, next.end)), pages);
      before.end = begin - 1;
      if (begin <= next.end) taken.push({ ...next, start: begin });
    }
  }
  return taken;
}

/**
 * Returns the page from `first` to `last` that most likely begins a document according to the
 * built-in engine.
 */
export function likeliestBegin(first: number, last: number, pages: readonly AssessedPage[]): number {
  let best = first;
  for (let page = first + 1; page <= last; page++)
    if ((pages[page - 1]?.begins ?? 0) > (pages[best - 1]?.begins ?? 0)) best = page;
  return best;
}

/**
 * Restricts a saying to the pages of `window`, which the model has seen. If unseen pages lie in
 * between, returns a separate saying for each range of seen pages.
 */
function shownParts(saying: Saying, window: readonly number[]): Saying[] {
  const parts: Saying[] = [];
  for (const page of window) {
    if (page < saying.start || page > saying.end) continue;
    const last = parts.at(-1);
    if (last?.end === page - 1) last.end = page;
    else parts.push({ ...saying, start: page, end: page });
  }
  return parts;
}
