/** Finds passages of corpora and locates them on their pages, without an answer. */
import type { Principal } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import type { Box } from "../../reading/document.ts";
import { IndexDamaged } from "../../search/index-damaged.ts";
import type { AgentHit } from "../../search/passage-index.ts";
import { listQuotable } from "../agents/agent-catalog.service.ts";
import { getDocumentalist } from "../agents/agent-lookup.service.ts";
import { readStoredPages } from "../documents/documents.service.ts";
import { placeInPage, StaleDocument, staleIfGone } from "./citations.ts";
import { type CorpusDeps, findReadyOf } from "./corpus-search.ts";

export type FindDeps = Omit<CorpusDeps, "engine">;

export interface PassageQuery {
  text: string;
  /**
   * Agents whose corpora are searched. If undefined, all corpora that the principal may quote from
   * are searched.
   */
  corpora?: readonly string[] | undefined;
  documents?: readonly string[] | undefined;
  limit: number;
}

/** Ranked passages of documents that are ready. */
export interface RankedPassages {
  hits: AgentHit[];
  searched: number;
  /** Number of corpora that were not searched because there are too many. */
  leftOff: number;
}

/** Maximum number of corpora in one search. */
const maxSearched = 20;

/**
 * Ranks the passages of corpora.
 * @throws AppError `agent_not_found` if the principal may not ask questions about a corpus;
 * `forbidden` if a corpus does not show its sources; `agent_unavailable`
 */
export async function rankPassages(
  { db, index }: Pick<FindDeps, "db" | "index">,
  principal: Principal,
  { text, corpora, documents, limit }: PassageQuery,
): Promise<RankedPassages> {
  const all = corpora ? await quotable(db, principal, corpora) : await listQuotable(db, principal);
  const searched = all.slice(0, maxSearched);
  if (searched.length === 0) return { hits: [], searched: 0, leftOff: 0 };
  const query = { text, limit, ...(documents && { documents }) };
  const found = await index.searchAll(searched, query).catch(unavailableIfDamaged);
  const ready = await findReadyOf(db, principal, found);
  const hits = found.filter(({ document }) => ready.has(document));
  return { hits, searched: searched.length, leftOff: all.length - searched.length };
}

async function quotable(db: FindDeps["db"], principal: Principal, corpora: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const reference of new Set(corpora)) {
    const { corpora: searched } = await getDocumentalist(db, principal, reference);
    const shown = searched.filter(({ showsSources }) => showsSources);
    if (shown.length === 0) throw new AppError("forbidden", undefined, { message: "This agent hides its sources." });
    for (const corpus of shown) found.add(corpus.reference);
  }
  return [...found];
}

/** Converts IndexDamaged, the error of an index that is being rebuilt, to `agent_unavailable`. */
export function unavailableIfDamaged(error: unknown): never {
  if (!(error instanceof IndexDamaged)) throw error;
  const message = "The corpus is being reindexed; try again later.";
  throw new AppError("agent_unavailable", undefined, { message, cause: error });
}

/**
 * Returns the words in a span of a passage, with their boxes; undefined if the document has changed
 * in the meantime.
 * @param span range of characters in the text of the passage
 */
export async function locatePassage(
  files: FindDeps["files"],
  principal: Principal,
  hit: AgentHit,
  span: { start: number; end: number },
): Promise<{ quote: string; boxes: Box[] } | undefined> {
  const of = { organizationId: principal.organizationId, agent: hit.agent, document: hit.document };
  try {
    const pages = await readStoredPages(files, of, new Set([hit.page])).catch(staleIfGone(hit.document));
    const page = pages.get(hit.page);
    return page && placeInPage(page, hit, { passage: 0, ...span });
  } catch (error) {
    if (error instanceof StaleDocument) return undefined;
    throw error;
  }
}
