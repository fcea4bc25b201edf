/** `sheaf reindex`: rebuilds search indexes from the stored Documents. */
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../config.ts";
import { openCorpus } from "../corpus.ts";
import { listAllDocumentalists } from "../features/agents/agent-lookup.service.ts";
import { type RebuildDeps, type RebuildResult, rebuildIndex } from "../features/documents/rebuild-index.ts";
import { openInstallation } from "../installation.ts";
import { openLog } from "../lib/log.ts";

/** Prints one line per agent; exits with code 1 if a document could not be indexed. */
export async function reindex(reference: string | undefined): Promise<void> {
  const config = readConfig();
  const log = openLog("error");
  await using installation = await openInstallation(config, log, { own: false });
  const { db } = installation.records;
  await using corpus = await openCorpus(config, log, db, { anew: reference === undefined });
  await reindexAll({ db, ...corpus }, reference);
}

/**
 * Rebuilds the index of one agent, or of all, and prints one line per agent.
 * @throws Error if there is no such agent
 */
export async function reindexAll(deps: RebuildDeps, reference?: string): Promise<void> {
  const all = await listAllDocumentalists(deps.db);
  const agents = all.filter(({ id }) => reference === undefined || id === reference);
  if (reference !== undefined && agents.length === 0)
    throw new Error(`No documentalist agent has the reference ${reference}.`);
  for (const { id: agent, organization_id: organizationId, name } of agents) {
    const { indexed, failed } = await reindexAgent(deps, { organizationId, agent });
    console.log(`${agent}  ${indexed} documents  ${name}`);
    for (const { document, message } of failed) console.error(`sheaf: document ${document}: ${message}`);
    if (failed.length > 0) process.exitCode = 1;
  }
}

/** Polling interval, in milliseconds, while the service itself is rebuilding the index. */
const waitMs = 500;

async function reindexAgent(deps: RebuildDeps, of: { organizationId: string; agent: string }): Promise<RebuildResult> {
  for (;;) {
    const result = await rebuildIndex(deps, of, { vectors: true });
    if (result) return result;
    await sleep(waitMs);
  }
}
