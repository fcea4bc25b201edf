/** Queries about the quality of an extractor: its versions, and the coverage of its fields. */
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../../app/api.ts";

/** All kept versions, newest first. Without a limit, the API returns the whole list. */
export const versionsQuery = (reference: string) =>
  queryOptions({
    queryKey: ["quality", reference, "versions"],
    queryFn: async ({ signal }) => (await sheaf.listAgentVersions(reference, { signal })).data.toReversed(),
  });

/** Differences from one version to another. */
export const changesQuery = (reference: string, from: number, to: number) =>
  queryOptions({
    queryKey: ["quality", reference, "changes", from, to],
    queryFn: async ({ signal }) => (await sheaf.getAgentVersionChanges(reference, String(to), { from, signal })).data,
    // Versions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Members of the organization. Uses the same query key as the organization screens, so that all
 * these screens share the cached list.
 */
export const membersQuery = queryOptions({
  queryKey: ["organization", "members"],
  queryFn: async ({ signal }) => (await sheaf.listMembers({ signal })).data,
});

export const coverageQuery = (reference: string) =>
  queryOptions({
    queryKey: ["quality", reference, "coverage"],
    queryFn: async ({ signal }) => (await sheaf.getExtractorCoverage(reference, { signal })).data,
  });
