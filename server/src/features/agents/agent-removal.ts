/** Deletes agents, and removes what deleted agents leave behind. */
import type { AgentDeletionJson } from "@sheaf/contract/agents.ts";
import { cancel, enqueue } from "../../jobs/queue.ts";
import type { Caller } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { maxWaitingChanges, recordStateChanges } from "../live-states/state-changes.service.ts";
import { archiveThreads } from "../threads/threads.service.ts";
import { checkManaged, findVisible } from "./agent-permissions.ts";
import * as agents from "./agents.repo.ts";

/** A document or kept extraction of an agent. */
interface AgentObject {
  type: "document" | "kept_extraction";
  id: string;
}

export interface CleaningDeps {
  db: Db;
  log: Logger;
  /**
   * Removes the files of the agent's documents and kept extractions, and the agent's part of the
   * search index.
   */
  removeCorpus(organizationId: string, agent: string): Promise<void>;
}

export interface AgentDeps extends CleaningDeps {
  /** Lists documents and kept extractions of the agent, at most `limit` of each. */
  listObjects(db: Db, agent: string, limit: number): Promise<AgentObject[]>;
}

/**
 * Delay of the clean-up job, in milliseconds. The request that deletes the agent tries to do this
 * work itself, and cancels the job if it succeeds.
 */
const cleanDelayMs = 60_000;

/**
 * Deletes the agent and the rows of its documents, and then archives its threads and removes its
 * files and index. Returns a warning for each of these steps that failed. A job then retries them.
 * @throws AppError `agent_not_found`, `invalid_agent_type`; `forbidden` if the caller may only see
 * the agent
 */
export async function deleteAgent(
  deps: AgentDeps,
  caller: Caller,
  reference: string,
): Promise<AgentDeletionJson["warnings"]> {
  const { organizationId } = caller;
  const row = await findVisible(deps.db, caller, reference);
  checkManaged(caller, row);
  const job = await deps.db.transaction().execute(async (transaction) => {
    // Locks the agent, so that no document or kept extraction is added between the notification and
    // the deletion.
    await agents.lockAgentOfAny(transaction, reference);
    await notifyOfDeletion(deps, transaction, row);
    if (!(await agents.deleteAgent(transaction, organizationId, reference))) throw new AppError("agent_not_found");
    const detail = { type: row.type, name: row.name };
    await recordAudit(transaction, caller, { action: "agent.deleted", target: reference, detail });
    const options = { organizationId, delayMs: cleanDelayMs };
    return enqueue(transaction, "agent.clean", { agent: reference }, options);
  });
  const warnings = await cleanAgent(deps, organizationId, reference);
  if (warnings.length === 0) await cancel(deps.db, job);
  return warnings;
}

/**
 * Records that the agent, its documents and its kept extractions are deleted. The audience is fixed
 * now, because it cannot be looked up once the agent is deleted.
 */
async function notifyOfDeletion({ listObjects }: AgentDeps, transaction: Db, row: agents.AgentRow): Promise<void> {
  const { id, organization_id, owner_user_id: user_id, group_id, visibility } = row;
  const audience = visibility === "private" ? "user" : visibility === "group" ? "group" : "organization";
  const objects = [{ type: "agent" as const, id }, ...(await listObjects(transaction, id, maxWaitingChanges))];
  await recordStateChanges(
    transaction,
    objects.map(({ type, id: object_id }) => ({
      organization_id,
      type,
      object_id,
      agent_id: id,
      status: "deleted",
      audience,
      user_id,
      group_id,
    })),
  );
}

/**
 * Removes what a deleted agent left behind. Returns a warning for each part that could not be
 * removed.
 */
export async function cleanAgent(
  { db, log, removeCorpus }: CleaningDeps,
  organizationId: string,
  agent: string,
): Promise<AgentDeletionJson["warnings"]> {
  const warnings: AgentDeletionJson["warnings"] = [];
  const attempt = async (work: Promise<void>, code: string, message: string) => {
    try {
      await work;
    } catch (error) {
      log.error({ err: error, agent }, message);
      warnings.push({ code, message });
    }
  };
  await attempt(
    archiveThreads(db, organizationId, agent),
    "threads_not_archived",
    "The conversations of the agent could not be archived.",
  );
  await attempt(
    removeCorpus(organizationId, agent),
    "documents_not_removed",
    "The documents of the agent can't be reached any more, but not all of their files could be removed.",
  );
  return warnings;
}
