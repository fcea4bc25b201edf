/** Describes corpora and documents (counts, pages and sections) without reading the pages. */
import type { DocumentDetailsJson } from "@sheaf/contract/documents.ts";
import type { Principal } from "../../lib/caller.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import type { PassageIndex } from "../../search/passage-index.ts";
import { checkDocumentalist, type Tenant } from "../agents/agent-lookup.service.ts";
import * as documents from "./documents.repo.ts";
import { detailsJson } from "./documents.service.ts";

/**
 * Counts the ready documents of each given agent, and the pages of these documents. Leaves out
 * agents without ready documents.
 */
export const sizesOfCorpora = (db: Db, { organizationId }: Tenant, agents: readonly string[]) =>
  documents.countReady(db, organizationId, agents);

/**
 * Lists documents with their numbers of pages, in the order of their upload.
 * @throws AppError `agent_not_found`, `invalid_agent_type`
 */
export async function listWithPages(
  db: Db,
  principal: Principal,
  agent: string,
  page: PageRequest,
): Promise<ListPage<DocumentDetailsJson>> {
  await checkDocumentalist(db, principal, agent);
  const rows = await documents.listDocuments(db, principal.organizationId, agent, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], detailsJson);
}

/** Consecutive passages under the same headings. */
export interface Section {
  /** From the outermost to the innermost heading. */
  headings: string[];
  /** First and last page. */
  from: number;
  to: number;
  words: number;
}

/**
 * Returns the sections of a document in reading order, from its indexed passages.
 * @throws IndexDamaged
 */
export async function sectionsOf(
  index: PassageIndex,
  agent: string,
  document: string,
): Promise<{ passages: number; sections: Section[] }> {
  const passages = await index.passages(agent, document);
  const sections: Section[] = [];
  let covered = { page: 0, end: 0 };
  for (const { page, start, end, headings } of passages.toSorted((a, b) => a.page - b.page || a.start - b.start)) {
    // A passage repeats the last words of the previous one. These words are counted only once.
    const from = page === covered.page ? Math.max(start, covered.end) : start;
    const words = Math.max(0, end - from);
    covered = { page, end: Math.max(from, end) };
    const last = sections.at(-1);
    if (last && last.headings.join("\n") === headings.join("\n")) {
      last.to = page;
      last.words += words;
    } else sections.push({ headings, from: page, to: page, words });
  }
  return { passages: passages.length, sections };
}

/**
 * Returns the pages of a document that contain all of these words, according to the index.
 * @param words as `wordsOf` returns them
 * @throws IndexDamaged
 */
export async function pagesWithWords(
  index: PassageIndex,
  of: { agent: string; document: string },
  words: readonly string[],
  wordsOf: (text: string) => readonly string[],
): Promise<number[]> {
  const missing = new Map<number, Set<string>>();
  for (const { page, text } of await index.passages(of.agent, of.document)) {
    const left = missing.get(page) ?? new Set(words);
    for (const word of wordsOf(text)) left.delete(word);
    missing.set(page, left);
  }
  return [...missing].flatMap(([page, left]) => (left.size === 0 ? [page] : [])).sort((a, b) => a - b);
}
