/** Queries of kept extractions: results that the service keeps with their files. */
import type { EvidenceRecord, ExtractedRecord, ExtractionParam, RequestOptions } from "@sheaf/client";
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";

export type ReviewStatus = "to_review" | "reviewed";

export interface KeptExtractionSummary {
  id: string;
  filename: string;
  size: number;
  pages: number;
  status: ReviewStatus;
  needs_review: boolean;
  values_to_review: number;
  version: number;
  created_at: string;
  expires_at: string;
}

export interface KeptExtraction extends KeptExtractionSummary {
  params: ExtractionParam[];
  data: ExtractedRecord[];
  corrected_data: ExtractedRecord[];
  evidence: EvidenceRecord[];
}

interface KeptExtractionsApi {
  listKeptExtractions(options: RequestOptions & { agent: string }): Promise<{ data: KeptExtractionSummary[] }>;
  getKeptExtraction(id: string, options?: RequestOptions): Promise<{ data: KeptExtraction }>;
  getKeptExtractionFile(id: string, options?: RequestOptions): Promise<Uint8Array>;
  deleteKeptExtraction(id: string, options?: RequestOptions): Promise<unknown>;
}

// The client has these methods once the endpoints are merged.
export const keptExtractions = sheaf as unknown as KeptExtractionsApi;

/** All results of an extractor, newest first. */
export const keptExtractionsQuery = (reference: string) =>
  queryOptions({
    queryKey: ["extractions", "of", reference],
    queryFn: async ({ signal }) => {
      // Without a limit, the API returns the whole list, oldest first.
      const { data } = await keptExtractions.listKeptExtractions({ agent: reference, signal });
      return data.toReversed();
    },
  });

export const keptExtractionQuery = (id: string) =>
  queryOptions({
    queryKey: ["extractions", id],
    queryFn: async ({ signal }) => (await keptExtractions.getKeptExtraction(id, { signal })).data,
  });
