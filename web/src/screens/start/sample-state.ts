/** Adds and removes the samples. Continues while the user visits other screens. */
import { useLingui } from "@lingui/react/macro";
import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { notify } from "../../ui/notifications.tsx";
import { agentsQuery } from "./agents-query.ts";
import { addSamples, removeSamples, type Samples, samplesAmong } from "./samples.ts";

/** Progress of adding the samples, from 0 to 1. */
let share = 0;
const listeners = new Set<() => void>();
const setShare = (value: number) => {
  share = value;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const addKey = ["samples", "add"];

export function useAddSamples() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const { mutate } = useMutation({
    mutationKey: addKey,
    mutationFn: async () => {
      setShare(0);
      const agents = await queries.fetchQuery({ ...agentsQuery, staleTime: 0 });
      await addSamples(samplesAmong(agents), { extractor: t`Sample invoices`, corpus: t`Sample corpus` }, (done) => {
        setShare(done);
        void queries.invalidateQueries();
      });
    },
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => queries.invalidateQueries(),
  });
  return useCallback(() => mutate(), [mutate]);
}

/** Returns the progress of adding the samples (0 to 1); undefined if none are being added. */
export function useAddingSamples(): number | undefined {
  const isRunning = useMutationState({ filters: { mutationKey: addKey, status: "pending" } }).length > 0;
  const current = useSyncExternalStore(subscribe, () => share);
  return isRunning ? current : undefined;
}

export function useRemoveSamples() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  return useMutation({
    mutationFn: (samples: Samples) => removeSamples(samples),
    onSuccess: () => notify(t`The samples are removed.`),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => queries.invalidateQueries(),
  });
}
