/** Who pays for language models: the budget of an organization, and the ledger of what was sent, how much and to whom; never what. */
import { ModelFailure } from "../../engine/model/client/model-failure.ts";
import type { Meter, ModelCall } from "../../engine/model/model-client.ts";
import type { Principal } from "../../lib/caller.ts";
import { monthOf, now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { insertCall, sumTokens } from "./models.repo.ts";

export interface ModelUseDeps {
  db: Db;
  /** Tokens that an organization may use in a calendar month (UTC); null: as many as it likes. */
  budgetTokens: number | null;
}

/** For the work of one request. What is under way elsewhere at the same moment is not counted yet. */
export function openMeter({ db, budgetTokens }: ModelUseDeps, { organizationId, channel }: Principal): Meter {
  return {
    admit: async (estimatedTokens) => {
      if (budgetTokens === null) return;
      const used = await sumTokens(db, organizationId, monthOf(now()));
      if (used + estimatedTokens <= budgetTokens) return;
      const message = "The budget for the language model is used up for this month.";
      const cause = new AppError("quota_exceeded", { limit: budgetTokens, current: used }, { message });
      throw new ModelFailure("budget", message, { cause });
    },
    record: async ({ use, ...call }: ModelCall) => {
      const at = now();
      await insertCall(db, {
        id: newId(),
        organization_id: organizationId,
        channel,
        ...call,
        input_tokens: use.inputTokens,
        output_tokens: use.outputTokens,
        estimated: use.estimated,
        month: monthOf(at),
        created_at: at,
      });
    },
  };
}

/** For the command line: whoever runs it pays, and sees in the result what for. */
export const unmetered: Meter = { admit: async () => {}, record: async () => {} };

/** What a failure of the model is to a caller; undefined for any other. */
export function modelError(
  error: unknown,
  failure: "extraction_failed" | "classification_failed",
): AppError | undefined {
  if (!(error instanceof ModelFailure)) return undefined;
  if (error.kind === "budget" && error.cause instanceof AppError) return error.cause;
  if (error.kind === "timeout") return new AppError("agent_timeout", undefined, { cause: error });
  if (error.kind === "unavailable") return new AppError("agent_unavailable", undefined, { cause: error });
  const message = "The language model gave no answer that can be used.";
  return new AppError(failure, { reason: "model" }, { cause: error, message });
}
