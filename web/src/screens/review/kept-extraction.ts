/** Kept extractions as the service returns them, and the requests about them. */
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";
import type { CorrectionJson, ExtractionJson } from "./review-model.ts";

export type ReviewStatus = "to_review" | "reviewed";

export interface ExtractionSummary {
  id: string;
  agent_reference: string | null;
  filename: string;
  mime: string;
  size: number;
  pages: number;
  status: ReviewStatus;
  needs_review: boolean;
  values_to_review: number;
  version: number;
  reviewed_by: string | null;
  reviewed_at: string | null;
  created_at: string;
  expires_at: string;
}

export interface KeptExtraction extends ExtractionSummary, ExtractionJson {
  corrections: CorrectionJson[];
}

interface ListQuery {
  agent?: string | undefined;
  status?: ReviewStatus | undefined;
  needs_review?: "true" | "false" | undefined;
  limit?: number;
  cursor?: string;
}

interface Signal {
  signal: AbortSignal;
}

interface KeptExtractionsApi {
  listKeptExtractions(
    options: ListQuery & Signal,
  ): Promise<{ data: ExtractionSummary[]; metadata?: { next_cursor: string | null } }>;
  getKeptExtraction(id: string, options?: Signal): Promise<{ data: KeptExtraction }>;
  deleteKeptExtraction(id: string): Promise<unknown>;
  putExtractionCorrections(
    id: string,
    body: { corrections: readonly CorrectionJson[]; version: number },
  ): Promise<{ data: KeptExtraction }>;
  updateKeptExtraction(id: string, body: { status: ReviewStatus; version?: number }): Promise<{ data: KeptExtraction }>;
}

// The client has these methods once the endpoints are merged.
export const keptExtractions = sheaf as unknown as KeptExtractionsApi;

export const keptExtractionQuery = (id: string) =>
  queryOptions({
    queryKey: ["kept-extractions", "one", id],
    queryFn: async ({ signal }) => (await keptExtractions.getKeptExtraction(id, { signal })).data,
  });

/** All extractions of a queue, oldest first. */
export const queueQuery = ({ agent, status = "to_review" }: { agent?: string; status?: ReviewStatus | "all" }) =>
  queryOptions({
    queryKey: ["kept-extractions", "list", agent ?? "", status],
    queryFn: async ({ signal }) => {
      const filter = { agent, status: status === "all" ? undefined : status };
      return (await keptExtractions.listKeptExtractions({ ...filter, signal })).data;
    },
  });

/** Returns the extractions before and after one in a queue, whether or not it is in the queue itself. */
export function neighboursOf(queue: readonly ExtractionSummary[], { id, created_at }: ExtractionSummary) {
  const isAfter = (other: ExtractionSummary) =>
    other.created_at > created_at || (other.created_at === created_at && other.id > id);
  const others = queue.filter((other) => other.id !== id);
  return { previous: others.findLast((other) => !isAfter(other)), next: others.find(isAfter) };
}
