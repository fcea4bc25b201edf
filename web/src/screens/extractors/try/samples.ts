/**
 * Pinned samples of an extractor, as ids of kept extractions. Only the ids are stored in the
 * browser, so that no document stays there after sign-out. The service keeps the files.
 */
import { useSyncExternalStore } from "react";

export interface Sample {
  /** Id of the kept extraction with which later results are compared. */
  baseline: string;
  /** Id of the result of the latest repeated run, if there was one. */
  latest?: string;
}

export const maxSamples = 5;

const keyOf = (organizationId: string, reference: string) => `sheaf.samples.${organizationId}.${reference}`;
const listeners = new Set<() => void>();
const none: readonly Sample[] = [];
const read = new Map<string, { text: string; samples: readonly Sample[] }>();

function samplesAt(key: string): readonly Sample[] {
  const text = localStorage.getItem(key);
  if (text === null) return none;
  const known = read.get(key);
  if (known?.text === text) return known.samples;
  const samples = parsed(text);
  read.set(key, { text, samples });
  return samples;
}

function parsed(text: string): readonly Sample[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isSample).slice(0, maxSamples) : none;
  } catch {
    return none;
  }
}

const isSample = (value: unknown): value is Sample =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Sample).baseline === "string" &&
  ["string", "undefined"].includes(typeof (value as Sample).latest);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another browser tab may have changed the samples.
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

interface Samples {
  samples: readonly Sample[];
  change: (change: (samples: readonly Sample[]) => readonly Sample[]) => void;
}

export function useSamples(organizationId: string, reference: string): Samples {
  const key = keyOf(organizationId, reference);
  const samples = useSyncExternalStore(subscribe, () => samplesAt(key));
  const change: Samples["change"] = (edit) => {
    const next = edit(samplesAt(key));
    if (next.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  return { samples, change };
}
