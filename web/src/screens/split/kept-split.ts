/** The kept classification, which the service stores with its file and corrected segments. */
import { type KeptClassification, SheafError } from "@sheaf/client";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { sheaf } from "../../app/api.ts";
import type { Segments } from "./split-model.ts";

/** Loads the kept classification; null if it was not kept or has expired. */
export const keptQuery = (id: string) =>
  queryOptions({
    queryKey: ["kept-classification", id],
    queryFn: async ({ signal }): Promise<KeptClassification | null> => {
      try {
        return (await sheaf.getKeptClassification(id, { signal })).data;
      } catch (error) {
        if (error instanceof SheafError && error.code === "not_found") return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Returns the corrected segments. Segments that nobody has changed keep their original confidence;
 * all others have none.
 */
export const correctedSegments = ({ corrected_segments }: KeptClassification, received: Segments): Segments =>
  corrected_segments.map((segment) => {
    const same = received.find(
      ({ start, end, label }) => start === segment.start && end === segment.end && label === segment.label,
    );
    return { ...segment, confidence: same?.confidence ?? null };
  });

export interface Saving {
  /** `none`: the service does not keep this classification. */
  state: "none" | "saved" | "saving" | "conflict" | "failed";
  error: Error | null;
  /** Saves again. After a conflict, this overwrites the version of the other user. */
  retry: () => void;
}

/** Delay between the last change and saving, in milliseconds. */
const pauseMs = 500;

/**
 * Saves the segments after each change, one request at a time.
 * @param onNewer called with the newer version that another user has saved, unless this user has
 * unsaved changes
 */
export function useSavedSegments(
  kept: KeptClassification | null,
  present: Segments,
  onNewer: (newer: KeptClassification) => void,
): Saving {
  const queries = useQueryClient();
  const version = useRef(kept?.version ?? 0);
  const [saved, setSaved] = useState(() => textOf(kept?.corrected_segments ?? []));
  const id = kept?.id ?? "";
  const { mutate, isPending, error } = useMutation({
    scope: { id: `segments ${id}` },
    mutationFn: (segments: Segments) => {
      const body = segments.map(({ start, end, label, title }) => ({ start, end, label, title }));
      return sheaf.putClassificationSegments(id, { segments: body, version: version.current });
    },
    onSuccess: ({ data }) => {
      version.current = data.version;
      setSaved(textOf(data.corrected_segments));
      queries.setQueryData(keptQuery(id).queryKey, data);
    },
  });
  const isSaved = saved === textOf(present);
  useEffect(() => {
    if (id === "" || isSaved) return;
    const timer = setTimeout(() => mutate(present), pauseMs);
    return () => clearTimeout(timer);
  }, [id, isSaved, present, mutate]);
  useEffect(() => {
    if (kept === null || !isSaved || isPending || kept.version <= version.current) return;
    version.current = kept.version;
    setSaved(textOf(kept.corrected_segments));
    onNewer(kept);
  }, [kept, isSaved, isPending, onNewer]);
  const retry = async () => {
    const current = await queries.fetchQuery({ ...keptQuery(id), staleTime: 0 }).catch(() => null);
    if (current !== null) version.current = current.version;
    mutate(present);
  };
  const isConflict = error instanceof SheafError && error.code === "conflict";
  const failure = isConflict ? "conflict" : "failed";
  const state = kept === null ? "none" : isSaved ? "saved" : error === null || isPending ? "saving" : failure;
  return { state, error, retry: () => void retry() };
}

/** Returns those properties of the segments that are saved, as text for comparison. */
const textOf = (segments: readonly { start: number; end: number; label: string; title: string }[]): string =>
  JSON.stringify(segments.map(({ start, end, label, title }) => [start, end, label, title]));
