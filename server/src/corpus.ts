/** What is kept of documents beside their rows, opened as the settings say. */
import type { Config } from "./config.ts";
import { listAllDocumentalists } from "./features/agents/agent-lookup.service.ts";
import { openIndexGuard } from "./features/documents/index-guard.ts";
import { openFolderFiles } from "./files/folder-files.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import type { Logger } from "./lib/log.ts";
import type { Db } from "./records/records.ts";
import { openIndex } from "./search/open-index.ts";
import type { PassageIndex } from "./search/passage-index.ts";

export interface Corpus extends AsyncDisposable {
  files: StoredFiles;
  index: PassageIndex;
}

/** How a corpus is opened. */
export interface CorpusOptions {
  /** A search index that another version has made is emptied. */
  anew?: boolean;
  /** Looks only: damage is told of, and not mended. Default: false. */
  looks?: boolean;
  /** Brings the vectors of all agents up to date: one process at a time. */
  owns?: boolean;
}

/** @throws Error where the search index was made by another version, and may not be emptied. */
export async function openCorpus(
  config: Config,
  log: Logger,
  db: Db,
  { anew = false, looks = false, owns = false }: CorpusOptions = {},
): Promise<Corpus> {
  const files = await openFolderFiles(config.filesDir);
  const words = await openIndex({
    folder: config.indexDir,
    anew,
    ...(!looks && { guard: openIndexGuard(db) }),
    report: (error) => log.warn({ err: error }, "the search index needs work that is done in the background"),
  });
  if (config.embedding === undefined)
    return { files, index: words, [Symbol.asyncDispose]: () => words[Symbol.asyncDispose]() };
  // Loaded only where the settings name an embedding model.
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
      log.warn({ err: error }, "the embedding model can't be asked; words alone are searched meanwhile"),
  });
  const close = async () => {
    await index[Symbol.asyncDispose]();
    await embeddings.close();
  };
  return { files, index, [Symbol.asyncDispose]: close };
}
