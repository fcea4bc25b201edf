/** Defines the budget hook around calls of a language model, and meters that need no database. */

export interface ModelCall {
  purpose: "extract" | "classify" | "answer" | "embed";
  model: string;
  /** Base URL of the endpoint. */
  endpoint: string;
  /** Size of the request body as sent, in bytes. */
  bytes: number;
  /** SHA-256 of the request body, in hexadecimal. */
  sha256: string;
  use: ModelUse;
}

/** An HTTP call that is about to be made. */
export interface PlannedCall extends Omit<ModelCall, "use"> {
  /** Input tokens, estimated by length. */
  estimatedInputTokens: number;
  /** Upper bound of the input tokens. */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** Maximum time until the call has ended, in milliseconds. */
  timeoutMs: number;
}

export interface ModelUse {
  inputTokens: number;
  outputTokens: number;
  /**
   * True if the endpoint reported no token use, so that the numbers were estimated by length
   * (`estimateTokens`).
   */
  estimated: boolean;
}

/** Tokens that are reserved for one HTTP call. */
export interface Reservation {
  /**
   * Maximum output tokens that the call may ask for. They are fewer than planned if the budget is
   * nearly used up.
   */
  maxOutputTokens: number;
  /** Reports the end of the call, even if it failed. Must be called once. */
  reconcile(call: ModelCall): Promise<void>;
}

/** Budget hook: `reserve` runs before every HTTP call, `reconcile` after it. */
export interface Meter {
  /** Owner of the calls. Calls of different owners take turns. */
  owner: string;
  /**
   * Reserves tokens for a call. Rejects with a ModelFailure `budget` if nothing is left, which ends
   * the call.
   */
  reserve(call: PlannedCall, signal: AbortSignal): Promise<Reservation>;
  /**
   * Returns the failure of an answer that was cut off because the budget allowed no more tokens.
   */
  exhausted(): Promise<Error>;
}

/** Returns a meter without a limit. It reports every call that has ended to `record`. */
export const unlimited = (record: (call: ModelCall) => Promise<void> = async () => {}): Meter => ({
  owner: "operator",
  exhausted: async () => new Error("This meter has no limit."),
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
