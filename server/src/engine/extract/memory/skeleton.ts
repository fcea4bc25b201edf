/**
 * The skeleton of a document: its fixed texts and where they are. Documents of the same layout have
 * many fixed texts in common. Two skeletons are compared by text and horizontal position only,
 * because the vertical position depends on the number of list rows above.
 */
import type { Box } from "../../../reading/document.ts";
import { type DocumentRuns, type PageRuns, type TextRun, unionOf, wordAt } from "../../page/text-runs.ts";
import { hashOf, labelKeyOf } from "./text-keys.ts";

/** A text and its box, in thousandths of the page's width, measured from the top left. */
export interface SkeletonItem {
  hash: string;
  page: number;
  box: Box;
}

/** Maximum number of items in a skeleton. A dense form has about 150. Chosen by hand, 2026-11. */
const maxItems = 200;
/** Minimum number of letters in an item. */
const minLetters = 2;
/** Number of pages at the start of a document whose texts are compared. */
const maxPages = 8;

/** Scales a box to thousandths of the page's width. */
export function scaled({ page }: PageRuns, [x0, y0, x1, y1]: Box): Box {
  const scale = 1000 / Math.max(1, page.width);
  return [Math.round(x0 * scale), Math.round(y0 * scale), Math.round(x1 * scale), Math.round(y1 * scale)];
}

/**
 * Returns the words of a run that may be a label: those up to a colon, or those before the first
 * number.
 */
export function labelWordsOf(page: PageRuns, run: TextRun): readonly number[] {
  const texts = run.words.map((word) => wordAt(page.page, word).text);
  const colon = texts.findIndex((text) => text.endsWith(":"));
  if (colon >= 0 && colon < texts.length - 1) return run.words.slice(0, colon + 1);
  const digit = texts.findIndex((text) => /\p{N}/u.test(text));
  return digit > 0 ? run.words.slice(0, digit) : [];
}

/** @param isValue tells whether a word is part of a value. Such a word is not fixed text. */
export function skeletonOf({ pages }: DocumentRuns, isValue: (page: number, word: number) => boolean): SkeletonItem[] {
  const items: SkeletonItem[] = [];
  const add = (page: PageRuns, index: number, words: readonly number[]): void => {
    if (items.length >= maxItems || words.length === 0 || words.some((word) => isValue(index, word))) return;
    const key = labelKeyOf(words.map((word) => wordAt(page.page, word).text).join(" "));
    if (key.length < minLetters) return;
    const box = words.map((word) => wordAt(page.page, word).box).reduce(unionOf);
    items.push({ hash: hashOf(key), page: index, box: scaled(page, box) });
  };
  for (const [index, page] of pages.slice(0, maxPages).entries())
    for (const run of page.runs) {
      add(page, index, run.words);
      add(page, index, labelWordsOf(page, run));
    }
  return items;
}

export const encodeSkeleton = (items: readonly SkeletonItem[]): string =>
  items.map(({ hash, page, box }) => `${hash},${page},${box.join(",")}`).join(";");

export function decodeSkeleton(text: string): SkeletonItem[] {
  if (text === "") return [];
  return text.split(";").flatMap((item): SkeletonItem[] => {
    const [hash = "", ...numbers] = item.split(",");
    const [page = 0, x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbers.map(Number);
    return hash === "" ? [] : [{ hash, page, box: [x0, y0, x1, y1] }];
  });
}

/** Comparison of a learned skeleton with that of another document. */
export interface Likeness {
  /**
   * Share (0 to 1) of the learned texts that also occur in the other document at the same
   * horizontal position, apart from a shift that all texts have in common.
   */
  share: number;
  /**
   * Number of distinct learned texts that also occur in the other document at the same horizontal
   * position, apart from a shift that all texts have in common.
   */
  count: number;
  /**
   * For each learned text that also occurs in the other document: its counterpart in that document.
   */
  boxes: ReadonlyMap<SkeletonItem, SkeletonItem>;
}

/**
 * Maximum horizontal distance between two corresponding texts, in thousandths of the page's width.
 * On an A4 page, this is 7 points.
 */
const maxShift = 12;

/**
 * Compares a learned skeleton with the other document.
 * @param other all texts of the other document, including values, because it is not known which
 * texts are values
 */
export function compareSkeletons(learned: readonly SkeletonItem[], other: readonly SkeletonItem[]): Likeness {
  const byKey = Map.groupBy(other, ({ hash, page }) => `${hash} ${page}`);
  const pairs: [SkeletonItem, SkeletonItem][] = [];
  for (const [key, items] of Map.groupBy(learned, ({ hash, page }) => `${hash} ${page}`)) {
    const found = byKey.get(key) ?? [];
    for (const [at, item] of items.entries()) {
      const same = found.length === items.length ? found[at] : nearest(item, found);
      if (same) pairs.push([item, same]);
    }
  }
  const shift = medianOf(pairs.map(([a, b]) => b.box[0] - a.box[0]));
  const aligned = pairs.filter(([a, b]) => across(a.box, b.box, shift) <= maxShift);
  return {
    share: learned.length === 0 ? 0 : aligned.length / learned.length,
    count: new Set(aligned.map(([{ hash }]) => hash)).size,
    boxes: new Map(aligned),
  };
}

const across = (a: Box, b: Box, shift: number): number =>
  Math.min(Math.abs(b[0] - a[0] - shift), Math.abs(b[2] - a[2] - shift));

function nearest({ box }: SkeletonItem, items: readonly SkeletonItem[]): SkeletonItem | undefined {
  const distance = (other: SkeletonItem): number => Math.abs(other.box[0] - box[0]) + Math.abs(other.box[1] - box[1]);
  return items.reduce<SkeletonItem | undefined>((a, b) => (a && distance(a) <= distance(b) ? a : b), undefined);
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
