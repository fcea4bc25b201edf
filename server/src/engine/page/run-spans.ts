/** Defines spans of the text of a text run. */
import type { PageRuns, TextRun } from "./text-runs.ts";

/** Span of a text run's text, in UTF-16 units. */
export interface RunSpan {
  page: PageRuns;
  run: TextRun;
  start: number;
  end: number;
}

export const whole = (page: PageRuns, run: TextRun): RunSpan => ({
  page,
  run,
  start: 0,
  end: run.text.length,
});

export const spanText = (span: RunSpan): string => span.run.text.slice(span.start, span.end);

/**
 * Returns the span without white space, dashes and other separators at its ends, or undefined if
 * nothing is left.
 */
export function trimmed(page: PageRuns, run: TextRun, start: number, end: number): RunSpan | undefined {
  let from = start;
  let to = end;
  while (from < to && isSeparator(run.text, from)) from++;
  while (to > from && isSeparator(run.text, to - 1)) to--;
  return from < to ? { page, run, start: from, end: to } : undefined;
}

const isSeparator = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  const isLetter = (code | lowerCaseBit) >= smallA && (code | lowerCaseBit) <= smallZ;
  return !isLetter && /[\s:;,|•·–-]/.test(text.charAt(at));
};

const [lowerCaseBit, smallA, smallZ] = [0x20, 0x61, 0x7a];
