/**
 * Finds the texts that may be labels of a value: the words before it, texts to its left and above
 * it, and, for a table cell, its row heading joined with its column heading.
 */
import type { Box } from "../../../reading/document.ts";
import { captionsBelow } from "../../page/captions.ts";
import { besides, lineBefore, type PageRuns, rowsAround, type TextRun } from "../../page/text-runs.ts";
import { aboveLabels, isShort } from "./above-labels.ts";
import { contextFactors } from "./context-weights.ts";
import { hasWords, labelTerms, withoutPunctuation } from "./label-scores.ts";

/**
 * Position of a label: before the value in its text run, to its left, above it, row and column
 * heading joined, after it in its run, or below it as a caption.
 */
export type Relation = "inline" | "left" | "above" | "cell" | "behind" | "below";

export interface Context {
  text: string;
  relation: Relation;
  /** 0 to 1: how likely a label at this position is to belong to the value. */
  factor: number;
}

/** Maximum length of a label in the value's own run, in UTF-16 units. Chosen by hand, 2026-11. */
const maxInlineLength = 90;
/** Only this many UTF-16 units after a value are read. Chosen by hand, 2026-11. */
const maxSuffix = 25;
/**
 * Matches the words after a value, unless they begin with a conjunction such as "and", which starts
 * another item.
 */
const suffixPattern = /^\s*(?!(?:and|or|und|oder|et|ou|y|o|e|en|of)\s)[(]?\p{L}[\p{L} -]*/u;
/**
 * If at most this many words precede a value in its text run, the texts to the left of the run may
 * also be its label. Chosen by hand, 2026-11.
 */
const maxFewWords = 2;
/**
 * A value that begins within this many UTF-16 units of the start of its line may continue a
 * sentence of the line above. Chosen by hand, 2026-11.
 */
const maxCarried = 30;

/**
 * Returns the texts that may be labels of the value at characters `[start, end)` of the run. `box`
 * is the value's box.
 */
export function contextsOf(layout: PageRuns, run: TextRun, start: number, end: number, box: Box): Context[] {
  const inline = inlineLabel(carried(layout, run, start) + run.text.slice(0, start));
  const suffix = run.text.slice(end, end + maxSuffix).match(suffixPattern)?.[0] ?? "";
  const left = leftOf(layout, run, inline);
  const sure = /[:#]\s*$/.test(inline) || /[:#]\s*$/.test(left[0]?.text ?? "") || hasWords(inline);
  const above = aboveLabels(layout, run, box);
  const contexts: Context[] = [];
  if (hasWords(inline)) contexts.push({ text: inline, relation: "inline", factor: 1 });
  contexts.push(...left);
  for (const context of above)
    contexts.push({ ...context, factor: context.factor * (sure ? contextFactors.aboveDespiteSure : 1) });
  const head = hasWords(inline) ? { text: inline, relation: "inline" as const, factor: 1 } : left.at(-1);
  const column = above[0];
  if (head && column) contexts.push(...tableContexts(head, column));
  const first = contexts[0];
  if (first && hasWords(suffix))
    contexts.push({
      text: `${withoutPunctuation(first.text)} ${suffix}`,
      relation: first.relation,
      factor: first.factor * contextFactors.withSuffix,
    });
  // The lower-case words in "2,614 kWh used" belong to the number before them. If a digit follows
  // the words, they belong to the next value instead.
  const ofNext = /\d/.test(run.text[end + suffix.length] ?? "");
  const caption = captionsBelow(layout).ofValue.get(run);
  if (caption && hasWords(caption.text))
    contexts.push({ text: caption.text, relation: "below", factor: contextFactors.below });
  if (/^\s*\p{Ll}/u.test(suffix) && !ofNext && hasWords(suffix))
    contexts.push({ text: suffix, relation: "behind", factor: contextFactors.behind });
  return contexts;
}

/**
 * Joins the row heading and the column heading of a value. In a row of totals, the column heading
 * alone is a label too.
 */
function tableContexts(head: Context, column: Context): Context[] {
  const both = `${withoutPunctuation(head.text)} ${withoutPunctuation(column.text)}`;
  const said = labelTerms(head.text).filter((term) => term.weight > 0);
  const isSum =
    said.length > 0 && said.every((term) => term.texts.some((text) => text === "total" || text === "grand"));
  if (!isSum) return [{ text: both, relation: "cell", factor: contextFactors.cell * head.factor }];
  return [both, column.text].map((text) => ({ text, relation: "cell", factor: contextFactors.sumRow }));
}

/**
 * Returns the text of the line above if the value may continue a sentence that begins there.
 * Otherwise, returns an empty string.
 */
function carried(layout: PageRuns, run: TextRun, start: number): string {
  if (start > maxCarried || /[:;.]\s/.test(run.text.slice(0, start))) return "";
  const before = lineBefore(layout, run);
  return before ? `${before.text} ` : "";
}

/**
 * Returns the labels to the left of the run. Empty if the words before the value in its own run are
 * its label, that is, if they end with a colon or there are more than two of them. In
 * "Sampled by | Customer, 17 March", the word "Customer," is not the label of the date.
 */
function leftOf(layout: PageRuns, run: TextRun, inline: string): Context[] {
  if (!hasWords(inline)) return leftLabels(layout, run);
  const isLabel = /[:#]\s*$/.test(inline) || inline.trim().split(/\s+/).length > maxFewWords;
  if (isLabel || run.column === 0) return [];
  return leftLabels(layout, run).map((context) => ({
    ...context,
    factor: context.factor * contextFactors.beforeWords,
  }));
}

/** Returns the words before the value, back to the end of the previous sentence. */
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
      // A text such as "Order no.: 4711" already contains a value, so it is less likely to be the
      // label of the value to its right.
      const ownValue = /(?:(?<!\S)[^\s:]*:|:\s+)[^\s\d]*\d\S*$|^\S*\d{3}/.test(text);
      found.push({
        text,
        relation: "left",
        factor:
          (skipped === 0 ? contextFactors.left : contextFactors.furtherLeft) * (ownValue ? contextFactors.ownValue : 1),
      });
      if (!isShort(text)) break;
      // Texts without words, such as "19%" or "EUR", may stand between label and value. A second
      // text with words is the row heading.
      if (found.length === 2) break;
      skipped++;
    } else skipped++;
  }
  return found.map((context, at) =>
    at === 0 ? context : { ...context, factor: context.factor * contextFactors.secondLeft },
  );
}

/**
 * Returns runs that belong to adjacent rows but are beside this run, as happens in a skewed scan.
 */
const leaningRow = (layout: PageRuns, run: TextRun): TextRun[] =>
  rowsAround(layout, run)
    .filter((other) => besides(other, run))
    .sort((a, b) => a.box[0] - b.box[0]);
