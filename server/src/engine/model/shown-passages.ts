/** What a language model is shown of the passages that retrieval found: all of them, or with `auto` the sentences that may answer. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import { likelySpans } from "../builtin/answer/answer.ts";
import type { PassageText, Question } from "../engine.ts";
import { estimateTokens } from "./model-client.ts";

interface Asking {
  question: Question;
  passages: readonly PassageText[];
  engine: EngineName;
}

const mostPassages = 20;

/** A passage as the model sees it. */
export interface Shown {
  /** Index of the passages. */
  passage: number;
  text: string;
}

const omission = " … ";

function shownOf({ engine, question, passages }: Asking): Shown[] {
  const best = passages.slice(0, mostPassages);
  if (engine !== "auto") return best.map(({ text }, passage) => ({ passage, text }));
  const spans = Map.groupBy(likelySpans(question, best), ({ passage }) => passage);
  return [...spans].map(([passage, own]) => {
    const { text } = passages[passage] as PassageText;
    return { passage, text: own.map(({ start, end }) => text.slice(start, end)).join(omission) };
  });
}

/** As many as a request has room for, best first. */
export function shownWithin(asking: Asking, maxTokens: number): Shown[] {
  const taken: Shown[] = [];
  let tokens = 0;
  for (const each of shownOf(asking)) {
    tokens += estimateTokens(textOf(each, asking.passages));
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
