/**
 * Selects the text that a language model sees: all retrieved passages, or, with `auto`, only the
 * sentences that may answer the question.
 */
import { itemAt } from "../../lib/item-at.ts";
import type { PassageSpan, PassageText } from "../answering.ts";
import { estimateTokens } from "./model-client.ts";

/** Maximum number of passages shown to the model. Chosen by hand, 2026-11. */
const mostPassages = 20;

/** A passage as the model sees it. */
export interface Shown {
  /** Index into the passages. */
  passage: number;
  text: string;
  isWhole: boolean;
}

const omission = "…";

/** Returns the passages at `indices` in full. By default, these are the best `mostPassages`. */
export const wholePassages = (
  passages: readonly PassageText[],
  indices: Iterable<number> = passages.slice(0, mostPassages).keys(),
): Shown[] => [...indices].map((passage) => ({ passage, text: itemAt(passages, passage).text, isWhole: true }));

/**
 * Returns the sentences that may answer the question. If a passage has no such sentence, only its
 * source (document and headings) is shown. The model can still ask for the whole passage.
 */
export function likelyParts(likely: readonly PassageSpan[], passages: readonly PassageText[]): Shown[] {
  const best = passages.slice(0, mostPassages);
  const spans = Map.groupBy(likely, ({ passage }) => passage);
  return best.map(({ text }, passage) => {
    const parts = (spans.get(passage) ?? []).map(({ start, end }) => text.slice(start, end));
    return { passage, text: parts.join(` ${omission} `) || omission, isWhole: parts.join("") === text.trim() };
  });
}

/** Returns the best passages that fit into `maxTokens`, but at least one. */
export function withinTokens(maxTokens: number, shown: readonly Shown[], passages: readonly PassageText[]): Shown[] {
  const taken: Shown[] = [];
  let tokens = 0;
  for (const each of shown) {
    tokens += estimateTokens(textOf(each, passages));
    if (tokens > maxTokens && taken.length > 0) break;
    taken.push(each);
  }
  return taken;
}

/** Returns the text with the number, document and headings of its passage. */
export function textOf({ passage, text }: Shown, passages: readonly PassageText[]): string {
  const { name, path, title, headings } = itemAt(passages, passage);
  const source = [path, name, title, ...headings].filter((each) => each !== "").join(" › ");
  return `[passage ${passage + 1}] ${source}\n${text}`;
}
