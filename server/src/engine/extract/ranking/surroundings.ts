/** Finds the sentence around a span, and the heading of its section. */
import type { RunSpan } from "../../page/run-spans.ts";
import { overlapShare, type PageRuns, type TextRun } from "../../page/text-runs.ts";
import { isProse } from "../candidates/names.ts";

/** Maximum length of the sentence before a value, in UTF-16 units. Chosen by hand, 2026-11. */
const maxBefore = 110;
/** Maximum length of the sentence after a value, in UTF-16 units. Chosen by hand, 2026-11. */
const maxAfter = 60;

/** Finds the texts around spans. They are computed once for each text run. */
export class Surroundings {
  readonly #ofRun = new Map<TextRun, RunSurroundings>();

  of({ page, run, start, end }: RunSpan): { sentence: string; section: string } {
    let around = this.#ofRun.get(run);
    if (around === undefined) {
      around = { section: sectionOf(page, run), above: adjacent(page, run, -1), below: adjacent(page, run, 1) };
      this.#ofRun.set(run, around);
    }
    return { sentence: sentenceOf(run, start, end, around), section: around.section };
  }
}

interface RunSurroundings {
  section: string;
  /** Adjacent lines of the same paragraph. Empty if there are none. */
  above: string;
  below: string;
}

/** Returns the sentence around the span without the span itself. Empty if the text is not prose. */
function sentenceOf(run: TextRun, start: number, end: number, { above, below }: RunSurroundings): string {
  const before = `${above} ${run.text.slice(0, start)}`;
  const after = `${run.text.slice(end)} ${below}`;
  const cut = Math.max(before.lastIndexOf(". "), before.lastIndexOf("; "), before.lastIndexOf(": "));
  const head = (cut >= 0 && cut < before.length - 3 ? before.slice(cut + 2) : before).slice(-maxBefore);
  const stop = after.search(/[.;](?:\s|$)/u);
  const tail = (stop >= 0 ? after.slice(0, stop) : after).slice(0, maxAfter);
  const text = `${head} ${tail}`.trim();
  return isProse(text) ? text : "";
}

/** Maximum gap between lines of a paragraph, in line heights. Chosen by hand, 2026-11. */
const maxGap = 0.8;
/** Maximum indent of a line of a paragraph, in line heights. Chosen by hand, 2026-11. */
const maxIndent = 3;
/** Minimum overlap share of two lines of a paragraph. Chosen by hand, 2026-11. */
const minOverlap = 0.5;

/** Returns the text of the line above or below if it belongs to the same paragraph. */
function adjacent(page: PageRuns, run: TextRun, step: 1 | -1): string {
  const other = page.rows[run.row + step]?.find((each) => overlapShare(each.box, run.box) > minOverlap);
  if (!other) return "";
  const gap = step > 0 ? other.box[1] - run.box[3] : run.box[1] - other.box[3];
  const isClose = gap < maxGap * run.height && Math.abs(other.box[0] - run.box[0]) < maxIndent * run.height;
  return isClose ? other.text : "";
}

/** Maximum number of rows that are searched upwards for a heading. Chosen by hand, 2026-11. */
const maxRowsUp = 25;
/** Maximum length of a heading, in UTF-16 units. Chosen by hand, 2026-11. */
const maxHeading = 70;
/** Minimum height of a heading, as a multiple of the text's height. Chosen by hand, 2026-11. */
const minHeight = 1.12;
/** Minimum overlap share of a heading and the text below it. Chosen by hand, 2026-11. */
const minHeadingOverlap = 0.2;
/** Maximum number of runs in the row of a bold heading. Chosen by hand, 2026-11. */
const maxRunsOfBold = 2;

/**
 * Returns the nearest heading above the run: text that is larger or bold. Empty if there is none.
 */
function sectionOf(page: PageRuns, run: TextRun): string {
  for (let at = run.row - 1; at >= Math.max(0, run.row - maxRowsUp); at--) {
    const row = page.rows[at] ?? [];
    const over = row.find(
      (other) => overlapShare(other.box, run.box) > minHeadingOverlap || (other.column === 0 && row.length === 1),
    );
    if (!over || over.text.length > maxHeading || !/\p{L}{3}/u.test(over.text)) continue;
    if (over.height > minHeight * run.height || (over.bold && !run.bold && row.length <= maxRunsOfBold))
      return over.text;
  }
  return "";
}
