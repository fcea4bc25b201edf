/**
 * Finds captions: small text below the value that it labels, as below the fill-in lines of a form.
 */
import { overlapShare, type PageRuns, type TextRun } from "./text-runs.ts";

/**
 * Maximum text height of a caption, as a share of the text height of its value. Chosen by hand,
 * 2026-11.
 */
export const maxCaptionHeight = 0.93;
/** Maximum length of a caption, in UTF-16 units. Chosen by hand, 2026-11. */
const maxLength = 60;
/** Maximum gap between a value and its caption, in line heights. Chosen by hand, 2026-11. */
const maxGap = 0.7;
/**
 * The gap between a caption and the next line must exceed the gap between caption and value by at
 * least this many line heights. Chosen by hand, 2026-11.
 */
const minNearer = 0.4;
/**
 * Maximum difference between the left edges of a caption and its value, in line heights. If the
 * difference is larger, the caption must overlap the value by `minOverlap`.
 */
const maxIndent = 0.6;
/** Minimum overlap share (0 to 1) of a caption and its value if their left edges differ. */
const minOverlap = 0.5;
/**
 * Minimum number of captions on a page. If a page has only one small text below a line, this text
 * is often not a caption. Chosen by hand, 2026-11.
 */
const minCaptions = 2;

const known = new WeakMap<PageRuns, Captions>();

export interface Captions {
  /** Maps each value that has a caption to its caption. */
  ofValue: ReadonlyMap<TextRun, TextRun>;
  /** Maps each caption to its value. */
  ofCaption: ReadonlyMap<TextRun, TextRun>;
}

/**
 * Returns the captions of a page. A page with fewer than `minCaptions` counts as having no
 * captions.
 */
export function captionsBelow(page: PageRuns): Captions {
  const before = known.get(page);
  if (before) return before;
  const pairs = page.runs.flatMap((run): [TextRun, TextRun][] => {
    const value = valueAbove(page, run);
    return value ? [[value, run]] : [];
  });
  const found = pairs.length < minCaptions ? [] : pairs;
  const captions = {
    ofValue: new Map(found),
    ofCaption: new Map(found.map(([value, caption]) => [caption, value])),
  };
  known.set(page, captions);
  return captions;
}

function valueAbove(page: PageRuns, run: TextRun): TextRun | undefined {
  const { text, height, box } = run;
  if (text.length > maxLength || !/\p{L}{2}/u.test(text) || /[:：]\s*$/.test(text)) return undefined;
  const value = nearest(page, run, -1);
  if (!value || height > maxCaptionHeight * value.height) return undefined;
  const gap = box[1] - value.box[3];
  const next = nearest(page, run, 1);
  const gapBelow = next ? next.box[1] - box[3] : Number.POSITIVE_INFINITY;
  return gap <= maxGap * height && gap + minNearer * height < gapBelow ? value : undefined;
}

/**
 * Returns the nearest run in the next two rows below (`step` 1) or above (`step` -1). Within a row,
 * a run with the same left edge is preferred to a run that overlaps `run` horizontally.
 */
function nearest(page: PageRuns, run: TextRun, step: 1 | -1): TextRun | undefined {
  for (const row of [page.rows[run.row + step], page.rows[run.row + 2 * step]]) {
    const aligned = row?.find((other) => Math.abs(other.box[0] - run.box[0]) < maxIndent * run.height);
    const other = aligned ?? row?.find(({ box }) => overlapShare(box, run.box) > minOverlap);
    if (other) return other;
  }
  return undefined;
}
