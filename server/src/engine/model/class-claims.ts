/** What a language model says of the segments of a file, as claims: in order, none over another, none beyond what it was shown. */

import type { AssessedPage } from "../classify/page-assessment.ts";
import type { SaidSegment } from "./class-requests.ts";

/** Something that a model says of a run of pages that it was shown. */
export interface Saying extends Pick<SaidSegment, "label" | "description" | "quote"> {
  /** First and last page, from 1, both inclusive. */
  start: number;
  end: number;
}

/** That a run of pages is one document. Where its pages went into several requests there is a saying from each. */
export interface Claim {
  start: number;
  end: number;
  sayings: Saying[];
}

/** The claims of all answers, each to the pages of its window. */
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

/** Without what is no run of pages; where two claim the same pages, the second begins where a document is likeliest to. */
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

/** Of the pages from `first` to `last` that before which the built-in engine sees a boundary most. */
export function likeliestBegin(first: number, last: number, pages: readonly AssessedPage[]): number {
  let best = first;
  for (let page = first + 1; page <= last; page++)
    if ((pages[page - 1]?.begins ?? 0) > (pages[best - 1]?.begins ?? 0)) best = page;
  return best;
}

/** A saying holds for the pages that the model was shown: one over a gap becomes several. */
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
