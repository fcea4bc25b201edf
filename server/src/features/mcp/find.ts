/** The tool `find`: ranked passages, each shortened to the lines that match the query best. */
import type { FindInputJson, FindOutputJson } from "@sheaf/contract/mcp-tools.ts";
import type { AgentHit } from "../../search/passage-index.ts";
import { locatePassage, rankPassages } from "../knowledge/passages.service.ts";
import { around, nameOf } from "./places.ts";
import { TokenBudget } from "./tokens.ts";
import { numbersOf, type ToolCall, type ToolDeps } from "./tool-context.ts";

/** Maximum number of passages that are ranked for one query. */
const maxRanked = 60;
const usualResults = 6;
/** Maximum length of a quote, in characters. A passage has up to 220 words. */
const maxQuote = 600;
/** Maximum length of a heading in a reply, in characters. */
const maxHeading = 100;

export async function find(deps: ToolDeps, call: ToolCall, input: FindInputJson): Promise<FindOutputJson> {
  const { query, documents, limit = usualResults } = input;
  const [offset = 0] = numbersOf(input.cursor, 1) ?? [];
  const ranked = await rankPassages(deps, call.principal, {
    text: query,
    corpora: input.corpora?.map((each) => each.toLowerCase()),
    documents: documents?.map((each) => each.toLowerCase()),
    limit: maxRanked,
  });
  const budget = new TokenBudget();
  const results: FindOutputJson["results"] = [];
  let at = offset;
  for (; at < ranked.hits.length && results.length < limit; at++) {
    call.signal.throwIfAborted();
    const hit = ranked.hits[at];
    const result = hit && (await resultOf(deps, call, hit, query));
    if (!result) continue;
    if (!budget.take(result)) break;
    results.push(result);
  }
  const leftOff = Math.max(0, ranked.hits.length - at);
  return {
    results,
    corpora_searched: ranked.searched,
    corpora_left_off: ranked.leftOff,
    left_off: leftOff,
    next_cursor: leftOff > 0 ? String(at) : null,
  };
}

async function resultOf(
  { files }: ToolDeps,
  { principal, links }: ToolCall,
  hit: AgentHit,
  query: string,
): Promise<FindOutputJson["results"][number] | undefined> {
  const located = await locatePassage(files, principal, hit, bestLines(hit.text, query));
  if (located === undefined) return undefined;
  const { agent: corpus, document, page } = hit;
  return {
    corpus,
    document,
    name: nameOf(hit),
    page,
    box: around(located.boxes),
    quote: located.quote,
    headings: hit.headings.map((heading) => heading.slice(0, maxHeading)),
    url: links.document(corpus, document, page),
  };
}

/**
 * Returns the range of consecutive lines that contains the most words of the query. The range has
 * at most `maxQuote` characters.
 */
function bestLines(text: string, query: string): { start: number; end: number } {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])].slice(0, 50);
  const lines = linesOf(text).map((line) => {
    const folded = text.slice(line.start, line.end).toLowerCase();
    return { ...line, score: words.filter((word) => folded.includes(word)).length };
  });
  let best = { start: 0, end: 0, score: -1 };
  for (let first = 0, after = 0, score = 0; first < lines.length; first++) {
    const start = lines[first]?.start ?? 0;
    for (; after < lines.length && (after <= first || (lines[after]?.end ?? 0) - start <= maxQuote); after++)
      score += lines[after]?.score ?? 0;
    if (score > best.score) best = { start, end: lines[after - 1]?.end ?? start, score };
    score -= lines[first]?.score ?? 0;
  }
  return { start: best.start, end: Math.min(best.end, wordEnd(text, best.start + maxQuote)) };
}

/** Returns the ranges of the lines. A line that is too long for a quote is split between words. */
function linesOf(text: string): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    while (end - start > maxQuote) {
      const cut = wordEnd(text, start + maxQuote);
      if (cut <= start || cut >= end) break;
      lines.push({ start, end: cut });
      start = cut + 1;
    }
    if (end > start) lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

/**
 * Returns the end of the last whole word before a position; the position itself if it is inside a
 * long word.
 */
function wordEnd(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const at = text.slice(0, position + 1).search(/\s\S*$/);
  return at > position - maxQuote ? at : position;
}
