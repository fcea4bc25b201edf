/** Queries of the audit log, loaded in pages. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";
import type { AuditPage } from "./audit-export.ts";
import type { AuditSearch } from "./organization-search.ts";

interface AuditRequest {
  search: AuditSearch;
  limit: number;
  cursor: string | undefined;
  signal: AbortSignal;
}

export async function fetchAuditPage({ search, limit, cursor, signal }: AuditRequest): Promise<AuditPage> {
  const { action, since, order = "newest" } = search;
  const { data, metadata } = await sheaf.listAuditEntries({
    order,
    limit,
    signal,
    ...(cursor !== undefined && { cursor }),
    ...(action !== undefined && { action }),
    // The day of the filter begins at midnight in the time zone of the user.
    ...(since !== undefined && { since: new Date(`${since}T00:00`).toISOString() }),
  });
  return { entries: data, next: metadata?.next_cursor ?? null };
}

const shownPerPage = 100;

export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ["organization", "audit", search],
    queryFn: ({ pageParam, signal }) => fetchAuditPage({ search, limit: shownPerPage, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
