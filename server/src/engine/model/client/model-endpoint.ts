/**
 * Sends HTTP calls to one endpoint: reserves budget, retries transient failures, records the use,
 * and classifies failures.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ModelFailure } from "../../engine.ts";
import type { Meter, ModelCall, ModelUse, PlannedCall, Reservation } from "../../meter.ts";
import { ConnectionFailure, isEventStream, type Posted, type Transport } from "./http-transport.ts";
import { asEventStream, maxBytesOf, PassingFailure, passing, type Reconcile, streamed, whole } from "./responses.ts";
import { noUse, type UseBounds, useOfFailure } from "./token-counts.ts";

/** Limits and totals of one call of the client. */
export interface Spending {
  purpose: ModelCall["purpose"];
  meter: Meter;
  /** Input tokens, estimated by length. */
  inputTokens: number;
  /** Upper bound of the input tokens. */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** True if the budget allowed fewer output tokens than planned for the last HTTP call. */
  isLimitedByBudget?: boolean;
  /** Maximum bytes of a plain JSON response. If absent, derived from the output tokens. */
  maxJsonBytes?: number;
  /** Token use of each HTTP call that has ended. */
  readonly uses: ModelUse[];
  /** Pending reports of token use to `meter`. */
  readonly records: Promise<void>[];
  /** Error that `meter` threw. */
  meterError?: unknown;
  /** Aborts when the caller cancels, at the timeout, and when the call has ended. */
  signal: AbortSignal;
  /** Latest time at which the call ends, as a value of `performance.now()`. */
  endsAt: number;
}

/** Thrown if the endpoint refuses the request in its present form. */
export class Refusal extends ModelFailure {
  readonly status: number;
  /**
   * The endpoint's explanation, with the name of the parameter that it rejects. It may repeat the
   * request, so it must not be logged.
   */
  readonly reason: string;

  constructor(status: number, reason: string) {
    super("malformed", `The model endpoint refused the request (${detailOf(status, reason)}).`);
    this.status = status;
    this.reason = reason;
  }
}

/** Maximum retries of one HTTP call after transient failures. Chosen by hand, 2026-11. */
const maxRetries = 3;
/** Maximum bytes read of an error response. Chosen by hand, 2026-11. */
const maxRefusalBytes = 65_536;

export class ModelEndpoint {
  readonly #name: string;
  readonly #model: string;
  readonly #transport: Transport;
  readonly #backoffMs: number;

  /**
   * `name`: endpoint name that is reported to the meter. `backoffMs`: backoff before the first
   * retry, doubled for each further one.
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
   * Returns a `fetch` for the AI SDK, which builds requests and reads responses. Returned responses
   * are always successful. `onPlainJson` is set if the request asks for a stream. It is called when
   * the endpoint responds in plain JSON, which is then converted to a stream.
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
      // The endpoint may have read a request that was sent or canceled, so the input of that
      // request counts as used.
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

  /** Returns a function that reports the end of one HTTP call to the meter, once. */
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
 * Sets the output limit under the one of its two names that the request uses. Vendors differ in the
 * name.
 */
function withOutputLimit(body: Buffer, maxOutputTokens: number): Buffer {
  const request = JSON.parse(body.toString()) as Record<string, unknown>;
  for (const name of ["max_tokens", "max_completion_tokens"]) if (name in request) request[name] = maxOutputTokens;
  return Buffer.from(JSON.stringify(request));
}

/**
 * Keeps an error of the meter, which must reach the caller unchanged, although libraries in between
 * may wrap it.
 */
async function paid<T>(spending: Spending, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    spending.meterError = error;
    throw error;
  }
}

/** Statuses that no retry can fix: a wrong key, address or model name, or missing payment. */
const hopeless: Readonly<Record<number, string>> = {
  401: "doesn't take the key",
  402: "wants to be paid",
  403: "refuses access",
  404: "knows no such address or model",
  405: "knows no such address",
};

/**
 * Matches error texts about a missing feature, with which some endpoints respond 404, 500 or 501.
 */
const lacksAbility = /not support|unsupported|does not support|no endpoints|jinja|grammar|json_schema|response_format/i;

function failureOf(posted: Posted, text: string): ModelFailure {
  const { status } = posted;
  if ((status === 404 || status === 500 || status === 501) && lacksAbility.test(text)) return new Refusal(status, text);
  const detail = detailOf(status, text);
  const problem = status >= 300 && status < 400 ? "redirects, which isn't followed" : hopeless[status];
  if (problem !== undefined) return new ModelFailure("unavailable", `The model endpoint ${problem} (${detail}).`);
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return new PassingFailure(`The model endpoint can't answer now (${detail}).`, {
      afterMs: waitOf(posted.retryAfter),
    });
  return new Refusal(status, text);
}

/**
 * Returns the status with the error names that the endpoint reports. Its free text may repeat the
 * request or the key, so it is left out.
 */
function detailOf(status: number, body: string): string {
  const names = [...body.matchAll(/"(?:type|code)":\s*"([A-Za-z_]{1,40})"/g)].map(([, name]) => name);
  return [`status ${status}`, ...new Set(names)].join(", ");
}

/** Returns Retry-After in milliseconds. The header is a number of seconds or a date. */
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
    // The rest of the body can't be read. The status is enough.
  }
  return Buffer.concat(chunks).toString();
}
