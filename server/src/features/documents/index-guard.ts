/**
 * Tells the index which documents it must contain according to the database. If an agent's index is
 * damaged, requests its rebuild.
 */
import { enqueueOnce } from "../../jobs/queue.ts";
import type { Db } from "../../records/records.ts";
import type { IndexGuard } from "../../search/passage-index.ts";
import { findOrganizationOfAgent } from "../agents/agent-lookup.service.ts";
import { listIndexed } from "./documents.repo.ts";

export const openIndexGuard = (db: Db): IndexGuard => ({
  expected: async (agent) => new Set(await listIndexed(db, agent)),
  onDamage: async (agent) => {
    const organizationId = await findOrganizationOfAgent(db, agent);
    if (organizationId !== undefined) await enqueueOnce(db, "index.rebuild", { agent }, { organizationId });
  },
});
