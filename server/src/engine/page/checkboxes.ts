/**
 * Reads checkboxes: "[ ] Fire [X] Water", "☐ Yes ☒ No". The value is the text of the checked box.
 */
import type { Box } from "../../reading/document.ts";
import { type RunSpan, spanText, trimmed, whole } from "./run-spans.ts";
import { type PageRuns, type TextRun, wordAt } from "./text-runs.ts";

/** Matches a printed checkbox, ticked or empty. */
export const checkbox = /[☑☒✓✔✗✘■🗹☐□▢❏❐❑❒]|\[ ?[xX✓✔]? ?\]|\( ?[xX✓]? ?\)/gu;
export const tickedBox = /[☑☒✓✔✗✘■🗹]|\[ ?[xX✓✔] ?\]|\([xX✓]\)/u;
export const emptyBox = /[☐□▢❏❐❑❒]|\[ {0,2}\]|\( {0,2}\)/u;
const tick = /[☑☒✓✔✗✘■🗹xX]/u;
const maxRuns = 8;

const unambiguous = /[☑☒🗹☐□]|\[ ?[xX✓✔]? ?\]/u;
const atEnd = /[☑☒🗹☐□]\s*$/u;

/** Returns true for the text of an option: it contains a checkbox or directly follows one. */
export const isOptionText = (page: PageRuns, run: TextRun): boolean =>
  unambiguous.test(run.text.slice(0, maxSearched)) || atEnd.test(page.rows[run.row]?.[run.column - 1]?.text ?? "");

/**
 * Maximum length of a line that is searched for boxes, in UTF-16 units. Chosen by hand, 2026-11.
 */
const maxSearched = 600;

interface Checkbox {
  ticked: boolean;
  text: RunSpan | undefined;
}

/**
 * Returns the text of the checked option, or undefined if no option or more than one is checked. If
 * the span does not start with a checkbox, it may consist of printed options and a cross, as in
 * "Yes X No".
 */
export function tickedOf(span: RunSpan): RunSpan | undefined {
  if (spanText(span).search(checkbox) !== 0) return crossedOf(span);
  const options = optionsFrom(span);
  // If no checkbox has a text, the checkboxes themselves are the value.
  if (options.every((option) => option.text === undefined)) return span;
  const ticked = options.filter((option) => option.ticked && option.text !== undefined);
  return ticked.length === 1 ? ticked[0]?.text : undefined;
}

/**
 * Returns the printed option that is nearest to the cross, as in "Yes X No". A span with fewer than
 * two options is returned unchanged.
 */
function crossedOf(span: RunSpan): RunSpan | undefined {
  const answerMarks = findAnswerMarks(span);
  const answers = answerMarks.filter((mark) => !mark.cross);
  const crosses = answerMarks.filter((mark) => mark.cross);
  if (answers.length < 2) return span;
  const [cross] = crosses;
  if (!cross || crosses.length > 1) return undefined;
  const [nearest, next] = answers
    .map((answer) => ({ answer, gap: Math.max(answer.box[0] - cross.box[2], cross.box[0] - answer.box[2]) }))
    .sort((a, b) => a.gap - b.gap);
  return nearest && next && next.gap > nearest.gap * clearly ? nearest.answer.span : undefined;
}

/**
 * A cross belongs to the nearest printed option only if its distance to the second nearest is at
 * least this many times as large. Chosen by hand, 2026-11.
 */
const clearly = 1.5;
/**
 * Maximum number of printed options and crosses in one answer, counted together. Chosen by hand,
 * 2026-11.
 */
const maxMarks = 4;

/**
 * Returns the printed options and crosses at the start of the span. Stops at the first other word.
 */
function findAnswerMarks(span: RunSpan): { span: RunSpan; box: Box; cross: boolean }[] {
  const { page, run } = span;
  const answerMarks: { span: RunSpan; box: Box; cross: boolean }[] = [];
  const row = page.rows[run.row] ?? [];
  for (const part of row.slice(run.column, run.column + maxMarks)) {
    for (const [at, word] of part.words.entries()) {
      const start = part.starts[at] ?? 0;
      if (part === run && start < span.start) continue;
      const { text, box } = wordAt(page.page, word);
      const cross = /^[xX]$/.test(text);
      if (answerMarks.length >= maxMarks || (!cross && !printedAnswer.test(text))) return answerMarks;
      answerMarks.push({ span: { page, run: part, start, end: start + text.length }, box, cross });
    }
  }
  return answerMarks;
}

const printedAnswer = /^(?:yes|no|ja|nein|oui|non|s[ií]|nee)$/iu;

/**
 * Returns the options in the span and in the text runs to its right. Stops at a text run that does
 * not start with a checkbox, unless it is the text of the checkbox before it.
 */
function optionsFrom(span: RunSpan): Checkbox[] {
  const { page, run } = span;
  const options = optionsIn(span);
  if (span.end < run.text.length) return options;
  const row = page.rows[run.row] ?? [];
  for (const next of row.slice(run.column + 1, run.column + maxRuns)) {
    const open = options.at(-1);
    const begins = next.text.search(checkbox) === 0;
    if (!begins && open?.text !== undefined) break;
    if (begins) options.push(...optionsIn(whole(page, next)));
    else if (open) open.text = whole(page, next);
  }
  return options;
}

function optionsIn({ page, run, start, end }: RunSpan): Checkbox[] {
  const marks = [...run.text.slice(start, end).matchAll(checkbox)];
  return marks.map((mark, at) => {
    const next = marks[at + 1]?.index ?? end - start;
    const text = trimmed(page, run, start + mark.index + mark[0].length, start + next);
    return { ticked: tick.test(mark[0]), text };
  });
}
