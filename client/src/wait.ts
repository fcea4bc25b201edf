/** Polling with growing pauses. */
import { Deadline, pause } from "./deadline.ts";
import { SheafError } from "./errors.ts";
import type { RequestOptions } from "./request.ts";

export interface WaitOptions {
  /** Aborts the wait, which then fails with the signal's reason. The service continues its work. */
  signal?: AbortSignal | undefined;
  /** Maximum time to wait, in milliseconds. Default: 10 minutes. */
  timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 600_000;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
/** How long polls may keep failing, in milliseconds, for instance while the service restarts. */
const maxSilenceMs = 60_000;
const lookTimeoutMs = 30_000;

/**
 * Polls until `endOf` returns a result. After temporary failures (429, 502, 503, 504, a broken
 * connection), polling continues for a minute.
 * @throws SheafError `timed_out`; any error of `endOf`
 */
export async function poll<Seen, End>(
  look: (options: RequestOptions) => Promise<Seen>,
  endOf: (seen: Seen) => End | undefined,
  { signal, timeoutMs = defaultTimeoutMs }: WaitOptions = {},
): Promise<End> {
  const deadline = new Deadline(timeoutMs, signal);
  try {
    let heardAt = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(1.5 * pauseMs, maxPauseMs)) {
      const seen = await look({ signal: deadline.signal, timeoutMs: lookTimeoutMs }).catch((error) => {
        if (!isPassing(error) || performance.now() - heardAt > maxSilenceMs) throw error;
      });
      if (seen !== undefined) {
        const end = endOf(seen);
        if (end !== undefined) return end;
        heardAt = performance.now();
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
