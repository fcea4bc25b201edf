/** Meters without a database. Loads nothing of the client. */
import { ModelFailure } from "./model/client/model-failure.ts";
import type { Meter, ModelCall } from "./model/model-client.ts";

/** Returns a meter without a limit, which reports every call that has ended to `record`. */
export const unlimited = (record: (call: ModelCall) => Promise<void> = async () => {}): Meter => ({
  owner: "operator",
  exhausted: async () => new ModelFailure("budget", "There is no budget."),
  reserve: async ({ maxOutputTokens }) => ({ maxOutputTokens, reconcile: record }),
});

/** Returns a meter that also reports the tokens of every call to `onTokens`. */
export const countingTokens = (meter: Meter, onTokens: (tokens: number) => void): Meter => ({
  owner: meter.owner,
  exhausted: () => meter.exhausted(),
  reserve: async (call, signal) => {
    const reservation = await meter.reserve(call, signal);
    return {
      maxOutputTokens: reservation.maxOutputTokens,
      reconcile: (ended) => {
        onTokens(ended.use.inputTokens + ended.use.outputTokens);
        return reservation.reconcile(ended);
      },
    };
  },
});
