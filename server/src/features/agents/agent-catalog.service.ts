/** Lists the agents that a principal may use for search and extraction. */
import type { DocumentalistConfigurationJson } from "@sheaf/contract/agent-configurations.ts";
import type { Principal } from "../../lib/caller.ts";
import type { PageRequest } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { mayAsk } from "./agent-permissions.ts";
import * as agents from "./agents.repo.ts";

/** An agent in a list of what a principal may use. */
export interface UsableAgent {
  reference: string;
  kind: "corpus" | "extractor";
  name: string;
  description: string;
  created_at: string;
}

/** Lists the agents visible to the principal that are extractors or have a corpus, oldest first. */
export async function listUsable(db: Db, principal: Principal, page: PageRequest): Promise<UsableAgent[]> {
  const types = [...corpusTypes(principal), "EXTRACTOR"] as const;
  const rows = await agents.listAgentsOfTypes(db, principal, types, page);
  return rows.map(({ id, type, name, description, created_at }) => ({
    reference: id,
    kind: type === "EXTRACTOR" ? "extractor" : "corpus",
    name,
    description: description ?? "",
    created_at,
  }));
}

/**
 * Lists the references of the corpora from which search results may quote, oldest first. The
 * principal must be allowed to ask the agent of such a corpus, and the agent must show its sources.
 */
export async function listQuotable(db: Db, principal: Principal): Promise<string[]> {
  const rows = await agents.listAgentsOfTypes(db, principal, corpusTypes(principal), {});
  return rows.flatMap((row) => (mayAsk(principal, row) && showsSources(row) ? [row.id] : []));
}

const corpusTypes = ({ channel }: Principal) =>
  channel === "app" ? (["DOCUMENTALIST", "PERSONAL"] as const) : (["DOCUMENTALIST"] as const);

const showsSources = ({ type, configuration }: agents.AgentRow): boolean =>
  type === "PERSONAL" || (JSON.parse(configuration) as DocumentalistConfigurationJson).sourceVisibility;
