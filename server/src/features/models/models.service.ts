/**
 * Enforces the token budget of organizations, and records each call of a language model: its size
 * and endpoint, never its content.
 */
import { setTimeout as delay } from "node:timers/promises";
import { EngineFailure, ModelFailure } from "../../engine/engine.ts";
import type { Meter, ModelCall, PlannedCall, Reservation } from "../../engine/meter.ts";
import { unlimited } from "../../engine/meter.ts";
import type { Principal } from "../../lib/caller.ts";
import { monthOf, now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { countTokens, sumTokens } from "../usage/usage.service.ts";
import { endCall, findAbandoned, insertCall, lockReservations, sumReserved } from "./models.repo.ts";

export interface ModelUseDeps {
  db: Db;
  /** Tokens that an organization may use per calendar month (UTC); null: unlimited. */
  budgetTokens: number | null;
}

/**
 * Minimum useful length of a response, in tokens: an object with a few fields takes about 100.
 * Chosen by hand, 2026-11.
 */
const minOutputTokens = 128;
/**
 * Maximum time, in milliseconds, that a call waits for other calls to return reserved tokens that
 * they did not use.
 */
const waitForOthersMs = 10_000;
const pollMs = 100;
/**
 * A reservation counts as abandoned if its call has still not ended this long after its timeout, in
 * milliseconds.
 */
const abandonedAfterMs = 60_000;

/**
 * Opens the token meter for the work of one request. Before each call, tokens are reserved in the
 * database. After the call, the reservation is replaced by the number of tokens actually used. So
 * concurrent calls of all processes together never exceed the budget.
 */
export function openMeter({ db, budgetTokens }: ModelUseDeps, { organizationId, channel }: Principal): Meter {
  const reserve = async (call: PlannedCall, signal: AbortSignal): Promise<Reservation> => {
    const giveUpAt = performance.now() + waitForOthersMs;
    for (;;) {
      signal.throwIfAborted();
      const made = await db.transaction().execute((transaction) => tryReserve(transaction, call));
      if (made instanceof AppError) throw budgetFailure(made);
      if (made !== "later") return made;
      if (performance.now() >= giveUpAt) throw budgetFailure(await exhausted(db));
      await delay(pollMs, undefined, { signal });
    }
  };

  /**
   * Reserves tokens for a call. Returns "later" if too few are free now, but the call may fit once
   * other calls have returned their unused tokens.
   */
  const tryReserve = async (transaction: Db, call: PlannedCall): Promise<Reservation | AppError | "later"> => {
    if (budgetTokens === null) return insertReserved(transaction, call, call.maxOutputTokens);
    await lockReservations(transaction, organizationId);
    await endAbandoned(transaction, organizationId);
    const least = call.maxInputTokens + Math.min(minOutputTokens, call.maxOutputTokens);
    const left = budgetTokens - (await sumTokens(transaction, organizationId, monthOf(now())));
    if (left < least) return exhausted(transaction);
    const free = left - (await sumReserved(transaction, organizationId));
    if (free < least) return "later";
    return insertReserved(transaction, call, Math.min(call.maxOutputTokens, free - call.maxInputTokens));
  };

  const insertReserved = async (transaction: Db, call: PlannedCall, maxOutputTokens: number): Promise<Reservation> => {
    const at = now();
    const id = newId();
    const { purpose, model, endpoint, bytes, sha256, timeoutMs } = call;
    await insertCall(transaction, {
      id,
      organization_id: organizationId,
      channel,
      purpose,
      model,
      endpoint,
      bytes,
      sha256,
      // If this process crashes before the call ends, the estimated tokens count as used.
      input_tokens: call.estimatedInputTokens,
      output_tokens: 0,
      estimated: true,
      month: monthOf(at),
      created_at: at,
      reserved_tokens: call.maxInputTokens + maxOutputTokens,
      reserved_until: new Date(Date.parse(at) + timeoutMs + abandonedAfterMs).toISOString(),
    });
    return {
      maxOutputTokens,
      reconcile: (ended) => db.transaction().execute((ending) => reconcile(ending, organizationId, id, ended)),
    };
  };

  const exhausted = async (using: Db): Promise<AppError> => {
    const current = await sumTokens(using, organizationId, monthOf(now()));
    const message = "The token budget of this month is used up.";
    return new AppError("quota_exceeded", { limit: budgetTokens ?? 0, current }, { message });
  };

  return {
    owner: organizationId,
    reserve,
    exhausted: async () => budgetFailure(await exhausted(db)),
  };
}

const budgetFailure = (cause: AppError): ModelFailure => new ModelFailure("budget", cause.message, { cause });

async function reconcile(
  transaction: Db,
  organizationId: string,
  id: string,
  { bytes, sha256, use }: Pick<ModelCall, "bytes" | "sha256" | "use">,
): Promise<void> {
  const { inputTokens, outputTokens, estimated } = use;
  const ended = await endCall(transaction, id, {
    bytes,
    sha256,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    estimated,
  });
  if (ended && inputTokens + outputTokens > 0)
    await countTokens(transaction, { organizationId, ...ended }, inputTokens + outputTokens);
}

/**
 * Counts the input of calls whose process crashed, and releases the rest of their reservation. Call
 * in a transaction.
 * @param organizationId default: all organizations
 */
export async function endAbandoned(transaction: Db, organizationId?: string): Promise<void> {
  for (const call of await findAbandoned(transaction, now(), organizationId)) {
    const tokens = Number(call.input_tokens) + Number(call.output_tokens);
    const ended = await endCall(transaction, call.id, {});
    if (ended && tokens > 0) await countTokens(transaction, { organizationId: call.organization_id, ...ended }, tokens);
  }
}

/**
 * Token meter of the command line. It has no limit, because the operator sees the token use in the
 * result.
 */
export const unmetered: Meter = unlimited();

/**
 * Maps an error of an engine to the error that a caller gets: the document is too complex for the
 * built-in engine, or the language model failed. Returns undefined for any other error.
 */
export function engineError(
  error: unknown,
  failure: "extraction_failed" | "classification_failed",
): AppError | undefined {
  if (error instanceof EngineFailure) return new AppError(failure, { reason: "too_complex" }, { cause: error });
  if (!(error instanceof ModelFailure)) return undefined;
  if (error.kind === "budget" && error.cause instanceof AppError) return error.cause;
  if (error.kind === "timeout") return new AppError("agent_timeout", undefined, { cause: error });
  if (error.kind === "unavailable") return new AppError("agent_unavailable", undefined, { cause: error });
  const message = "The language model gave no usable response.";
  return new AppError(failure, { reason: "model" }, { cause: error, message });
}
