/**
 * Live states: reloads a query when the service reports a change to something that the query shows.
 * While the stream of events is interrupted, screens poll.
 */
import type { LiveEvent } from "@sheaf/client";
import type { QueryKey } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { sheaf } from "./api.ts";
import { noticeEndOfSession, queryClient } from "./queries.ts";

/** Polling interval while the stream works, in milliseconds, in case an event was lost. */
export const slowPollMs = 30_000;
/**
 * Time without an event, in milliseconds, after which the connection counts as broken. The service
 * sends an event at least every 15 s.
 */
const silenceMs = 40_000;
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** Minimum time between two loads of one query, in milliseconds. */
const reloadEveryMs = 2_000;

type StateChange = Extract<LiveEvent, { event: "state" }>["data"];

let isLive = false;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function setLive(value: boolean): void {
  if (value === isLive) return;
  isLive = value;
  for (const listener of listeners) listener();
}

/** Returns true while the stream of changes works, so that a screen need not poll often. */
export const useIsLive = (): boolean => useSyncExternalStore(subscribe, () => isLive);

/**
 * Watches states while the page is visible. Each visible page takes one connection of the browser.
 * @param member the signed-in user and the organization; undefined if there is nothing to watch
 */
export function useLiveStates(member: string | undefined): void {
  useEffect(() => {
    if (member === undefined) return;
    let watching: AbortController | undefined;
    const update = () => {
      watching?.abort();
      watching = undefined;
      if (document.visibilityState === "hidden") return;
      watching = new AbortController();
      void watch(watching.signal);
    };
    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      watching?.abort();
    };
  }, [member]);
}

async function watch(signal: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; !signal.aborted; ) {
    const silence = new AbortController();
    const restart = () => setTimeout(() => silence.abort(), silenceMs);
    let timer = restart();
    try {
      const connection = { signal: AbortSignal.any([signal, silence.signal]), timeoutMs: Number.POSITIVE_INFINITY };
      for await (const event of await sheaf.watchStates(connection)) {
        clearTimeout(timer);
        timer = restart();
        pauseMs = firstPauseMs;
        setLive(true);
        if (event.event === "resync") reload(watchedKeys);
        if (event.event === "state") reload(keysOf(event.data));
      }
    } catch (error) {
      if (!signal.aborted) noticeEndOfSession(error);
    }
    clearTimeout(timer);
    setLive(false);
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Keys of all queries that show watched states. */
const watchedKeys: QueryKey[] = [
  ["documents"],
  ["classification"],
  ["kept-classification"],
  ["organization", "deliveries"],
  ["kept-extractions", "list"],
  ["kept-extractions", "pages"],
];

/**
 * Returns the keys of the queries that show the object. Leaves out the query of a review, because
 * an open review must not be reloaded.
 */
function keysOf({ type, reference, agent_reference }: StateChange): QueryKey[] {
  if (type === "document") return [["documents", agent_reference]];
  if (type === "classification") return [["classification", reference]];
  if (type === "kept_classification") return [["kept-classification", reference]];
  if (type === "delivery") return [["organization", "deliveries"]];
  if (type === "agent") return [["agents"], ["corpora"]];
  if (type === "kept_extraction")
    return [
      ["quality", agent_reference, "coverage"],
      ["kept-extractions", "list"],
      ["kept-extractions", "pages"],
    ];
  return [];
}

const reloads = new Map<string, { again: boolean }>();

/** Reloads the queries now, or after a pause if they have just been reloaded. */
function reload(keys: readonly QueryKey[]): void {
  for (const queryKey of keys) {
    const name = JSON.stringify(queryKey);
    const running = reloads.get(name);
    if (running) {
      running.again = true;
      continue;
    }
    const current = { again: false };
    reloads.set(name, current);
    // A load that is under way began so recently that it need not start again.
    void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
    setTimeout(() => {
      reloads.delete(name);
      if (current.again) reload([queryKey]);
    }, reloadEveryMs);
  }
}
