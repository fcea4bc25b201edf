/** Parts of the service that are shared by modules of `compose` and by commands. */
import { type Antivirus, openAntivirus } from "../antivirus/antivirus.ts";
import type { Config } from "../config.ts";
import type { CorpusStore } from "../corpus.ts";
import type { Engine } from "../engine/engine.ts";
import type { AgentDeps } from "../features/agents/agent-removal.ts";
import { listIdsOfAgent, removeCorpus } from "../features/documents/documents.service.ts";
import { keptPrefix, listKeptOfAgent } from "../features/kept-extractions/kept-extractions.service.ts";
import { Knowledge } from "../features/knowledge/knowledge.service.ts";
import { type ToolDeps, Tools } from "../features/mcp/mcp.service.ts";
import type { Deliverer } from "../features/webhooks/deliver-webhook.job.ts";
import { openTemporaryFiles, type TemporaryFiles } from "../files/temporary-files.ts";
import type { Keys } from "../lib/keys.ts";
import type { Logger } from "../lib/log.ts";
import type { Outbound } from "../net/outbound.ts";
import type { ProcessReader } from "../reading/reader.ts";
import type { Db } from "../records/records.ts";
import { temporaryFolder } from "../store.ts";

/** Parts that both routes and jobs use. */
export interface ServiceParts {
  db: Db;
  keys: Keys;
  reader: ProcessReader;
  engine: Engine;
  corpus: CorpusStore;
  temporaryFiles: TemporaryFiles;
  outbound: Outbound;
  deliverer: Deliverer;
}

/** Opens the antivirus scanner; returns undefined if none is configured. */
export const openScanner = (config: Config, log: Logger): Antivirus | undefined => openAntivirus(config.antivirus, log);

export const openKnowledge = (config: Config, parts: { db: Db; corpus: CorpusStore; engine: Engine }): Knowledge =>
  new Knowledge({
    db: parts.db,
    files: parts.corpus.files,
    index: parts.corpus.index,
    engine: parts.engine,
    budgetTokens: config.budgetTokens,
    ...config.knowledge,
  });

/**
 * Opens the folder of temporary files for a command. The command does not own the folder, because a
 * service may be using it.
 */
export const openToolFiles = (config: Config): Promise<TemporaryFiles> =>
  openTemporaryFiles(temporaryFolder(config), { own: false });

/** Opens the tools of the MCP server. */
export const openTools = (
  config: Config,
  log: Logger,
  {
    corpus,
    temporaryFiles,
    antivirus,
    ...parts
  }: Pick<ServiceParts, "db" | "corpus" | "temporaryFiles"> &
    Pick<ToolDeps, "extractor" | "operations"> & { antivirus: Antivirus | undefined },
): Tools =>
  new Tools(
    {
      ...parts,
      files: corpus.files,
      index: corpus.index,
      timeoutMs: config.knowledge.timeoutMs,
      scan: antivirus && ((file, signal) => antivirus.scan(file, signal)),
      storeTemporarily: async (bytes) => {
        const file = await temporaryFiles.create();
        try {
          await file.write(bytes);
          await file.close();
          return file;
        } catch (error) {
          await file[Symbol.asyncDispose]();
          throw error;
        }
      },
    },
    log,
  );

export const agentDeps = (db: Db, log: Logger, corpus: CorpusStore): AgentDeps => ({
  db,
  log,
  removeCorpus: async (organizationId, agent) => {
    await removeCorpus(corpus, organizationId, agent);
    await corpus.files.removeAll(keptPrefix(organizationId, agent));
  },
  listObjects: async (db, agent, limit) => [
    ...(await listIdsOfAgent(db, agent, limit)).map((id) => ({ type: "document" as const, id })),
    ...(await listKeptOfAgent(db, agent, limit)).map((id) => ({ type: "kept_extraction" as const, id })),
  ],
});
