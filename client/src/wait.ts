/** Polling, with pauses that grow. */
import { Deadline, pause } from "./deadline.ts";
import { SheafError } from "./errors.ts";
import type { RequestOptions } from "./request.ts";

export interface WaitOptions {
  /** Ends the waiting; it then fails with the signal's reason. What was started goes on at the service. */
  signal?: AbortSignal | undefined;
  /** How long to wait at most, in milliseconds; 10 minutes unless told. */
  timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 600_000;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** A service that restarts is waited for. */
const maxSilenceMs = 60_000;
const lookTimeoutMs = 30_000;

/**
 * Looks until there is something to see. Answers 502, 503 and 504 and broken connections are looked past for a minute.
 * @throws SheafError `timed_out`
 */
export async function poll<T>(
  look: (options: RequestOptions) => Promise<T | undefined>,
  { signal, timeoutMs = defaultTimeoutMs }: WaitOptions = {},
): Promise<T> {
  const deadline = new Deadline(timeoutMs, signal);
  try {
    let heardAt = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(1.5 * pauseMs, maxPauseMs)) {
      try {
        const seen = await look({ signal: deadline.signal, timeoutMs: lookTimeoutMs });
        if (seen !== undefined) return seen;
        heardAt = performance.now();
      } catch (error) {
        if (!isPassing(error) || performance.now() - heardAt > maxSilenceMs) throw error;
      }
      await pause(pauseMs, deadline.signal);
    }
  } catch (error) {
    throw deadline.errorOf(error);
  } finally {
    deadline.end();
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof SheafError)) return false;
  return (
    error.code === "connection_failed" || error.code === "timed_out" || [429, 502, 503, 504].includes(error.status)
  );
}
