/**
 * Keeps an extraction for review. The files are stored first. Then the row is inserted, in the
 * transaction that records the result.
 */
import type { LearnedValueJson } from "@sheaf/contract/extraction-result.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { type Extraction, leavesOf } from "../../engine/engine.ts";
import { enqueue } from "../../jobs/queue.ts";
import { ownUser, type Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import type { Document } from "../../reading/document.ts";
import type { Db } from "../../records/records.ts";
import { isAgent, lockAgentOfAny } from "../agents/agent-lookup.service.ts";
import { digestOf, type KeptFilesDeps, removeFiles, storeFiles } from "../kept-files/kept-files.service.ts";
import { getOrganization } from "../organizations/organizations.service.ts";
import { placeOf } from "./kept-extraction-files.ts";
import { insertKept } from "./kept-extractions.repo.ts";

const dayMs = 86_400_000;

/**
 * Returns for how many days an extraction is kept; 0 if it is not kept. A request with `keep:
 * false` is never kept. Otherwise the setting of the agent applies or, if the agent has none, the
 * setting of the organization. If neither is set, the extraction is kept if the request asks for it
 * or comes from the web application.
 */
export async function daysToKeep(
  db: Db,
  { organizationId, channel }: Principal,
  { keep, ofAgent }: { keep: boolean | undefined; ofAgent: number | undefined },
): Promise<number> {
  if (keep === false) return 0;
  const set = ofAgent ?? (await getOrganization(db, organizationId)).keep_extractions_days;
  if (set !== null) return set;
  return keep || channel === "app" ? limits.keepExtractionsDays : 0;
}

/** An extraction that has ended but is not recorded yet. */
export interface Keepable {
  id: string;
  agentId: string | null;
  days: number;
  file: { path: string; filename: string };
  params: readonly ExtractionParam[];
  document: Document;
  result: Pick<Extraction, "data" | "evidence"> & {
    /** Values that the agent recalled from documents it has learned from. */
    fromMemory?: readonly LearnedValueJson[] | undefined;
  };
}

/** A kept extraction whose files are stored. Dispose of it when the transaction has ended. */
export interface StoredKeepable extends AsyncDisposable {
  /**
   * Inserts the row. Returns false if the agent was deleted during the extraction. A job then
   * removes the files.
   */
  record(transaction: Db): Promise<boolean>;
  /** Removes the files. */
  discard(): Promise<void>;
}

export async function storeKeepable(
  deps: KeptFilesDeps,
  principal: Principal,
  { id, agentId, days, file, params, document, result }: Keepable,
): Promise<StoredKeepable> {
  const place = placeOf({ id, organization_id: principal.organizationId, agent_id: agentId });
  const { size, sha256 } = await digestOf(file.path);
  const stored = await storeFiles(deps, place, { path: file.path, document });
  const row = {
    id,
    organization_id: principal.organizationId,
    agent_id: agentId,
    channel: principal.channel === "app" ? ("app" as const) : ("api" as const),
    user_id: ownUser(principal),
    filename: file.filename,
    mime: document.mime,
    size,
    sha256,
    pages: document.pages.length,
    params: JSON.stringify(params),
    data: JSON.stringify([result.data]),
    evidence: JSON.stringify([result.evidence]),
    from_memory: JSON.stringify(result.fromMemory ?? []),
    unsure: countUnsure(result.data, result.evidence),
    corrections: "[]",
    version: 1,
    status: "to_review" as const,
  };
  return {
    record: async (transaction) => {
      if (agentId !== null) {
        await lockAgentOfAny(transaction, agentId);
        if (!(await isAgent(transaction, agentId))) {
          const { organizationId, agent: folder } = place;
          await enqueue(transaction, "extraction.clean", { folder, extraction: id }, { organizationId });
          return false;
        }
      }
      const at = now();
      const expires_at = new Date(Date.now() + days * dayMs).toISOString();
      await insertKept(transaction, { ...row, created_at: at, updated_at: at, expires_at });
      return true;
    },
    discard: () => removeFiles(deps, place),
    [Symbol.asyncDispose]: async () => stored[Symbol.asyncDispose](),
  };
}

/** Counts the values that were found with low confidence or without evidence. */
function countUnsure(data: Extraction["data"], evidence: Extraction["evidence"]): number {
  let count = 0;
  for (const [name, value] of Object.entries(data)) {
    const found = evidence[name] ?? null;
    if (Array.isArray(value))
      for (const [index, row] of value.entries()) {
        const ofRow = Array.isArray(found) ? found[index] : undefined;
        count += countUnsure(row, ofRow ?? {});
      }
    else if (value !== null) {
      const leaves = leavesOf(found);
      if (leaves.length === 0 || leaves.some(({ confidence }) => confidence < limits.reviewBelowConfidence)) count++;
    }
  }
  return count;
}
