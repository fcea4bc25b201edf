/**
 * Finds agents by reference for other features, and checks their type and the permissions of the
 * principal.
 */
import type {
  DocumentalistConfigurationJson,
  ExtractorConfigurationJson,
} from "@sheaf/contract/agent-configurations.ts";
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { CitationJson } from "@sheaf/contract/knowledge.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Precision } from "@sheaf/contract/precision.ts";
import { type Caller, onBehalfOf, type Principal } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { consigneText, personalConfiguration } from "./agent-configuration.ts";
import { findVisible, hasCorpus, mayAsk, mayManage } from "./agent-permissions.ts";
import * as agents from "./agents.repo.ts";

export interface ExtractorAgent {
  reference: string;
  params: ExtractionParam[];
  engine: EngineName | undefined;
  /**
   * Days for which extractions by this agent are kept; if undefined, the setting of the
   * organization applies.
   */
  keepDays: number | undefined;
  /**
   * Target share of correct values among those that nobody reviews, such as 0.99. If undefined,
   * results do not report which values need a review.
   */
  wantedPrecision: Precision | undefined;
}

/**
 * Returns the fields and the settings of an extractor agent.
 * @throws AppError `agent_not_found`, also for an agent of another type; `invalid_config` if it has
 * no fields
 */
export async function getExtractor(db: Db, principal: Principal, reference: string): Promise<ExtractorAgent> {
  const row = await findExtractor(db, principal, reference);
  const { params, engine, keep_extractions_days, wanted_precision } = JSON.parse(
    row.configuration,
  ) as ExtractorConfigurationJson;
  if (params.length === 0)
    throw new AppError("invalid_config", { issues: [{ path: "/params", message: "the agent has no params yet" }] });
  return {
    reference: row.id,
    params,
    engine: engine ?? undefined,
    keepDays: keep_extractions_days ?? undefined,
    wantedPrecision: wanted_precision ?? undefined,
  };
}

/**
 * Checks that the reference is that of an extractor agent, and returns it in its stored spelling.
 * @throws AppError `agent_not_found`, also for an agent of another type
 */
export const getExtractorReference = async (db: Db, principal: Principal, reference: string): Promise<string> =>
  (await findExtractor(db, principal, reference)).id;

async function findExtractor(db: Db, principal: Principal, reference: string): Promise<agents.AgentRow> {
  const row = await findVisible(db, principal, reference);
  if (row.type !== "EXTRACTOR") throw new AppError("agent_not_found");
  return row;
}

export interface Documentalist {
  reference: string;
  /** Instructions for the answers of the agent, as text. */
  consignes: string[];
  /** True if answers of the agent may include citations. */
  showsSources: boolean;
  engine: EngineName | undefined;
  /** The corpora that are searched for answers. */
  corpora: SearchedCorpus[];
}

export interface SearchedCorpus {
  /** Agent that holds the corpus. */
  reference: string;
  /** True if answers may cite its documents. */
  showsSources: boolean;
}

/**
 * Returns a documentalist that the principal may ask. A caller of the API may ask agents that the
 * whole organization sees. A member in the web application may ask every agent that they see.
 * @throws AppError `agent_not_found`, also for an agent without a corpus
 */
export async function getDocumentalist(db: Db, principal: Principal, reference: string): Promise<Documentalist> {
  const row = await findVisible(db, principal, reference);
  if (!mayAsk(principal, row)) throw new AppError("agent_not_found");
  return documentalistOf(db, principal, row);
}

/**
 * Returns whether to show a citation of a stored answer. The citation is hidden if the agent can no
 * longer search the cited corpus, or if this corpus no longer shows its sources.
 */
export const showsCitation = (
  { reference, corpora }: Documentalist,
  { agent_reference = reference }: CitationJson,
): boolean => corpora.some((corpus) => corpus.reference === agent_reference && corpus.showsSources);

/**
 * Returns an agent whose threads the principal may read. It must have a corpus, and the principal
 * must see it.
 * @throws AppError `agent_not_found`; `invalid_agent_type` if the agent has no corpus
 */
export async function getConversationalist(db: Db, principal: Principal, reference: string): Promise<Documentalist> {
  const row = await findVisible(db, principal, reference);
  if (!hasCorpus(principal, row)) throw new AppError("invalid_agent_type");
  return documentalistOf(db, principal, row);
}

async function documentalistOf(db: Db, principal: Principal, row: agents.AgentRow): Promise<Documentalist> {
  if (row.type === "PERSONAL") return personalAgentOf(db, principal, row);
  const { consignes, sourceVisibility: showsSources, engine } = configurationOf(row);
  return {
    reference: row.id,
    consignes: consignes.map(consigneText),
    showsSources,
    engine: engine ?? undefined,
    corpora: [{ reference: row.id, showsSources }],
  };
}

/**
 * Returns a personal agent. Its corpora are its own documents and the corpora in its configuration,
 * except those that the principal no longer sees.
 */
async function personalAgentOf(db: Db, principal: Principal, row: agents.AgentRow): Promise<Documentalist> {
  const { instructions, corpora, engine } = personalConfiguration(row.configuration);
  const visible = await agents.findVisibleCorpora(db, principal, corpora);
  const searched = corpora.flatMap((reference) => {
    const corpus = visible.get(reference);
    return corpus ? [{ reference, showsSources: configurationOf(corpus).sourceVisibility }] : [];
  });
  return {
    reference: row.id,
    consignes: [...instructions],
    showsSources: true,
    engine: engine ?? undefined,
    corpora: [{ reference: row.id, showsSources: true }, ...searched],
  };
}

const configurationOf = ({ configuration }: agents.AgentRow) =>
  JSON.parse(configuration) as DocumentalistConfigurationJson;

export type Tenant = Pick<Caller, "organizationId">;

/**
 * Throws unless the principal may see this agent's corpus.
 * @throws AppError `agent_not_found`; `invalid_agent_type` if the agent has no corpus
 */
export async function checkDocumentalist(db: Db, principal: Principal, reference: string): Promise<void> {
  if (!hasCorpus(principal, await findVisible(db, principal, reference))) throw new AppError("invalid_agent_type");
}

/**
 * Throws unless the principal may modify this agent's corpus.
 * @throws AppError as `checkDocumentalist`; `forbidden` if the principal may only see it
 */
export async function checkManagedDocumentalist(db: Db, principal: Principal, reference: string): Promise<void> {
  const row = await findVisible(db, principal, reference);
  if (!hasCorpus(principal, row)) throw new AppError("invalid_agent_type");
  if (!mayManage(principal, row)) throw new AppError("forbidden");
}

/**
 * Checks that the agent has a corpus and that the principal may see it. Locks the agent until the
 * transaction ends, so that only one transaction at a time can change the corpus.
 */
export async function lockDocumentalist(transaction: Db, principal: Principal, reference: string): Promise<void> {
  const row = isId(reference) ? await agents.lockAgent(transaction, principal, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  if (!hasCorpus(principal, row)) throw new AppError("invalid_agent_type");
}

/**
 * Locks an agent of any organization until the transaction ends. Has no effect if the agent is
 * deleted.
 */
export const lockAgentOfAny = agents.lockAgentOfAny;

/**
 * Records that the documents of the agent change, and locks the agent. Call it before changing
 * these documents, so that all transactions acquire their locks in the same order.
 */
export const changeIndexVersion = agents.changeIndexVersion;

/** Returns the index versions of agents of any organization. Use it for background work only. */
export const listIndexVersions = agents.listIndexVersions;

/**
 * Returns the organization that an agent belongs to. Use it for background work only, because it
 * searches all organizations.
 */
export const findOrganizationOfAgent = agents.findOrganizationOfAgent;

/** Returns whether the agent exists, in any organization. */
export const isAgent = async (db: Db, reference: string): Promise<boolean> =>
  (await agents.findOrganizationOfAgent(db, reference)) !== undefined;

/** Selects the ids of the agents that the viewer may see, as part of another query. */
export const selectVisibleAgents = agents.selectVisible;

/**
 * Returns the operator as a principal of the agent's organization.
 * @throws AppError `agent_not_found`
 */
export async function getOperatorOfAgent(db: Db, reference: string): Promise<Principal & { operator: string }> {
  const organizationId = await agents.findOrganizationOfAgent(db, reference);
  if (organizationId === undefined) throw new AppError("agent_not_found");
  return { ...onBehalfOf(organizationId), operator: "cli" };
}

/**
 * Returns an anonymous principal who may ask a public agent.
 * @throws AppError `agent_not_found`, also for an agent that is not public
 */
export async function getPublicAsker(db: Db, reference: string): Promise<Principal> {
  const row = isId(reference) ? await agents.findPublicAgent(db, reference) : undefined;
  if (!row) throw new AppError("agent_not_found");
  return { organizationId: row.organization_id, channel: "public", userId: null, role: null };
}

/** Counts all agents of an organization, including private ones. */
export const countAgents = agents.countAgents;

/** Lists all agents of the installation that have a corpus. */
export const listAllDocumentalists = agents.listAllDocumentalists;
