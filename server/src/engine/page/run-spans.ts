/** Stretches of the text of a segment. */
import type { PageRuns, TextRun } from "./text-runs.ts";

/** A stretch of text: words of the page, and the text that they show there. */
export interface RunSpan {
  page: PageRuns;
  segment: TextRun;
  start: number;
  end: number;
}

export const whole = (page: PageRuns, segment: TextRun): RunSpan => ({
  page,
  segment,
  start: 0,
  end: segment.text.length,
});

export const spanText = (span: RunSpan): string => span.segment.text.slice(span.start, span.end);

/** The stretch without white space, dashes and other marks at its ends. */
export function trimmed(page: PageRuns, segment: TextRun, start: number, end: number): RunSpan | undefined {
  let from = start;
  let to = end;
  while (from < to && /[\s:;,|•·–-]/.test(segment.text[from] ?? "")) from++;
  while (to > from && /[\s:;,|•·–-]/.test(segment.text[to - 1] ?? "")) to--;
  return from < to ? { page, segment, start: from, end: to } : undefined;
}
