/** Opens the stored files and the search index. */
import type { Config } from "./config.ts";
import { listAllDocumentalists } from "./features/agents/agent-lookup.service.ts";
import { openIndexGuard } from "./features/documents/index-guard.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import type { Logger } from "./lib/log.ts";
import type { Db } from "./records/records.ts";
import { openIndex } from "./search/open-index.ts";
import type { PassageIndex } from "./search/passage-index.ts";
import { openStore } from "./store.ts";

export interface CorpusStore extends AsyncDisposable {
  files: StoredFiles;
  index: PassageIndex;
}

export interface CorpusOptions {
  /** Empties a search index of another version. */
  anew?: boolean;
  /** Reports damage of the index without repairing it. Default: false. */
  looks?: boolean;
  /** Keeps the vectors of all agents up to date. Only one process at a time may do this. */
  owns?: boolean;
}

/** @throws Error if the search index belongs to another version and `anew` is not set */
export async function openCorpus(
  config: Config,
  log: Logger,
  db: Db,
  { anew = false, looks = false, owns = false }: CorpusOptions = {},
): Promise<CorpusStore> {
  const files = await openStore(config);
  const words = await openIndex({
    folder: config.indexDir,
    anew,
    ...(!looks && { guard: openIndexGuard(db) }),
    report: (error) => log.warn({ err: error }, "background maintenance of the search index failed"),
  });
  if (config.embedding === undefined)
    return { files, index: words, [Symbol.asyncDispose]: () => words[Symbol.asyncDispose]() };
  // Loaded only if an embedding model is configured.
  const { openEmbeddings } = await import("./features/models/embeddings.service.ts");
  const { openHybridIndex } = await import("./search/hybrid-index.ts");
  const embeddings = openEmbeddings(config.embedding, { db, budgetTokens: config.budgetTokens });
  const index = await openHybridIndex({
    folder: config.indexDir,
    index: words,
    model: config.embedding.model,
    embed: embeddings.embed,
    agents: owns ? async () => (await listAllDocumentalists(db)).map(({ id }) => id) : undefined,
    report: (error) =>
      log.warn({ err: error }, "the embedding model does not respond; until it does, search uses words only"),
  });
  const close = async () => {
    await index[Symbol.asyncDispose]();
    await embeddings.close();
  };
  return { files, index, [Symbol.asyncDispose]: close };
}
