/** Reads the value of an item field from the cell of its column, with evidence. */
import type { Evidence, LeafValue } from "../../engine.ts";
import { emptyBox } from "../../page/checkboxes.ts";
import { makeEvidence } from "../../page/make-evidence.ts";
import { type PageRuns, wordAt } from "../../page/text-runs.ts";
import type { FoundValue } from "../../values/find-values.ts";
import { isFormless, toConfidence } from "../candidates/confidence.ts";
import type { DocumentView } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { withoutNotes, withoutSmallPrint } from "./cell-lines.ts";
import type { Column } from "./list-heads.ts";
import type { ListItem } from "./list-items.ts";
import { type Cell, isBlank, isNumeric, valueIn } from "./list-rows.ts";
import { textColumn } from "./priced-items.ts";

/**
 * Assumed score of the runner-up, which would be in another table. The confidence of a value
 * depends on the score of its runner-up. Chosen by hand, 2026-11.
 */
const otherListScore = 0.3;
/** Score (0 to 1) of a value whose column has no heading. Chosen by hand, 2026-11. */
const baseScore = 0.2;
/**
 * The score of a value is `baseScore` plus this number times the score of its column's heading.
 * Chosen by hand, 2026-11.
 */
const ofHeading = 0.7;

export interface ListLeaf {
  value: LeafValue;
  evidence: Evidence;
}

/**
 * Returns the value of an item field.
 * @param marked true if the column contains only marks, so that an empty cell means "no"
 */
export function leafOf(asked: AskedField, item: ListItem, marked: boolean, view: DocumentView): ListLeaf | undefined {
  const column = item.head.columns.find((other) => other.item === asked);
  const own = column && item.anchor.cells.get(column);
  const page = item.anchor.page.page;
  if (!column) return undefined;
  const confidence = confidenceOf(asked, column, page);
  if (asked.format === "number" || asked.format === "date" || isNumeric(asked) || asked.kind === "date") {
    const read = valueIn(own, asked, view.locale);
    if (!read || !own || typeof read.value === "boolean" || read.value === null) return undefined;
    return leaf(page, touched(page, own, read), read.value, confidence, false);
  }
  if (asked.format === "boolean") {
    const text = own?.text ?? "";
    if (isBlank(text) && !marked) return undefined;
    // An empty cell has no words that could be evidence. The first cell of its row is used instead.
    const words = own?.words ?? [...item.anchor.cells.values()][0]?.words ?? [];
    const value = booleanOf(text);
    return value === undefined ? undefined : leaf(page, words, value, confidence, true);
  }
  const words = wordsOf(item, column).filter((index) => wordAt(page, index).text !== "");
  const text = words.map((index) => wordAt(page, index).text).join(" ");
  const inOrder = words.every((word, at) => at === 0 || word > (words[at - 1] ?? 0));
  return isBlank(text) ? undefined : leaf(page, words, text, confidence, !inOrder);
}

/** Returns true if every cell of the field's column is empty or contains a mark such as "x". */
export function hasOnlyMarks(asked: AskedField, items: readonly ListItem[]): boolean {
  if (asked.format !== "boolean") return false;
  const texts = items.flatMap(({ head, anchor }) => {
    const column = head.columns.find((other) => other.item === asked);
    const text = column && anchor.cells.get(column)?.text.trim();
    return text === undefined || isBlank(text) ? [] : [text];
  });
  return texts.length > 0 && texts.every((text) => mark.test(text));
}

function leaf(
  page: PageRuns["page"],
  words: readonly number[],
  value: LeafValue,
  confidence: number,
  inferred: boolean,
): ListLeaf | undefined {
  const evidence = makeEvidence(page, words, value, confidence, inferred);
  return evidence && { value, evidence };
}

function confidenceOf(asked: AskedField, column: Column, page: PageRuns["page"]): number {
  return toConfidence({
    score: Math.min(1, baseScore + ofHeading * column.score),
    runnerUp: otherListScore,
    confirmed: false,
    recognized: page.source === "ocr",
    formless: isFormless(asked.kind),
  });
}

const yes = /^(?:yes|ja|oui|s[ií]|sim|y|j|o|true|wahr|vrai)(?![\p{L}\d])/iu;
const no = /^(?:no|nein|non|nee|não|n|false|falsch|faux)(?![\p{L}\d])/iu;
const mark = /^[xX✓✔✗✘✕✖•●■]$/u;

const tickedBoxes = /[☑☒✓✔✗✘■🗹]|\[ ?[xX✓✔] ?\]|\([xX✓]\)/gu;

/**
 * Reads a checkbox, or an answer such as "yes". If exactly one box is ticked, returns false if the
 * words beside it say "no", and true otherwise.
 */
export function booleanOf(text: string): boolean | undefined {
  const [ticked, ...more] = text.matchAll(tickedBoxes);
  if (ticked && more.length === 0) {
    const rest = text.slice(ticked.index + ticked[0].length).trim();
    const before = text.slice(0, ticked.index).trim();
    const said = rest.replace(emptyBox, "").trim() === "" ? before : rest;
    return !no.test(said);
  }
  if (emptyBox.test(text)) return false;
  const plain = text.trim();
  if (mark.test(plain) || yes.test(plain)) return true;
  return no.test(plain) || isBlank(plain) ? false : undefined;
}

/**
 * Returns the words of an item's cell. For a text this includes the lines on which it continues.
 */
function wordsOf(item: ListItem, column: Column): number[] {
  const page = item.anchor.page.page;
  // Sorted by position, because the file may contain the lower line first.
  const rows = [item.anchor, ...item.more].filter((row) => row.page.page === page).sort((a, b) => a.top - b.top);
  const isText = column === textColumn(item.head);
  const words = rows.flatMap((row) => {
    const own = row.cells.get(column)?.words ?? [];
    return isText ? withoutNotes(page, own) : own;
  });
  return withoutSmallPrint(page, words);
}

/** Returns the words of a cell that contain characters of the value. */
function touched(page: PageRuns["page"], cell: Cell, found: FoundValue): number[] {
  let start = 0;
  return cell.words.filter((index) => {
    const end = start + wordAt(page, index).text.length;
    const hit = start < found.end && end > found.start;
    start = end + 1;
    return hit;
  });
}
