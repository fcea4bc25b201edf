/** Opens the stored files and the search index. */
import type { Config } from "./config.ts";
import { listAllDocumentalists } from "./features/agents/agent-lookup.service.ts";
import { IndexCopy } from "./features/documents/index-copy.ts";
import { openIndexGuard } from "./features/documents/index-guard.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import type { Logger } from "./lib/log.ts";
import type { Db } from "./records/records.ts";
import { noIndex } from "./search/no-index.ts";
import { openIndex } from "./search/open-index.ts";
import type { PassageIndex } from "./search/passage-index.ts";
import { openStore } from "./store.ts";

export interface CorpusStore extends AsyncDisposable {
  files: StoredFiles;
  index: PassageIndex;
}

export interface CorpusOptions {
  /**
   * If a different version of Sheaf wrote the search index, empties it instead of throwing an
   * error.
   */
  anew?: boolean;
  /** If true, damage to the index is reported but not repaired. Default: false. */
  looks?: boolean;
  /**
   * True for the one process that keeps the index in the folder up to date: the vectors of all
   * agents and, with PostgreSQL, the documents that other processes have ingested.
   */
  owns?: boolean;
}

/** @throws Error if another version of Sheaf wrote the search index and `anew` is not set */
export async function openCorpus(
  config: Config,
  log: Logger,
  db: Db,
  { anew = false, looks = false, owns = false }: CorpusOptions = {},
): Promise<CorpusStore> {
  const files = await openStore(config);
  if (owns && config.role === "worker") return { files, index: noIndex, [Symbol.asyncDispose]: async () => {} };
  await using stack = new AsyncDisposableStack();
  // With PostgreSQL, the folder contains only a copy of the index. A damaged copy is rebuilt from
  // the stored documents.
  const isCopy = config.database.dialect === "postgres" && !looks;
  let copy: IndexCopy | undefined;
  const guard = isCopy
    ? { expected: async () => new Set<string>(), onDamage: async (agent: string) => copy?.repair(agent) }
    : openIndexGuard(db);
  let index = await openIndex({
    folder: config.indexDir,
    // The owner may empty a copy with a different layout version, because it is then rebuilt.
    anew: anew || (isCopy && owns),
    ...(!looks && { guard }),
    report: (error) => log.warn({ err: error }, "background maintenance of the search index failed"),
  });
  if (config.embedding !== undefined) {
    // Loaded only if an embedding model is configured.
    const { openEmbeddings } = await import("./features/models/embeddings.service.ts");
    const { openHybridIndex } = await import("./search/hybrid-index.ts");
    const embeddings = openEmbeddings(config.embedding, { db, budgetTokens: config.budgetTokens });
    stack.defer(() => embeddings.close());
    index = await openHybridIndex({
      folder: config.indexDir,
      index,
      model: config.embedding.model,
      embed: embeddings.embed,
      agents: owns ? async () => (await listAllDocumentalists(db)).map(({ id }) => id) : undefined,
      report: (error) =>
        log.warn({ err: error }, "the embedding model does not respond; until it does, search uses words only"),
    });
  }
  if (isCopy) index = copy = new IndexCopy({ db, files, log, index, folder: config.indexDir, follows: owns });
  stack.use(index);
  const resources = stack.move();
  return { files, index, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
