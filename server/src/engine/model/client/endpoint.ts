/** One endpoint: every HTTP call asked for, tried again where that helps, told to whoever pays, and its failures given a kind. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Meter, ModelCall, ModelUse, PlannedCall, Reservation } from "../../meter.ts";
import { ModelFailure } from "./model-failure.ts";
import { asEventStream, maxBytesOf, PassingFailure, passing, type Settle, streamed, whole } from "./responses.ts";
import { noUse, type UseBounds, useOfFailure } from "./tokens.ts";
import { ConnectionFailure, isEventStream, type Posted, type Transport } from "./transport.ts";

/** What one call of the client may spend, and what it has. */
export interface Spending {
  purpose: ModelCall["purpose"];
  meter: Meter;
  /** Estimate by length. */
  inputTokens: number;
  /** Upper bound. */
  maxInputTokens: number;
  maxOutputTokens: number;
  /** The budget allowed fewer output tokens than planned, in the last HTTP call. */
  isLimitedByBudget?: boolean;
  /** Largest response in plain JSON; absent: by the output tokens. */
  maxJsonBytes?: number;
  /** One for each HTTP call that has ended. */
  readonly uses: ModelUse[];
  /** Those that are being told to `meter`. */
  readonly records: Promise<void>[];
  /** What `meter` threw. */
  meterError?: unknown;
  /** Ends with the caller's patience, with the time for the call, or when nobody reads the answer any more. */
  signal: AbortSignal;
  /** `performance.now()` at which the signal ends the call at the latest. */
  endsAt: number;
}

/** The endpoint says that the request can't be answered as it is. */
export class Refusal extends ModelFailure {
  readonly status: number;
  /** What the endpoint says, with the name of the parameter that it minds. It may repeat the request: not for the log. */
  readonly reason: string;

  constructor(status: number, reason: string) {
    super("rubbish", `The model endpoint refused the request (${detailOf(status, reason)}).`);
    this.status = status;
    this.reason = reason;
  }
}

const maxRetries = 3;
const maxRefusalBytes = 65_536;

export class Endpoint {
  readonly #name: string;
  readonly #model: string;
  readonly #transport: Transport;
  readonly #backoffMs: number;

  /** `name`: as whoever pays is told. `backoffMs`: before the first retry; doubled for each further one. */
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
   * Returns a `fetch` for the library that builds requests and reads responses. A response is always a success.
   * `onPlainJson`: the request asks for a stream; a response in plain JSON is reported and turned into one.
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
    const settle = this.#settling(body, spending, reservation);
    let posted: Posted;
    try {
      posted = await this.#transport.post(
        path,
        body,
        maxBytesOf(maxOutputTokens, spending.maxJsonBytes),
        spending.signal,
      );
    } catch (error) {
      // The endpoint may have read a request that was sent or canceled: it counts as if it had.
      const mayHaveRead = spending.signal.aborted || (error instanceof ConnectionFailure && error.wasSent);
      await settle(mayHaveRead ? { ...noUse, inputTokens: spending.inputTokens, estimated: true } : noUse);
      throw spending.signal.aborted ? error : passing(error);
    }
    if (posted.status < 200 || posted.status > 299) {
      const text = await startOf(posted.body);
      await settle(useOfFailure(text, bounds));
      throw failureOf(posted, text);
    }
    if (isEventStream(posted.contentType)) return streamed(posted, bounds, spending.signal, settle);
    const text = await whole(posted, bounds, spending.signal, settle);
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

  /** Reports the end of one HTTP call to the meter, once. */
  #settling(body: Buffer, spending: Spending, reservation: Reservation): Settle {
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

/** The limit has two names, by vendor; the request holds one of them. */
function withOutputLimit(body: Buffer, maxOutputTokens: number): Buffer {
  const request = JSON.parse(body.toString()) as Record<string, unknown>;
  for (const name of ["max_tokens", "max_completion_tokens"]) if (name in request) request[name] = maxOutputTokens;
  return Buffer.from(JSON.stringify(request));
}

/** Libraries in between may wrap an error of the meter; this one has to reach the caller unchanged. */
async function paid<T>(spending: Spending, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    spending.meterError = error;
    throw error;
  }
}

/** The key, the address or the name of the model is wrong: trying again doesn't help. */
const hopeless: Readonly<Record<number, string>> = {
  401: "doesn't take the key",
  402: "wants to be paid",
  403: "refuses access",
  404: "knows no such address or model",
  405: "knows no such address",
};

/** What endpoints say that can't do something with status 404 or 500. */
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

/** The status with the names that the endpoint gives to the error. What it says in words may repeat the request, or the key. */
function detailOf(status: number, body: string): string {
  const names = [...body.matchAll(/"(?:type|code)":\s*"([A-Za-z_]{1,40})"/g)].map(([, name]) => name);
  return [`status ${status}`, ...new Set(names)].join(", ");
}

/** Retry-After in milliseconds: seconds, or a date. */
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
    // The status says enough.
  }
  return Buffer.concat(chunks).toString();
}
