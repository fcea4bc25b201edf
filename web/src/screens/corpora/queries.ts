/** Queries of corpora, their documents and threads. */
import type { AgentSummary, Document } from "@sheaf/client";
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";

const agentsOf = (type: AgentSummary["type"]) =>
  queryOptions({
    queryKey: ["corpora"],
    queryFn: async ({ signal }) => (await sheaf.listAgents({ signal })).data,
    select: (agents) => agents.filter((agent) => agent.type === type).sort((a, b) => a.name.localeCompare(b.name)),
  });

export const corporaQuery = agentsOf("DOCUMENTALIST");
/** The user's own assistants. Assistants of other users are not in the list. */
export const assistantsQuery = agentsOf("PERSONAL");

export const agentQuery = (reference: string) =>
  queryOptions({
    queryKey: ["corpora", reference],
    queryFn: async ({ signal }) => (await sheaf.getAgent(reference, { signal })).data,
  });

export const accessQuery = (reference: string) =>
  queryOptions({
    queryKey: ["corpora", reference, "access"],
    queryFn: async ({ signal }) => (await sheaf.getAgentAccess(reference, { signal })).data,
  });

export const groupsQuery = queryOptions({
  queryKey: ["corpora", "groups"],
  queryFn: async ({ signal }) => (await sheaf.listGroups({ signal })).data,
});

/** All documents. Without a limit in the request, the service returns the whole list. */
export const documentsQuery = (reference: string) =>
  queryOptions({
    queryKey: ["documents", reference],
    queryFn: async ({ signal }) => (await sheaf.listDocuments(reference, { signal })).data,
  });

/** Maximum size of an upload in bytes that the plan allows; null if the plan sets no limit. */
export const uploadLimitQuery = queryOptions({
  queryKey: ["usage", "upload-limit"],
  queryFn: async ({ signal }) => {
    const { max_upload_mb } = (await sheaf.getUsage({ signal })).data.quotas;
    return max_upload_mb.limit === null ? null : max_upload_mb.limit * 1_048_576;
  },
  staleTime: 600_000,
});

/** The user's own threads with an agent, most recently used first. */
export const threadsQuery = (reference: string, archived = false) =>
  queryOptions({
    queryKey: ["threads", reference, { archived }],
    queryFn: async ({ signal }) =>
      (await sheaf.listThreads(reference, { signal, ...(archived && { archived: "true" }) })).data,
  });

export const threadQuery = (reference: string, threadId: string) =>
  queryOptions({
    queryKey: ["threads", reference, threadId],
    queryFn: async ({ signal }) => (await sheaf.getThread(reference, threadId, { signal })).data,
  });

export const documentQuery = (reference: string, document: string) =>
  queryOptions({
    queryKey: ["documents", reference, document],
    queryFn: async ({ signal }): Promise<Document> => (await sheaf.getDocument(reference, document, { signal })).data,
  });
