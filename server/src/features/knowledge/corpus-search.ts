/**
 * The corpus of an agent as the engine reads it: passages from the index, fields from stored
 * documents.
 */
import type { Corpus, Engine } from "../../engine/engine.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Principal } from "../../lib/caller.ts";
import type { Db } from "../../records/records.ts";
import type { Hit, PassageIndex } from "../../search/passage-index.ts";
import { findReady, listReady, readStoredDocument } from "../documents/documents.service.ts";
import { staleIfGone } from "./citations.ts";

export interface CorpusDeps {
  db: Db;
  files: StoredFiles;
  index: PassageIndex;
  engine: Engine;
}

/** The documents that a question may be answered from. */
export interface Scope {
  principal: Principal;
  agent: string;
  /** Documents to ignore. */
  excluded: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Maximum passages per search. */
const passagesRead = 30;
/**
 * Maximum documents of a corpus whose documents are all read for a field that no passage mentions.
 */
const fewDocuments = 3;
/** A passage without words. */
const nothing = { page: 1, start: 0, end: 0, text: "", title: "", headings: [], score: 0 };

/** Returns only passages of documents that are ready. */
export const corpusOf = (
  { db, files, index, engine }: CorpusDeps,
  { principal, agent, excluded, signal }: Scope,
): Corpus<Hit> => ({
  findPassages: async (searchText) => {
    const found = await index.search(agent, { text: searchText, limit: passagesRead });
    signal.throwIfAborted();
    const ready = await findReady(db, principal, agent, [...new Set(found.map((hit) => hit.document))]);
    return found.filter((hit) => ready.has(hit.document) && !excluded.has(hit.document));
  },
  listIfFew: async () => {
    const documents = await listReady(db, principal, agent, fewDocuments + 1);
    if (documents.length > fewDocuments) return undefined;
    return documents
      .filter(({ id }) => !excluded.has(id))
      .map(({ id, name, path }): Hit => ({ document: id, name, path, ...nothing }));
  },
  readField: async ({ document: reference }, param) => {
    const of = { organizationId: principal.organizationId, agent, document: reference };
    const document = await readStoredDocument(files, of).catch(staleIfGone(reference));
    const { evidence } = await engine.extract({ document, params: [param] }, signal);
    const found = evidence[param.name];
    return found && !Array.isArray(found) ? found : undefined;
  },
});
