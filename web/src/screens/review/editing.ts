/** State of the value that is being edited: its text, and the boxes that the user drew for it. */

import { lineBoxes } from "../../document/geometry.ts";
import type { DrawnBox } from "../../document/page-sheet.tsx";
import type { PageWords } from "../../document/page-source.ts";
import type { CorrectionJson, Marks, ValueNode } from "./review-model.ts";
import { type Parsed, parseValue, typedValue } from "./value-text.ts";

export interface Editing {
  path: string;
  /** `null` if the user removes the value and gives a reason. */
  mode: "value" | "null";
  text: string;
  reason: string;
  marks: Marks | undefined;
  /** Words in the drawn box; set only if they cannot be converted to the format of the field. */
  unfitting: string | undefined;
}

export const startEditing = (node: ValueNode, mode: Editing["mode"], locale: string): Editing => ({
  path: node.path,
  mode,
  text: mode === "value" ? typedValue(node.value, locale) : "",
  reason: node.reason ?? "",
  marks: undefined,
  unfitting: undefined,
});

/** Sets the text to the words in a drawn box. */
export function withDrawn(
  editing: Editing,
  node: ValueNode,
  drawn: DrawnBox,
  words: PageWords,
  locale: string,
): Editing {
  const text = drawn.words.map((word) => words.words[word]).join(" ");
  const boxes = drawn.words.length === 0 ? [drawn.box] : lineBoxes(drawn.words, words.boxes, words.lines);
  const marks: Marks = { page: drawn.page, boxes };
  const { format } = node.param;
  const parsed: Parsed = format === "boolean" ? { value: null } : parseValue(text, format, locale);
  const base = { ...editing, mode: "value", marks, unfitting: undefined } as const;
  if ("problem" in parsed) return { ...base, unfitting: text };
  // For a boolean field, the box only marks the place of the value, so the words are not its text.
  if (format === "boolean" || parsed.value === null) return base;
  return { ...base, text: typedValue(parsed.value, locale) };
}

/** Returns the correction for the typed text, or what is wrong with the text. */
export function correctionOf(
  editing: Editing,
  node: ValueNode,
  locale: string,
): { correction: CorrectionJson | undefined } | { problem: "number" | "date" } {
  const { path, marks, mode, text } = editing;
  const reason = editing.reason.trim();
  const rest = { ...(reason !== "" && { reason }), ...(marks && { page: marks.page, boxes: marks.boxes }) };
  if (mode === "null") return { correction: { path, value: null, ...(reason !== "" && { reason }) } };
  const parsed = parseValue(text, node.param.format, locale);
  if ("problem" in parsed) return parsed;
  const isUnchanged = parsed.value === node.value && marks === undefined && reason === (node.reason ?? "");
  return { correction: isUnchanged ? undefined : { path, value: parsed.value, ...rest } };
}
