/**
 * Manages concurrent calls. Each call holds a slot and has a deadline. If it fails, it reports a
 * single cause.
 */
import { startDeadline } from "../../../lib/deadline.ts";
import { FairSlots } from "../../../lib/fair-slots.ts";
import { ModelFailure } from "../../engine.ts";
import type { Meter, ModelCall } from "../../meter.ts";
import type { Spending } from "./model-endpoint.ts";

export interface CallRequest {
  purpose: ModelCall["purpose"];
  meter: Meter;
  /** Number of input tokens, estimated from the length of the text. */
  inputTokens: number;
  /**
   * Upper bound of the number of input tokens. It is the number of bytes, because every token has
   * at least one byte, plus a margin for templates and images.
   */
  maxInputTokens: number;
  maxOutputTokens: number;
}

export interface Call {
  spending: Spending;
  /** Returns the error that the caller receives, given the `error` that ended the call. */
  causeOf: (error: unknown) => unknown;
  /**
   * Releases the slot, aborts pending work, and waits until the budget hook has recorded all token
   * use.
   */
  end: () => Promise<void>;
}

export class Calls {
  readonly #slots: FairSlots;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(concurrency: number, timeoutMs: number) {
    this.#slots = new FairSlots(concurrency);
    this.#timeoutMs = timeoutMs;
  }

  /** Waits for a slot. The timeout of the call starts only when it has the slot. */
  async begin(request: CallRequest, signal: AbortSignal): Promise<Call> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const slot = await this.#slots.acquire(stop, request.meter.owner);
    const ended = Promise.withResolvers<void>();
    this.#running.add(ended.promise);
    const own = new AbortController();
    const deadline = startDeadline(this.#timeoutMs, stop, () => this.#tooLate());
    const spending: Spending = {
      ...request,
      uses: [],
      records: [],
      signal: AbortSignal.any([deadline.signal, own.signal]),
      endsAt: deadline.endsAt,
    };
    return {
      spending,
      causeOf: (error) => causeOf(error, spending),
      end: async () => {
        deadline[Symbol.dispose]();
        own.abort(new Error("The call has ended."));
        slot[Symbol.dispose]();
        try {
          await Promise.all(spending.records);
        } finally {
          this.#running.delete(ended.promise);
          ended.resolve();
        }
      },
    };
  }

  /** Ends all calls, including those that wait for a slot, and refuses new ones. */
  async close(): Promise<void> {
    this.#closing.abort(new ModelFailure("unavailable", "The model client is closed."));
    await Promise.all(this.#running);
  }

  #tooLate(): ModelFailure {
    return new ModelFailure("timeout", `The model took longer than ${this.#timeoutMs} ms.`);
  }
}

function causeOf(error: unknown, { signal, meterError }: Spending): unknown {
  if (meterError !== undefined) return meterError;
  if (signal.aborted) return signal.reason;
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ModelFailure) return cause;
  return new ModelFailure("malformed", "The response of the model endpoint can't be read.", { cause: error });
}
