/** Runs work with a deadline. */
import { AppError } from "./errors.ts";

/**
 * @throws AppError `agent_timeout` after `timeoutMs`; the reason of `signal` if that aborts; what
 * `work` throws
 */
export async function withinTime<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await work(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new AppError("agent_timeout", undefined, { cause: error });
    throw error;
  }
}
