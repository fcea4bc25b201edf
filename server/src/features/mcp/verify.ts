/** The tool `verify`: checks whether a document contains a quote word for word. */
import type { VerifyInputJson, VerifyOutputJson } from "@sheaf/contract/mcp-tools.ts";
import { AppError } from "../../lib/errors.ts";
import type { Box } from "../../reading/document.ts";
import { pagesWithWords } from "../documents/corpus-map.service.ts";
import { getDocument, getPageSource, readPagesAt } from "../documents/documents.service.ts";
import { unavailableIfDamaged } from "../knowledge/passages.service.ts";
import { around, nameOf } from "./places.ts";
import { findQuote, wordsOfText } from "./quote-match.ts";
import { gone } from "./read.ts";
import { beginningWithin } from "./tokens.ts";
import type { ToolCall, ToolDeps } from "./tool-context.ts";

/** Maximum number of pages that are searched for a quote if the call names no page. */
const maxCompared = 50;
/** Tokens that are reserved for the quote in a reply. */
const maxQuoteTokens = 1_000;

export async function verify(deps: ToolDeps, call: ToolCall, input: VerifyInputJson): Promise<VerifyOutputJson> {
  const { db, files, index } = deps;
  const { principal, links } = call;
  const { quote, page, boxes } = input;
  const [agent, reference] = [input.corpus.toLowerCase(), input.document.toLowerCase()];
  const source = await getPageSource({ db }, principal, agent, reference);
  if (page !== undefined && page > source.pages) throw new AppError("page_not_found");
  const about = await getDocument({ db }, principal, agent, reference);
  const candidates =
    page === undefined
      ? await pagesWithWords(index, { agent, document: reference }, innerWords(quote), wordsOfText).catch(
          unavailableIfDamaged,
        )
      : [page];
  const compared = candidates.slice(0, maxCompared);
  for (const number of compared) {
    call.signal.throwIfAborted();
    const pages = await readPagesAt(files, source.documentKey, new Set([number])).catch(gone);
    const found = pages.get(number);
    const words = found && findQuote(found, quote, boxes as Box[] | undefined);
    if (!words) continue;
    const evidence = {
      corpus: agent,
      document: reference,
      name: nameOf(about),
      page: number,
      box: around(words.boxes),
      quote: beginningWithin(words.quote, maxQuoteTokens),
      url: links.document(agent, reference, number),
    };
    return { verified: true, evidence, message: `Page ${number} contains the quote word for word.` };
  }
  return { verified: false, message: missing(page, candidates.length) };
}

function missing(page: number | undefined, candidates: number): string {
  if (page !== undefined) return `Page ${page} does not contain the quote word for word.`;
  if (candidates <= maxCompared) return "No page of the document contains the quote word for word.";
  return `The first ${maxCompared} pages that contain these words do not contain the quote; name a page to check another page.`;
}

/**
 * Returns the words of a quote without the first and the last, because these may be parts of longer
 * words.
 */
function innerWords(quote: string): string[] {
  const words = quote.trim().split(/\s+/);
  return wordsOfText(words.slice(1, -1).join(" "));
}
