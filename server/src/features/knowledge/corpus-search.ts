/**
 * The corpus of an agent as the engine reads it: passages from the index, fields from stored
 * documents.
 */
import type { Corpus } from "../../engine/answering.ts";
import type { Engine } from "../../engine/engine.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Principal } from "../../lib/caller.ts";
import type { Page } from "../../reading/document.ts";
import type { Db } from "../../records/records.ts";
import type { AgentHit, PassageIndex } from "../../search/passage-index.ts";
import type { SearchedCorpus, Tenant } from "../agents/agent-lookup.service.ts";
import { findReady, listReady, readStoredPages } from "../documents/documents.service.ts";
import { staleIfGone } from "./citations.ts";

export interface CorpusDeps {
  db: Db;
  files: StoredFiles;
  index: PassageIndex;
  engine: Engine;
}

/** The documents from which a question may be answered. */
export interface Scope {
  principal: Principal;
  corpora: readonly SearchedCorpus[];
  /** Documents to ignore. */
  excluded: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Maximum number of passages per search. */
export const passagesRead = 30;
/**
 * If no passage mentions the field that a question asks for, all documents are read, provided that
 * there are at most this many.
 */
const fewDocuments = 3;
/** An empty passage, for documents that were listed instead of found by a search. */
const nothing = { page: 1, start: 0, end: 0, text: "", title: "", headings: [], score: 0 };

/** Returns the corpora as the engine reads them. They contain only documents that are ready. */
export const corpusOf = (
  { db, files, index, engine }: CorpusDeps,
  { principal, corpora, excluded, signal }: Scope,
): Corpus<AgentHit> => ({
  findPassages: async (searchText) => {
    const query = { text: searchText, limit: passagesRead };
    const [only, ...others] = corpora.map(({ reference }) => reference);
    if (only === undefined) return [];
    const found =
      others.length > 0
        ? await index.searchAll([only, ...others], query)
        : (await index.search(only, query)).map((hit) => ({ ...hit, agent: only }));
    signal.throwIfAborted();
    const ready = await findReadyOf(db, principal, found);
    return found.filter((hit) => ready.has(hit.document) && !excluded.has(hit.document));
  },
  listIfFew: async () => {
    const documents: AgentHit[] = [];
    for (const { reference: agent } of corpora) {
      const listed = await listReady(db, principal, agent, fewDocuments + 1 - documents.length);
      documents.push(...listed.map(({ id, name, path }) => ({ agent, document: id, name, path, ...nothing })));
      if (documents.length > fewDocuments) return undefined;
    }
    return documents.filter(({ document }) => !excluded.has(document));
  },
  readFacts: async (passages, question) => {
    const [best] = passages;
    if (best === undefined) return [];
    const of = { organizationId: principal.organizationId, agent: best.agent, document: best.document };
    const pages = await readStoredPages(files, of, pagesForFacts(passages)).catch(staleIfGone(best.document));
    signal.throwIfAborted();
    const document = { mime: "", pages: withoutLargest([...pages.values()]), metadata: {} };
    return engine.readFacts(document, question, signal);
  },
});

/**
 * Maximum total number of words on the pages from which facts are read. Ordinary pages have 300 to
 * 800 words. The limit exists because all pages are cloned in one step, which blocks the event loop
 * for a millisecond per 2,000 words.
 */
const maxWords = 12_000;

/** Leaves out the pages with the most words, until at most `maxWords` words remain. */
function withoutLargest(pages: readonly Page[]): Page[] {
  const kept = new Set<Page>();
  let words = 0;
  for (const page of pages.toSorted((a, b) => a.words.length - b.words.length)) {
    words += page.words.length;
    if (words <= maxWords) kept.add(page);
  }
  return pages.filter((page) => kept.has(page));
}

/** Maximum number of pages of a document from which facts are read. */
const maxPages = 8;
/**
 * Number of pages at the beginning of a document that are always read, because they say what the
 * document is.
 */
const firstPages = 3;

/**
 * Returns the numbers of the pages from which facts are read: the first pages, the pages of the
 * passages, and the pages next to those of the passages.
 */
export function pagesForFacts(passages: readonly Pick<AgentHit, "page">[]): Set<number> {
  const pages = new Set(Array.from({ length: firstPages }, (_, at) => at + 1));
  for (const step of [0, 1, -1])
    for (const { page } of passages) if (pages.size < maxPages && page + step > 0) pages.add(page + step);
  return new Set([...pages].sort((a, b) => a - b));
}

/** A document and the agent whose corpus holds it. */
export interface DocumentOfAgent {
  agent: string;
  document: string;
}

/** Returns the references of those of the documents that are ready. */
export async function findReadyOf(db: Db, tenant: Tenant, all: readonly DocumentOfAgent[]): Promise<Set<string>> {
  const ready = new Set<string>();
  for (const [agent, found] of Map.groupBy(all, (each) => each.agent)) {
    const documents = [...new Set(found.map(({ document }) => document))];
    for (const document of await findReady(db, tenant, agent, documents)) ready.add(document);
  }
  return ready;
}
