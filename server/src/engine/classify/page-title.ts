/** Finds the title of a page: the words that look most like a title, quoted verbatim. */

import { type PageRuns, sizeOf, type TextRun } from "../page/text-runs.ts";
import { isAddressLine, isContactLine, isStreetLine } from "../values/address-lines.ts";
import { type PageEvidence, type PageStyle, prominence } from "./kind-scores.ts";
import { pageTitleLimits, pageTitleWeights } from "./page-title-weights.ts";

/** Limits of the title, in words, rows and UTF-16 units. Chosen by hand, 2026-11. */
const maxWords = 24;
const maxRowsOfTitle = 4;
const maxLength = 300;
const { searchedShare, minConfidence, maxSizeShare, minLetterShare, sameSize, maxGap, largerFrom } = pageTitleLimits;

/**
 * Returns the title with single spaces. If no text looks like a title, returns the longest row,
 * with `strength` 0.
 */
export function findTitle(
  page: PageRuns,
  style: PageStyle,
  evidence: PageEvidence,
): { text: string; strength: number } {
  const w = pageTitleWeights;
  let best: { run: TextRun; score: number } | undefined;
  for (const run of page.runs) {
    if (
      run.box[1] > searchedShare * page.page.height ||
      !(isTitleText(run.text) || (evidence.title?.run === run && !run.text.includes("=")))
    )
      continue;
    const named = evidence.title?.run === run ? w.kind * evidence.title.strength : 0;
    const high = w.high * (1 - run.box[1] / Math.max(1, page.page.height));
    const score = prominence(page, run, style) + named + high - doubts(page, run);
    if (score > (best?.score ?? Number.NEGATIVE_INFINITY)) best = { run, score };
  }
  if (!best) return { text: longestRow(page), strength: 0 };
  return { text: wholeTitle(page, best.run, style), strength: Math.max(0, best.score) };
}

/**
 * Returns the penalty for text that is unlikely to be a title, such as an address or a scribble.
 */
function doubts(page: PageRuns, run: TextRun): number {
  const w = pageTitleWeights;
  const { text, words } = run;
  const confidences = words.map((index) => page.page.words[index]?.confidence ?? 1);
  const unsure = confidences.reduce((sum, each) => sum + each, 0) < minConfidence * words.length;
  const huge = sizeOf(page, run) > maxSizeShare * page.page.height;
  const address = isStreetLine(text) || isAddressLine(text) || isContactLine(text);
  const columns = page.rows[run.row]?.length ?? 1;
  return (
    (words.length > 12 ? w.long : 0) +
    (address ? w.address : 0) +
    (columns > 3 ? w.columns : 0) +
    (/^\p{Ll}/u.test(text) ? w.lowerCase : 0) +
    (unsure || huge ? w.doubtful : 0)
  );
}

/**
 * Returns true for mostly alphabetic text without an email address, a URL, an equals sign or a
 * trailing colon.
 */
function isTitleText(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (
    letters >= 3 &&
    letters > minLetterShare * text.replace(/\s/g, "").length &&
    !/@|www\.|https?:|[=:]$|\w=/i.test(text)
  );
}

/**
 * Adds the rows below that have the same type size. Only a title in larger type than the body text
 * can have several rows.
 */
function wholeTitle(page: PageRuns, first: TextRun, style: PageStyle): string {
  const parts = [first];
  let last = first;
  const size = sizeOf(page, first);
  for (let at = first.row + 1; parts.length < maxRowsOfTitle; at++) {
    const next = page.rows[at]?.find((run) => Math.min(run.box[2], last.box[2]) > Math.max(run.box[0], last.box[0]));
    if (!next || Math.abs(sizeOf(page, next) / size - 1) > sameSize || next.bold !== first.bold) break;
    const close = next.box[1] - last.box[3] < maxGap * last.height;
    const apart = size > largerFrom * style.size && isTitleText(next.text);
    if (!close || !apart) break;
    parts.push(next);
    last = next;
  }
  const value = page.rows[first.row]?.[first.column + 1];
  if (parts.length === 1 && value && announcesNumber(first.text) && /\d/.test(value.text)) parts.push(value);
  return parts
    .flatMap((run) => inReadingOrder(run).map((index) => page.page.words[index]?.text ?? ""))
    .slice(0, maxWords)
    .join(" ")
    .slice(0, maxLength);
}

/** Returns true for text that ends like "Invoice no.:", "Rechnungsnummer" or "Order #". */
const announcesNumber = (text: string): boolean =>
  /(?:#|n[°or]\.?|no\.|:)\s*:?$/iu.test(text) || /num/iu.test(lastWord.exec(text)?.[0] ?? "");

const lastWord = /(?<!\p{L})\p{L}+(?=\s*:?$)/u;

function longestRow(page: PageRuns): string {
  const rows = page.rows.slice(0, 40).map((row) => row.map(({ text }) => text).join(" "));
  const telling = rows.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return telling.split(" ").slice(0, maxWords).join(" ").slice(0, maxLength);
}

/**
 * Returns the words in reading order. Text runs list words from left to right, even in
 * right-to-left scripts.
 */
const inReadingOrder = ({ text, words }: TextRun): number[] =>
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
    ? words.toSorted((a, b) => a - b)
    : words;
