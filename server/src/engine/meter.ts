/**
 * Defines the budget hook (`Meter`), which runs before and after each call of a language model.
 * Also contains hooks that work without a database.
 */

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
  /** Number of input tokens, estimated from the length of the text. */
  estimatedInputTokens: number;
  /** Upper bound of the number of input tokens. */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** Maximum duration of the call, in milliseconds. */
  timeoutMs: number;
}

export interface ModelUse {
  inputTokens: number;
  outputTokens: number;
  /**
   * True if the endpoint did not report how many tokens it used. In that case, the numbers are
   * estimated from the length of the text (`estimateTokens`).
   */
  estimated: boolean;
}

/** Tokens that are reserved for one HTTP call. */
export interface Reservation {
  /**
   * Maximum number of output tokens that the call may request. It is lower than planned if the
   * budget is nearly used up.
   */
  maxOutputTokens: number;
  /** Reports that the call has ended, even if it failed. Must be called exactly once. */
  reconcile(call: ModelCall): Promise<void>;
}

/** Budget hook: `reserve` runs before every HTTP call, `reconcile` after it. */
export interface Meter {
  /** Owner of the calls. Calls of different owners take turns. */
  owner: string;
  /**
   * Reserves tokens for a call. If no tokens are left, rejects with a ModelFailure `budget`, and
   * the call is not made.
   */
  reserve(call: PlannedCall, signal: AbortSignal): Promise<Reservation>;
  /** Returns the error for a response that was cut off because the budget limited its tokens. */
  exhausted(): Promise<Error>;
}

/** Returns a hook without a limit. It passes every call that has ended to `record`. */
export const unlimited = (record: (call: ModelCall) => Promise<void> = async () => {}): Meter => ({
  owner: "operator",
  exhausted: async () => new Error("This meter has no limit."),
  reserve: async ({ maxOutputTokens }) => ({ maxOutputTokens, reconcile: record }),
});

/**
 * Returns a hook that works like `meter`, and also passes the token count of every call to
 * `onTokens`.
 */
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
