/** Converts agents to the JSON of the API. */
import type { AgentAccessJson, AgentJson, AgentSummaryJson } from "@sheaf/contract/agents.ts";
import { personalConfiguration } from "./agent-configuration.ts";
import type { AgentRow } from "./agents.repo.ts";

export const accessJson = ({ visibility, group_id, owner_user_id }: AgentRow): AgentAccessJson => ({
  visibility,
  group_id,
  owner_user_id,
});

export const summaryJson = (row: AgentRow): AgentSummaryJson => ({
  reference: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** Returns an agent as JSON. The configuration of a personal agent is left out. */
export const agentJson = (row: AgentRow): AgentJson =>
  row.type === "PERSONAL" ? summaryJson(row) : { ...summaryJson(row), configuration: JSON.parse(row.configuration) };

/** Returns a personal agent as its owner sees it. */
export function ownAgentJson(row: AgentRow, visibleCorpora: { has(reference: string): boolean }): AgentJson {
  const configuration = personalConfiguration(row.configuration);
  const unavailable = configuration.corpora.filter((corpus) => !visibleCorpora.has(corpus));
  return { ...summaryJson(row), configuration, unavailable_corpora: unavailable };
}
