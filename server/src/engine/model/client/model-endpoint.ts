/**
 * Makes the HTTP calls to one endpoint: reserves tokens from the budget, retries transient
 * failures, records the tokens used, and classifies failures.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ModelFailure } from "../../engine.ts";
import type { Meter, ModelCall, ModelUse, PlannedCall, Reservation } from "../../meter.ts";
import { ConnectionFailure, isEventStream, type Posted, type Transport } from "./http-transport.ts";
import { asEventStream, maxBytesOf, PassingFailure, passing, type Reconcile, streamed, whole } from "./responses.ts";
import { noUse, type UseBounds, useOfFailure } from "./token-counts.ts";

/** Limits of one client call, and the tokens that it has used so far. */
export interface Spending {
  purpose: ModelCall["purpose"];
  meter: Meter;
  /** Number of input tokens, estimated from the length of the text. */
  inputTokens: number;
  /** Upper bound of the number of input tokens. */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** True if, for the last HTTP call, the budget allowed fewer output tokens than planned. */
  isLimitedByBudget?: boolean;
  /**
   * Maximum number of bytes of a plain JSON response. If absent, it is computed from the output
   * tokens.
   */
  maxJsonBytes?: number;
  /** Token use of each HTTP call that has ended. */
  readonly uses: ModelUse[];
  /** Reports of token use to `meter` that have not been confirmed yet. */
  readonly records: Promise<void>[];
  /** Error that `meter` threw. */
  meterError?: unknown;
  /** Aborts when the caller cancels, when the timeout is reached, or when the call has ended. */
  signal: AbortSignal;
  /** Deadline of the call, as a value of `performance.now()`. */
  endsAt: number;
}

/**
 * Error of an endpoint that rejects the request as it is. The endpoint may accept the request
 * without one of its optional features.
 */
export class Refusal extends ModelFailure {
  readonly status: number;
  /**
   * Text that says why the endpoint refused the request, and usually names the rejected parameter.
   * It may repeat the request, so it must not be logged.
   */
  readonly reason: string;

  constructor(status: number, reason: string) {
    super("malformed", `The model endpoint refused the request (${detailOf(status, reason)}).`);
    this.status = status;
    this.reason = reason;
  }
}

/** Maximum number of retries of one HTTP call after transient failures. Chosen by hand, 2026-11. */
const maxRetries = 3;
/** Maximum number of bytes that are read from an error response. Chosen by hand, 2026-11. */
const maxRefusalBytes = 65_536;

export class ModelEndpoint {
  readonly #name: string;
  readonly #model: string;
  readonly #transport: Transport;
  readonly #backoffMs: number;

  /**
   * @param name name of the endpoint, which is reported to the meter
   * @param backoffMs time before the first retry, doubled for each further retry
   */
  constructor(name: string, model: string, transport: Transport, backoffMs: number) {
    this.#name = name;
    this.#model = model;
    this.#transport = transport;
    this.#backoffMs = backoffMs;
  }

  close(): void {
    this.#transport.close();
  }

  /**
   * Returns a `fetch` function for the AI SDK. The SDK builds the requests and reads the responses.
   * Only successful responses are returned. `onPlainJson` is given if the request asks for a
   * stream. If the endpoint responds with plain JSON instead, `onPlainJson` is called, and the
   * response is converted to a stream.
   */
  fetchFor(spending: Spending, onPlainJson?: () => void): typeof fetch {
    return async (input, init) => {
      const path = new URL(String(input)).pathname;
      const body = Buffer.from(String(init?.body));
      for (let retry = 0; ; retry++) {
        try {
          return await this.#once(path, body, spending, onPlainJson);
        } catch (error) {
          if (!(error instanceof PassingFailure) || retry === maxRetries) throw error;
          await this.#wait(retry, error, spending);
        }
      }
    };
  }

  async #wait(retry: number, failure: PassingFailure, { signal, endsAt }: Spending): Promise<void> {
    const backoffMs = this.#backoffMs * 2 ** retry * (0.5 + Math.random() / 2);
    const waitMs = Math.max(backoffMs, failure.afterMs ?? 0);
    if (performance.now() + waitMs >= endsAt) throw failure;
    await delay(waitMs, undefined, { signal });
  }

  async #once(path: string, planned: Buffer, spending: Spending, onPlainJson?: () => void): Promise<Response> {
    spending.signal.throwIfAborted();
    const reservation = await paid(spending, spending.meter.reserve(this.#planOf(planned, spending), spending.signal));
    const { maxOutputTokens } = reservation;
    spending.isLimitedByBudget = maxOutputTokens < spending.maxOutputTokens;
    const body = spending.isLimitedByBudget ? withOutputLimit(planned, maxOutputTokens) : planned;
    const bounds = { ...boundsOf(spending), maxOutputTokens };
    const reconcile = this.#reconcilerOf(body, spending, reservation);
    let posted: Posted;
    try {
      posted = await this.#transport.post(
        path,
        body,
        maxBytesOf(maxOutputTokens, spending.maxJsonBytes),
        spending.signal,
      );
    } catch (error) {
      // If the request was sent or cancelled, the endpoint may have read it. Its input then counts
      // as used.
      const mayHaveRead = spending.signal.aborted || (error instanceof ConnectionFailure && error.wasSent);
      await reconcile(mayHaveRead ? { ...noUse, inputTokens: spending.inputTokens, estimated: true } : noUse);
      throw spending.signal.aborted ? error : passing(error);
    }
    if (posted.status < 200 || posted.status > 299) {
      const text = await startOf(posted.body);
      await reconcile(useOfFailure(text, bounds));
      throw failureOf(posted, text);
    }
    if (isEventStream(posted.contentType)) return streamed(posted, bounds, spending.signal, reconcile);
    const text = await whole(posted, bounds, spending.signal, reconcile);
    if (onPlainJson === undefined) return new Response(text, { headers: { "content-type": "application/json" } });
    onPlainJson();
    return new Response(asEventStream(text), { headers: { "content-type": "text/event-stream" } });
  }

  #planOf(body: Buffer, spending: Spending): PlannedCall {
    const { purpose, inputTokens, maxInputTokens, maxOutputTokens, endsAt } = spending;
    return {
      ...this.#callOf(body, purpose),
      estimatedInputTokens: inputTokens,
      maxInputTokens,
      maxOutputTokens,
      timeoutMs: Math.max(0, Math.ceil(endsAt - performance.now())),
    };
  }

  #callOf(body: Buffer, purpose: ModelCall["purpose"]): Omit<ModelCall, "use"> {
    const sha256 = createHash("sha256").update(body).digest("hex");
    return { purpose, model: this.#model, endpoint: this.#name, bytes: body.length, sha256 };
  }

  /**
   * Returns a function that reports the token use of one HTTP call to the meter when the call has
   * ended. Calling the function again has no effect.
   */
  #reconcilerOf(body: Buffer, spending: Spending, reservation: Reservation): Reconcile {
    const { purpose, uses, records } = spending;
    const call = this.#callOf(body, purpose);
    let told: Promise<void> | undefined;
    return (use) => {
      if (told !== undefined) return told;
      uses.push(use);
      told = paid(spending, reservation.reconcile({ ...call, use }));
      records.push(told);
      return told;
    };
  }
}

const boundsOf = ({ inputTokens, maxInputTokens, maxOutputTokens }: Spending): UseBounds => ({
  inputTokens,
  maxInputTokens,
  maxOutputTokens,
});

/**
 * Sets the output token limit. Depending on the vendor, its parameter has one of two names. The
 * name that the request already contains is used.
 */
function withOutputLimit(body: Buffer, maxOutputTokens: number): Buffer {
  const request = JSON.parse(body.toString()) as Record<string, unknown>;
  for (const name of ["max_tokens", "max_completion_tokens"]) if (name in request) request[name] = maxOutputTokens;
  return Buffer.from(JSON.stringify(request));
}

/**
 * Stores an error of the meter in `spending`. Libraries in between may wrap the error, but the
 * caller must receive it unchanged.
 */
async function paid<T>(spending: Spending, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    spending.meterError = error;
    throw error;
  }
}

/**
 * HTTP statuses for which a retry is useless: a wrong key, address or model name, or missing
 * payment.
 */
const hopeless: Readonly<Record<number, string>> = {
  401: "rejects the API key",
  402: "requires payment",
  403: "refuses access",
  404: "does not know this URL or model",
  405: "does not know this URL",
};

/**
 * Matches error texts about a missing feature. Some endpoints send them with status 404, 500 or
 * 501.
 */
const lacksAbility = /not support|unsupported|does not support|no endpoints|jinja|grammar|json_schema|response_format/i;

function failureOf(posted: Posted, text: string): ModelFailure {
  const { status } = posted;
  if ((status === 404 || status === 500 || status === 501) && lacksAbility.test(text)) return new Refusal(status, text);
  const detail = detailOf(status, text);
  const problem = status >= 300 && status < 400 ? "responds with a redirect, which is not followed" : hopeless[status];
  if (problem !== undefined) return new ModelFailure("unavailable", `The model endpoint ${problem} (${detail}).`);
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return new PassingFailure(`The model endpoint is temporarily unavailable (${detail}).`, {
      afterMs: waitOf(posted.retryAfter),
    });
  return new Refusal(status, text);
}

/**
 * Returns the status, and the names of the errors that the endpoint reports. Free text is left out,
 * because it may repeat the request or the key.
 */
function detailOf(status: number, body: string): string {
  const names = [...body.matchAll(/"(?:type|code)":\s*"([A-Za-z_]{1,40})"/g)].map(([, name]) => name);
  return [`status ${status}`, ...new Set(names)].join(", ");
}

/**
 * Returns the value of the `Retry-After` header in milliseconds. The header contains a number of
 * seconds or a date.
 */
function waitOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = Number(retryAfter);
  const waitMs = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1_000;
  return Number.isNaN(waitMs) ? undefined : waitMs;
}

async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxRefusalBytes) break;
    }
  } catch {
    // The rest of the body can't be read. The status alone is enough.
  }
  return Buffer.concat(chunks).toString();
}
