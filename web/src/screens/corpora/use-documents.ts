/** Returns the documents of a corpus, and polls while some of them are not ready. */
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { slowPollMs, useIsLive } from "../../app/live-states.ts";
import { isPending } from "./document-state.ts";
import { documentsQuery } from "./queries.ts";

const firstPollMs = 2_000;
const lastPollMs = 15_000;

export function useDocuments(corpus: string) {
  const polled = useRef({ data: undefined as unknown, since: Date.now() });
  const isLive = useIsLive();
  return useQuery({
    ...documentsQuery(corpus),
    // Polls every two seconds while the documents change, and at increasing intervals while they do
    // not.
    refetchInterval: ({ state: { data: documents } }) => {
      if (!documents?.some(isPending)) return false;
      if (isLive) return slowPollMs;
      if (polled.current.data !== documents) polled.current = { data: documents, since: Date.now() };
      return Math.min(Math.max((Date.now() - polled.current.since) / 4, firstPollMs), lastPollMs);
    },
  });
}
