/**
 * Rebuilds the index of an agent from the stored Documents, while the old index stays in use.
 * Meanwhile any process may add and delete documents. The new index replaces the old one in a
 * transaction that sees all these changes.
 */
import type { StoredFiles } from "../../files/stored-files.ts";
import { isFilesUnavailable } from "../../lib/files-unavailable.ts";
import type { Db } from "../../records/records.ts";
import type { IndexBuilding, PassageIndex } from "../../search/passage-index.ts";
import { passagesOf } from "../../search/passages.ts";
import { isAgent, lockAgentOfAny } from "../agents/agent-lookup.service.ts";
import { readStoredDocument } from "./document-files.ts";
import { listStates, updatePassages } from "./documents.repo.ts";

export interface RebuildResult {
  indexed: number;
  /**
   * Documents that were not indexed because their stored Document could not be read. `message` is
   * the reason.
   */
  failed: { document: string; message: string }[];
}

export interface RebuildDeps {
  db: Db;
  files: StoredFiles;
  index: PassageIndex;
}

interface RebuiltCorpus {
  organizationId: string;
  agent: string;
}

/**
 * If a round adds or removes at most this many documents, the rebuild proceeds to its final
 * transaction, which handles the remaining changes.
 */
const fewDocuments = 3;
const maxRounds = 5;

/**
 * Rebuilds an agent's index. Returns undefined if some process is already rebuilding an index.
 * @param options `vectors`: recompute the vectors as well
 */
export async function rebuildIndex(
  deps: RebuildDeps,
  corpus: RebuiltCorpus,
  { vectors = false, signal }: { vectors?: boolean; signal?: AbortSignal } = {},
): Promise<RebuildResult | undefined> {
  const { db, index } = deps;
  const { organizationId, agent } = corpus;
  await using building = await index.rebuild(agent, { vectors });
  if (!building) return undefined;
  const filling = new Filling(deps, building, corpus, signal);
  for (let round = 0; round < maxRounds; round++) if ((await filling.catchUp(db)) <= fewDocuments) break;
  await building.finish();
  await db.transaction().execute(async (transaction) => {
    await lockAgentOfAny(transaction, agent);
    if (!(await isAgent(transaction, agent))) return;
    await filling.catchUp(transaction);
    await filling.recordPassages(transaction);
    await building.commit();
  });
  // A document deleted during the final transaction was removed from the old index, but still
  // exists in the new one.
  const held = await index.documents(agent);
  const existing = new Set((await listStates(db, organizationId, agent)).map(({ id }) => id));
  for (const gone of held) if (!existing.has(gone)) await index.remove(agent, gone);
  return filling.result();
}

/** Adds and removes documents until the new index matches the database. */
class Filling {
  readonly #deps: RebuildDeps;
  readonly #building: IndexBuilding;
  readonly #of: RebuiltCorpus;
  readonly #signal: AbortSignal | undefined;
  /** Number of passages of each indexed document. */
  readonly #passages = new Map<string, number>();
  readonly #failed = new Map<string, string>();

  constructor(deps: RebuildDeps, building: IndexBuilding, of: RebuiltCorpus, signal: AbortSignal | undefined) {
    this.#deps = deps;
    this.#building = building;
    this.#of = of;
    this.#signal = signal;
  }

  /** Returns the number of documents added or removed. */
  async catchUp(db: Db): Promise<number> {
    const { organizationId, agent } = this.#of;
    const states = await listStates(db, organizationId, agent);
    const ready = new Map(states.filter(({ status }) => status === "ready").map((state) => [state.id, state]));
    const gone = [...this.#passages.keys()].filter((document) => !ready.has(document));
    const lacking = [...ready.values()].filter(({ id }) => !this.#passages.has(id) && !this.#failed.has(id));
    for (const document of gone) {
      await this.#building.remove(document);
      this.#passages.delete(document);
    }
    for (const document of lacking) await this.#put(document);
    return gone.length + lacking.length;
  }

  /**
   * Records the number of passages of each document in the database. Records 0 for a document that
   * could not be read, so that checks do not expect that document in the index.
   */
  async recordPassages(db: Db): Promise<void> {
    for (const [document, passages] of this.#passages) await updatePassages(db, { ...this.#of, document }, passages);
    for (const document of this.#failed.keys()) await updatePassages(db, { ...this.#of, document }, 0);
  }

  result(): RebuildResult {
    const failed = [...this.#failed].map(([document, message]) => ({ document, message }));
    return { indexed: this.#passages.size, failed };
  }

  async #put({ id: document, name, path }: { id: string; name: string; path: string }): Promise<void> {
    this.#signal?.throwIfAborted();
    const read = await readStoredDocument(this.#deps.files, { ...this.#of, document }).catch((error: unknown) => {
      // Rethrows the error if the file storage is unavailable. Otherwise every document that could
      // not be read during an outage would count as unreadable, and checks would no longer expect
      // it in the index.
      if (isFilesUnavailable(error)) throw error;
      this.#failed.set(document, error instanceof Error ? error.message : String(error));
    });
    if (!read) return;
    const passages = passagesOf(read, { name, path });
    await this.#building.put({ reference: document, name, path }, passages);
    this.#passages.set(document, passages.length);
  }
}
