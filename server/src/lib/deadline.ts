/** Runs work with a deadline. */
import { AppError } from "./errors.ts";

/** Combines a time limit with the signal of a caller. Disposing of the deadline stops its timer. */
export interface Deadline extends Disposable {
  /** Aborts when the caller's signal aborts or the time limit is reached. */
  signal: AbortSignal;
  /** Value of `performance.now()` at which the time limit is reached. */
  endsAt: number;
  /**
   * If the time limit was reached before the caller's signal aborted, returns the timeout error.
   * Otherwise returns `error`.
   */
  causeOf(error: unknown): unknown;
}

/**
 * @param timeoutError creates the error with which the signal aborts when the time limit is
 * reached; default: `agent_timeout`
 */
export function startDeadline(
  timeoutMs: number,
  signal: AbortSignal,
  timeoutError: (cause?: unknown) => Error = agentTimeout,
): Deadline {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timeoutError()), timeoutMs);
  const both = AbortSignal.any([signal, timeout.signal]);
  const isOver = (): boolean => timeout.signal.aborted && both.reason === timeout.signal.reason;
  return {
    signal: both,
    endsAt: performance.now() + timeoutMs,
    causeOf: (error) => (isOver() && error !== both.reason ? timeoutError(error) : error),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/**
 * @throws AppError `agent_timeout` after `timeoutMs`; the reason of `signal` if that aborts; any
 * error of `work`
 */
export async function withinTime<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using deadline = startDeadline(timeoutMs, signal);
  try {
    return await work(deadline.signal);
  } catch (error) {
    throw deadline.causeOf(error);
  }
}

const agentTimeout = (cause?: unknown): AppError =>
  new AppError("agent_timeout", undefined, cause === undefined ? {} : { cause });
