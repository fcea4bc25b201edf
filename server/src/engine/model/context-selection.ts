/** What a language model is shown of the passages that retrieval found: all of them, or with `auto` the sentences that may answer. */
import type { PassageSpan, PassageText } from "../engine.ts";
import { estimateTokens } from "./model-client.ts";

const mostPassages = 20;

/** A passage as the model sees it. */
export interface Shown {
  /** Index of the passages. */
  passage: number;
  text: string;
  isWhole: boolean;
}

const omission = "…";

/** These passages, or else the best of all. */
export const wholePassages = (
  passages: readonly PassageText[],
  indices: Iterable<number> = passages.slice(0, mostPassages).keys(),
): Shown[] =>
  [...indices].map((passage) => ({ passage, text: (passages[passage] as PassageText).text, isWhole: true }));

/** The sentences that may answer. Of a passage that has none only what it is from is shown, so that it can be asked for. */
export function likelyParts(likely: readonly PassageSpan[], passages: readonly PassageText[]): Shown[] {
  const best = passages.slice(0, mostPassages);
  const spans = Map.groupBy(likely, ({ passage }) => passage);
  return best.map(({ text }, passage) => {
    const parts = (spans.get(passage) ?? []).map(({ start, end }) => text.slice(start, end));
    return { passage, text: parts.join(` ${omission} `) || omission, isWhole: parts.join("") === text.trim() };
  });
}

/** As many as there is room for, best first, but one at least. */
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

/** With its number, its document and its headings. */
export function textOf({ passage, text }: Shown, passages: readonly PassageText[]): string {
  const { name, path, title, headings } = passages[passage] as PassageText;
  const source = [path, name, title, ...headings].filter((each) => each !== "").join(" › ");
  return `[passage ${passage + 1}] ${source}\n${text}`;
}
