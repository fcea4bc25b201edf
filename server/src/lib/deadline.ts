/** Runs work with a deadline. */
import { AppError } from "./errors.ts";

/** A time limit beside a caller's own signal. */
export interface Deadline {
  /** Aborts with the caller's signal, or when the time is over. */
  signal: AbortSignal;
  /**
   * Returns `agent_timeout` if the time was over before the caller's signal aborted; otherwise
   * returns `error`.
   */
  causeOf(error: unknown): unknown;
}

export function startDeadline(timeoutMs: number, signal: AbortSignal): Deadline {
  const timeout = AbortSignal.timeout(timeoutMs);
  return {
    signal: AbortSignal.any([signal, timeout]),
    causeOf: (error) =>
      timeout.aborted && !signal.aborted ? new AppError("agent_timeout", undefined, { cause: error }) : error,
  };
}

/**
 * @throws AppError `agent_timeout` after `timeoutMs`; the reason of `signal` if that aborts; what
 * `work` throws
 */
export async function withinTime<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs, signal);
  try {
    return await work(deadline.signal);
  } catch (error) {
    throw deadline.causeOf(error);
  }
}
