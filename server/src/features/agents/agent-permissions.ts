/** Permissions: who may see an agent, who may change it, and who may use its corpus. */
import type { Caller, Principal } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import * as agents from "./agents.repo.ts";

/** @throws AppError `agent_not_found` if there is no such agent, or `viewer` may not see it. */
export async function findVisible(db: Db, viewer: Principal, reference: string): Promise<agents.AgentRow> {
  const row = isId(reference) ? await agents.findAgent(db, viewer, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  return row;
}

/**
 * Locks an agent that the caller may change.
 * @throws AppError `agent_not_found`, `invalid_agent_type`, `forbidden`.
 */
export async function lockManaged(transaction: Db, caller: Caller, reference: string): Promise<agents.AgentRow> {
  const row = isId(reference) ? await agents.lockAgent(transaction, caller, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  checkManaged(caller, row);
  return row;
}

/**
 * Returns whether the agent has a corpus that the principal can use. The corpus of a personal agent
 * can be used in the web application only.
 */
export const hasCorpus = ({ channel }: Principal, { type }: agents.AgentRow): boolean =>
  type === "DOCUMENTALIST" || (type === "PERSONAL" && channel === "app");

/**
 * Returns whether the principal may ask the agent questions. Through the API, this requires that
 * the whole organization can see the agent.
 */
export const mayAsk = (principal: Principal, row: agents.AgentRow): boolean =>
  hasCorpus(principal, row) && (["organization", "public"].includes(row.visibility) || principal.channel === "app");

/**
 * Returns whether the principal may change the agent. Only the owner may change a personal agent.
 * Other agents may be changed by administrators, and by principals without a role, such as the
 * operator.
 */
export const mayManage = ({ role, userId }: Principal, row: agents.AgentRow): boolean =>
  row.type === "PERSONAL" ? row.owner_user_id === userId : role !== "member";

/** @throws AppError `invalid_agent_type`, `forbidden`. */
export function checkManaged(caller: Caller, row: agents.AgentRow): void {
  if (row.type === "PERSONAL" && caller.channel === "api") throw new AppError("invalid_agent_type");
  if (!mayManage(caller, row)) throw new AppError("forbidden");
}
