/** Queries and requests about kept extractions. */
import type { Correction, KeptExtraction, KeptExtractionSummary } from "@sheaf/client";
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";
import type { CorrectionJson } from "./review-model.ts";

export type ReviewStatus = KeptExtraction["status"];

export const saveCorrections = async (
  id: string,
  corrections: readonly CorrectionJson[],
  version: number,
): Promise<KeptExtraction> =>
  (await sheaf.putExtractionCorrections(id, { corrections: corrections as Correction[], version })).data;

export const keptExtractionQuery = (id: string) =>
  queryOptions({
    queryKey: ["kept-extractions", "one", id],
    queryFn: async ({ signal }) => (await sheaf.getKeptExtraction(id, { signal })).data,
  });

/** All extractions of a review queue, oldest first. */
export const queueQuery = ({ agent, status = "to_review" }: { agent?: string; status?: ReviewStatus | "all" }) =>
  queryOptions({
    queryKey: ["kept-extractions", "list", agent ?? "", status],
    queryFn: async ({ signal }) => {
      const filter = { ...(agent !== undefined && { agent }), ...(status !== "all" && { status }) };
      return (await sheaf.listKeptExtractions({ ...filter, signal })).data;
    },
  });

/**
 * Returns the previous and next extraction in the queue. The extraction itself need not be in the
 * queue.
 */
export function neighboursOf(queue: readonly KeptExtractionSummary[], { id, created_at }: KeptExtractionSummary) {
  const isAfter = (other: KeptExtractionSummary) =>
    other.created_at > created_at || (other.created_at === created_at && other.id > id);
  const others = queue.filter((other) => other.id !== id);
  return { previous: others.findLast((other) => !isAfter(other)), next: others.find(isAfter) };
}
