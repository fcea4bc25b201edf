/** What may be the label of a value: the words before it, to its left, above it, and both heads of its table cell. */
import type { Box } from "../../../reading/document.ts";
import { besides, lineBefore, type PageRuns, rowsAround, type TextRun } from "../../page/text-runs.ts";
import { aboveLabels } from "./above-labels.ts";
import { hasWords, labelTerms } from "./label-scores.ts";

export interface Context {
  text: string;
  /** 0 to 1: how surely a label in this place belongs to the value. */
  factor: number;
}

const maxInlineLength = 90;
const maxLabelLength = 70;
/** Behind words that no colon ends a label may stand further left: "Sampled by | Customer, 17 March". */
const beforeWords = 0.75;
const behind = 0.8;
const maxSuffix = 25;
/** What goes on behind a value; behind "and" something else begins. */
const suffixPattern = /^\s*(?!(?:and|or|und|oder|et|ou|y|o|e|en|of)\s)[(]?\p{L}[\p{L} -]*/u;
const maxFewWords = 2;
/** A value so near to the line's begin may go on with the sentence of the line above. */
const maxCarried = 30;

/** The contexts of the value at characters `[start, end)` of the run, which fills `box`. */
export function contextsOf(layout: PageRuns, run: TextRun, start: number, end: number, box: Box): Context[] {
  const inline = inlineLabel(carried(layout, run, start) + run.text.slice(0, start));
  const suffix = run.text.slice(end, end + maxSuffix).match(suffixPattern)?.[0] ?? "";
  const left = leftOf(layout, run, inline);
  const sure = /[:#]\s*$/.test(inline) || /[:#]\s*$/.test(left[0]?.text ?? "") || hasWords(inline);
  const above = aboveLabels(layout, run, box);
  const contexts: Context[] = [];
  if (hasWords(inline)) contexts.push({ text: inline, factor: 1 });
  contexts.push(...left);
  for (const context of above) contexts.push({ text: context.text, factor: context.factor * (sure ? 0.55 : 1) });
  const head = hasWords(inline) ? { text: inline, factor: 1 } : left.at(-1);
  const column = above[0];
  if (head && column) contexts.push(...tableContexts(head, column));
  const first = contexts[0];
  if (first && hasWords(suffix)) contexts.push({ text: `${plain(first.text)} ${suffix}`, factor: first.factor * 0.95 });
  // "2,614 kWh used": a sentence that goes on in small letters, not the label of the next value.
  const ofNext = /\d/.test(run.text[end + suffix.length] ?? "");
  if (/^\s*\p{Ll}/u.test(suffix) && !ofNext && hasWords(suffix)) contexts.push({ text: suffix, factor: behind });
  return contexts;
}

/** The heads of a value's row and column together. In the row of the sums the column's head says what they are of. */
function tableContexts(head: Context, column: Context): Context[] {
  const both = `${plain(head.text)} ${plain(column.text)}`;
  const said = labelTerms(head.text).filter((term) => term.weight > 0);
  const isSum =
    said.length > 0 && said.every((term) => term.texts.some((text) => text === "total" || text === "grand"));
  if (!isSum) return [{ text: both, factor: 0.85 * head.factor }];
  return [both, column.text].map((text) => ({ text, factor: sumRowFactor }));
}

const sumRowFactor = 0.98;

/** Without the marks that would part the joined label. */
const plain = (text: string): string => text.replace(/[:;,()]/g, " ");

/** The end of the line above, if the sentence goes on from there to the value. */
function carried(layout: PageRuns, run: TextRun, start: number): string {
  if (start > maxCarried || /[:;.]\s/.test(run.text.slice(0, start))) return "";
  const before = lineBefore(layout, run);
  return before ? `${before.text} ` : "";
}

/** What stands to the left; with words between, as far as no colon makes these the label. */
function leftOf(layout: PageRuns, run: TextRun, inline: string): Context[] {
  if (!hasWords(inline)) return leftLabels(layout, run);
  const isLabel = /[:#]\s*$/.test(inline) || inline.trim().split(/\s+/).length > maxFewWords;
  if (isLabel || run.column === 0) return [];
  return leftLabels(layout, run).map((context) => ({ ...context, factor: context.factor * beforeWords }));
}

/** The words before the value, from the last sentence end on. */
function inlineLabel(text: string): string {
  const before = text.slice(-maxInlineLength);
  const cut = Math.max(before.lastIndexOf(". "), before.lastIndexOf("; "), before.lastIndexOf(" | "));
  const last =
    cut > 0 && cut < before.length - 3 && !/\b(?:\p{L}{1,4}|\d{1,2})\. $/u.test(before.slice(0, cut + 2))
      ? before.slice(cut + 2)
      : before;
  return last;
}

function leftLabels(layout: PageRuns, run: TextRun): Context[] {
  const own = (layout.rows[run.row] ?? []).slice(0, run.column + 1);
  const labelled = own.some((other) => other !== run && hasWords(other.text));
  const row = labelled ? own : [...leaningRow(layout, own[0] ?? run), ...own];
  const found: Context[] = [];
  let skipped = 0;
  for (let at = row.indexOf(run) - 1; at >= 0 && skipped < 12; at--) {
    const text = row[at]?.text ?? "";
    if (hasWords(text)) {
      // A code in front makes it a value of its own.
      const ownValue = /(?:(?<!\S)[^\s:]*:|:\s+)[^\s\d]*\d\S*$|^\S*\d{3}/.test(text);
      found.push({ text, factor: (skipped === 0 ? 0.97 : 0.86) * (ownValue ? 0.4 : 1) });
      if (!isShort(text)) break;
      // A note between the label and the value ("19%", "EUR") has no words; a second text further left is the head of the row.
      if (found.length === 2) break;
      skipped++;
    } else skipped++;
  }
  return found.map((context, at) => (at === 0 ? context : { ...context, factor: context.factor * 0.75 }));
}

/** Runs of the neighbouring rows that stand to the left all the same. */
const leaningRow = (layout: PageRuns, run: TextRun): TextRun[] =>
  rowsAround(layout, run)
    .filter((other) => besides(other, run))
    .sort((a, b) => a.box[0] - b.box[0]);

const isShort = (text: string): boolean => text.length <= maxLabelLength;
