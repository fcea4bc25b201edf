/**
 * Describes the position of a value by the fixed texts around it. Later documents of the same
 * layout contain the same fixed texts.
 */
import type { LeafValue } from "../../engine.ts";
import type { LearnedFact } from "../../memory.ts";
import { unionOf, wordAt } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { Anchor } from "./learned.ts";
import { type Located, nextRuns } from "./locate-values.ts";
import { columnOf, leftOf, type MemoryPage, type MemoryView } from "./memory-view.ts";
import { textOf } from "./readings.ts";
import { scaled } from "./skeleton.ts";
import { hashOf, keyOf, labelKeyOf, shapeOf } from "./text-keys.ts";

/** Number of words before a value, and after it, that are compared. */
const contextWords = 4;

/** Returns the keys of the words before a span, and of those after it, nearest first. */
export function contextOf(page: MemoryPage, words: readonly number[]): { before: string[]; after: string[] } {
  const own = new Set(words);
  const take = (word: number, step: 1 | -1): string[] => {
    const keys: string[] = [];
    const from = (page.placeOf.get(word) ?? 0) + step;
    for (let at = from; keys.length < contextWords && at >= 0 && at < page.stream.length; at += step) {
      const key = page.contextKeys[at] ?? "";
      if (key !== "" && !own.has(page.stream[at] ?? -1)) keys.push(key);
    }
    return keys;
  };
  return { before: take(words[0] ?? -1, -1), after: take(words.at(-1) ?? -1, 1) };
}

export function describeAnchor({ page, words, reading }: Located, value: LeafValue, field: AskedField): Anchor {
  const { runs } = page;
  const box = words.map((word) => wordAt(runs.page, word).box).reduce(unionOf);
  const lines = linesOf(page, words);
  const first = page.runOf.get(words[0] ?? -1);
  const last = page.runOf.get(words.at(-1) ?? -1);
  const text = textOf(runs, words);
  const hash = (run = first): string => (run ? (page.hashes.get(run) ?? "") : "");
  const left = first && leftOf(page, first);
  const [above] = first ? columnOf(page, first, -1, 1) : [];
  const [below] = last ? columnOf(page, last, 1, 1) : [];
  const next = last ? nextRuns(page, last).find((run) => run.row > last.row) : undefined;
  return {
    page: page.index,
    box: scaled(runs, box),
    fromBottom: Math.round((1000 * (runs.page.height - box[3])) / Math.max(1, runs.page.width)),
    ...contextOf(page, words),
    left: left ? hash(left) : "",
    above: above ? hash(above) : "",
    below: below ? hash(below) : "",
    lines: lines.length,
    words: words.length,
    atStart: first?.words[0] === words[0],
    atEnd: last?.words.at(-1) === words.at(-1),
    cut: next !== undefined && !words.some((word) => next.words.includes(word)),
    shape: shapeOf(text),
    bold: first?.bold ?? false,
    reading,
    quote: hashOf(keyOf(text)),
    ...(needsSaying(value, text, reading) ? { said: value } : {}),
    joint: lines.length > 1 && typeof value === "string" && hasComma(value, text) ? ", " : " ",
    prior: priorOf(page, words, field),
    beside: besideOf(page, words),
    label: sureLabelOf(page, words, field),
  };
}

const needsSaying = (value: LeafValue, text: string, reading: Anchor["reading"]): boolean =>
  reading === "said" || (typeof value === "string" && reading === "text" && value !== text);

const hasComma = (value: string, text: string): boolean => value.split(",").length > text.split(",").length;

/** Groups the words of a value by line. */
export function linesOf(page: MemoryPage, words: readonly number[]): number[][] {
  return [...Map.groupBy(words, (word) => page.runOf.get(word)?.row ?? -1).values()];
}

/**
 * Returns the texts that may be labels of a value: the text before it in its own text run, the text
 * to its left, and the text above it.
 */
export function labelsAround(page: MemoryPage, words: readonly number[]): Pick<LearnedFact, "rule" | "label">[] {
  const run = page.runOf.get(words[0] ?? -1);
  if (!run) return [];
  const inRun = run.words.slice(0, Math.max(0, run.words.indexOf(words[0] ?? -1)));
  const left = leftOf(page, run);
  const [above] = columnOf(page, run, -1, 1);
  const labels: Pick<LearnedFact, "rule" | "label">[] = [
    { rule: "label_before", label: textOf(page.runs, inRun.slice(-contextWords)) },
    { rule: "label_left", label: left?.text ?? "" },
    { rule: "label_above", label: above?.text ?? "" },
  ];
  return labels
    .filter(({ label }) => labelKeyOf(label).length > 1)
    .map((each) => ({ ...each, label: each.label.slice(0, 60) }));
}

/** Prior probability of a position whose label does not match the field. */
const noLabel = 0.2;

function priorOf(page: MemoryPage, words: readonly number[], field: AskedField): number {
  const scores = labelsAround(page, words).map(({ label }) => field.score(label));
  return Math.round(100 * Math.min(1, noLabel + Math.max(0, ...scores))) / 100;
}

/**
 * Returns the hash of the nearest text that precedes the value in its row. Empty if there is none.
 */
export function besideOf(page: MemoryPage, words: readonly number[]): string {
  const [nearest] = labelsAround(page, words).filter(({ rule }) => rule !== "label_above");
  return nearest ? hashOf(labelKeyOf(nearest.label)) : "";
}

/** Minimum score at which a label is certain to name the field. Chosen by hand, 2026-11. */
const sureLabel = 0.6;

/**
 * Returns the hash of the label that is certain to name the field; empty if no label is certain. A
 * later document without this label counts as not having the value.
 */
function sureLabelOf(page: MemoryPage, words: readonly number[], field: AskedField): string {
  const [best] = labelsAround(page, words)
    .filter(({ rule }) => rule !== "label_before")
    .map((each) => ({ ...each, score: field.score(each.label) }))
    .sort((a, b) => b.score - a.score);
  return best && best.score >= sureLabel ? hashOf(labelKeyOf(best.label)) : "";
}

/**
 * Returns what was learned about a value, for users: its best label, or "position" if it has no
 * label.
 */
export function factOf({ page, words }: Located, field: AskedField): LearnedFact {
  const [best] = labelsAround(page, words)
    .map((each) => ({ ...each, score: field.score(each.label) }))
    .sort((a, b) => b.score - a.score);
  return best
    ? { field: field.name, rule: best.rule, label: best.label }
    : { field: field.name, rule: "position", label: "" };
}

/**
 * Returns true if the nearest label of the words is one of `texts`. Also true if the words have no
 * label.
 */
export const hasKnownLabel = (page: MemoryPage, words: readonly number[], view: Pick<MemoryView, "texts">): boolean =>
  labelsAround(page, words)
    .slice(0, 1)
    .every(({ label }) => view.texts.has(hashOf(labelKeyOf(label))));
