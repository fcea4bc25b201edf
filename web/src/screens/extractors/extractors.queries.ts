/** Queries of extractors, shared by the screens of this folder. */
import type { Agent, AgentParam, AgentSummary, ExtractorConfiguration } from "@sheaf/client";
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";
import { i18n, isLanguage } from "../../app/language.ts";

/** All extractors visible to the user, sorted by name. */
export const extractorsQuery = queryOptions({
  queryKey: ["agents", "extractors"],
  queryFn: async ({ signal }): Promise<AgentSummary[]> => {
    // Without a limit, the API returns the whole list.
    const { data } = await sheaf.listAgents({ signal });
    return data
      .filter(({ type }) => type === "EXTRACTOR")
      .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
  },
});

export const extractorQuery = (reference: string) =>
  queryOptions({
    queryKey: ["agents", reference],
    queryFn: async ({ signal }) => (await sheaf.getAgent(reference, { signal })).data,
  });

export const accessQuery = (reference: string) =>
  queryOptions({
    queryKey: ["agents", reference, "access"],
    queryFn: async ({ signal }) => (await sheaf.getAgentAccess(reference, { signal })).data,
  });

/** All templates in the language of the interface, sorted by title. */
export const templatesQuery = () => {
  const lang = isLanguage(i18n.locale) ? i18n.locale : "en";
  return queryOptions({
    queryKey: ["templates", lang],
    queryFn: async ({ signal }) => {
      const { data } = await sheaf.listTemplates({ lang, signal });
      return data.sort((one, other) => one.title.localeCompare(other.title, lang));
    },
    // Templates change only when the service is updated.
    staleTime: Number.POSITIVE_INFINITY,
  });
};

export const groupsQuery = queryOptions({
  queryKey: ["groups"],
  queryFn: async ({ signal }) => (await sheaf.listGroups({ signal })).data,
});

export const configurationOf = (agent: Agent): ExtractorConfiguration =>
  agent.configuration !== undefined && "params" in agent.configuration ? agent.configuration : { params: [] };

export const fieldsOf = (agent: Agent): readonly AgentParam[] => configurationOf(agent).params;
