/**
 * Makes the index of an agent anew from what was read of its documents, beside the one that serves. Documents may come and go meanwhile, in this process and
 * in others: the new index takes the place of the old one in a transaction that sees all of them.
 */
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Db } from "../../records/records.ts";
import type { IndexBuilding, PassageIndex } from "../../search/passage-index.ts";
import { passagesOf } from "../../search/passages.ts";
import { isAgent, lockAgentOfAny } from "../agents/agent-lookup.service.ts";
import { readStoredDocument } from "./document-files.ts";
import { listStates, updatePassages } from "./documents.repo.ts";

export interface RebuildResult {
  indexed: number;
  /** Documents of which nothing is stored that could be indexed, with the reason. */
  failed: { document: string; message: string }[];
}

export interface RebuildDeps {
  db: Db;
  files: StoredFiles;
  index: PassageIndex;
}

interface Corpus {
  organizationId: string;
  agent: string;
}

/** What came while the last round was under way is left to the transaction, unless it is more than this. */
const fewDocuments = 3;
const maxRounds = 5;

/** With `vectors` those are made anew too. Undefined while an index is made anew already, by whatever process. */
export async function rebuildIndex(
  deps: RebuildDeps,
  corpus: Corpus,
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
  // A document that was deleted a moment before is still in the new index only.
  const held = await index.documents(agent);
  const existing = new Set((await listStates(db, organizationId, agent)).map(({ id }) => id));
  for (const gone of held) if (!existing.has(gone)) await index.remove(agent, gone);
  return filling.result();
}

/** Brings an index under construction to what there is of documents. */
class Filling {
  readonly #deps: RebuildDeps;
  readonly #building: IndexBuilding;
  readonly #of: Corpus;
  readonly #signal: AbortSignal | undefined;
  /** Passages of the documents that are in. */
  readonly #passages = new Map<string, number>();
  readonly #failed = new Map<string, string>();

  constructor(deps: RebuildDeps, building: IndexBuilding, of: Corpus, signal: AbortSignal | undefined) {
    this.#deps = deps;
    this.#building = building;
    this.#of = of;
    this.#signal = signal;
  }

  /** Returns how many documents it had to put or remove. */
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

  /** Nothing is expected in the index of a document that could not be read. */
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
      this.#failed.set(document, error instanceof Error ? error.message : String(error));
    });
    if (!read) return;
    const passages = passagesOf(read, { name, path });
    await this.#building.put({ reference: document, name, path }, passages);
    this.#passages.set(document, passages.length);
  }
}
