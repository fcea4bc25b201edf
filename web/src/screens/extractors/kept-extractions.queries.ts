/** Queries of kept extractions: results that the service keeps with their files. */
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";

/** All results of an extractor, newest first. */
export const keptExtractionsQuery = (reference: string) =>
  queryOptions({
    queryKey: ["kept-extractions", "list", reference, "newest first"],
    queryFn: async ({ signal }) => {
      // Without a limit, the API returns the whole list, oldest first.
      const { data } = await sheaf.listKeptExtractions({ agent: reference, signal });
      return data.toReversed();
    },
  });

export const keptExtractionQuery = (id: string) =>
  queryOptions({
    queryKey: ["kept-extractions", "one", id],
    queryFn: async ({ signal }) => (await sheaf.getKeptExtraction(id, { signal })).data,
  });
