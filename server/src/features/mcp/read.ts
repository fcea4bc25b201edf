/** The tool `read`: returns the text of pages, as much as fits into a reply. */
import type { ReadInputJson, ReadOutputJson } from "@sheaf/contract/mcp-tools.ts";
import { AppError } from "../../lib/errors.ts";
import { pageText } from "../../reading/document.ts";
import { getDocument, getPageSource, readPagesAt } from "../documents/documents.service.ts";
import { nameOf } from "./places.ts";
import { beginningWithin, TokenBudget, tokensOf } from "./tokens.ts";
import { numbersOf, refuseArgument, type ToolCall, type ToolDeps } from "./tool-context.ts";

/** Number of pages that are read from the store at the same time. */
const pagesAtOnce = 4;
/** Number of tokens reserved for the JSON members of a page other than its text. */
const memberTokens = 60;
/**
 * Minimum number of tokens that must be left for a reply to begin another page that does not fit as
 * a whole.
 */
const minTokens = 200;

export async function read(deps: ToolDeps, call: ToolCall, input: ReadInputJson): Promise<ReadOutputJson> {
  const { db, files } = deps;
  const { principal, links } = call;
  const [agent, reference] = [input.corpus.toLowerCase(), input.document.toLowerCase()];
  const source = await getPageSource({ db }, principal, agent, reference);
  const about = await getDocument({ db }, principal, agent, reference);
  const from = input.from ?? 1;
  const to = Math.min(input.to ?? source.pages, source.pages);
  if (from > source.pages) throw new AppError("page_not_found");
  if (to < from) return refuseArgument("to", "must not be before from");
  let [number = from, start = 0] = numbersOf(input.cursor, 2) ?? [];
  if (number < from || number > to) return refuseArgument("cursor", "must be the next_cursor of a reply");
  const budget = new TokenBudget();
  const content: ReadOutputJson["content"] = [];
  const firstShown = number;
  let pages: Awaited<ReturnType<typeof readPagesAt>> = new Map();
  while (number <= to) {
    call.signal.throwIfAborted();
    if (!pages.has(number)) {
      const wanted = Array.from({ length: Math.min(pagesAtOnce, to - number + 1) }, (_, at) => number + at);
      pages = await readPagesAt(files, source.documentKey, new Set(wanted)).catch(gone);
    }
    const page = pages.get(number);
    if (page === undefined) throw new AppError("document_not_found");
    const whole = pageText(page);
    const room = budget.left - memberTokens;
    const rest = whole.slice(start);
    const fits = tokensOf(rest) <= room;
    if (!fits && content.length > 0 && room < minTokens) break;
    const text = fits ? rest : beginningWithin(rest, room);
    const shown = { page: number, text, start, length: whole.length, source: page.source };
    budget.take(shown);
    content.push(shown);
    start += text.length;
    if (!fits) break;
    number++;
    start = 0;
  }
  const leftOff = Math.max(0, to - number + 1);
  return {
    document: reference,
    name: nameOf(about),
    pages: source.pages,
    content,
    url: links.document(agent, reference, firstShown),
    left_off: leftOff,
    next_cursor: leftOff > 0 ? `${number}.${start}` : null,
  };
}

/**
 * Throws `document_not_found` if the file was deleted after its row was read. Otherwise rethrows
 * the error.
 */
export function gone(error: NodeJS.ErrnoException): never {
  throw error.code === "ENOENT" ? new AppError("document_not_found") : error;
}
