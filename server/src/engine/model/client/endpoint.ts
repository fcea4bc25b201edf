/** One endpoint: every HTTP call asked for, tried again where that helps, told to whoever pays, and its failures given a kind. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Meter, ModelCall, ModelUse } from "../model-client.ts";
import { ModelFailure } from "./model-failure.ts";
import { noUse, StreamedUse, useOfAnswer } from "./tokens.ts";
import type { Posted, Transport } from "./transport.ts";

/** What one call of the client may spend, and what it has. */
export interface Spending {
  purpose: ModelCall["purpose"];
  meter: Meter;
  /** Estimates, for admission and for endpoints that tell nothing. */
  inputTokens: number;
  maxOutputTokens: number;
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

/** May have gone by in a moment. */
class PassingFailure extends ModelFailure {
  readonly afterMs: number | undefined;

  constructor(message: string, options: { afterMs?: number | undefined; cause?: unknown } = {}) {
    super("unavailable", message, { cause: options.cause });
    this.afterMs = options.afterMs;
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

  /** In the form of `fetch`, for what builds the requests and reads the answers. A response is always a success. */
  fetchFor(spending: Spending): typeof fetch {
    return async (input, init) => {
      const path = new URL(String(input)).pathname;
      const body = Buffer.from(String(init?.body));
      for (let retry = 0; ; retry++) {
        try {
          return await this.#once(path, body, spending);
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

  async #once(path: string, body: Buffer, spending: Spending): Promise<Response> {
    spending.signal.throwIfAborted();
    await paid(spending, spending.meter.admit(spending.inputTokens + spending.maxOutputTokens));
    const settle = this.#settling(body, spending);
    let posted: Posted;
    try {
      posted = await this.#transport.post(path, body, spending.signal);
    } catch (error) {
      // A request that was given up may have been read: it counts as if it had been.
      await settle(spending.signal.aborted ? { ...noUse, inputTokens: spending.inputTokens, estimated: true } : noUse);
      throw spending.signal.aborted ? error : passing(error);
    }
    if (posted.status < 200 || posted.status > 299) {
      const text = await startOf(posted.body).finally(() => settle(noUse));
      throw failureOf(posted, text);
    }
    return posted.contentType.startsWith("text/event-stream")
      ? streamed(posted, spending, settle)
      : await whole(posted, spending, settle);
  }

  /** Tells whoever pays of one HTTP call, once. */
  #settling(body: Buffer, spending: Spending): Settle {
    const { purpose, meter, uses, records } = spending;
    const sha256 = createHash("sha256").update(body).digest("hex");
    const call = { purpose, model: this.#model, endpoint: this.#name, bytes: body.length, sha256 };
    let told: Promise<void> | undefined;
    return (use) => {
      if (told !== undefined) return told;
      uses.push(use);
      told = paid(spending, meter.record({ ...call, use }));
      records.push(told);
      return told;
    };
  }
}

type Settle = (use: ModelUse) => Promise<void>;

/** The libraries in between may wrap an error; this one has to reach the caller as it is. */
async function paid(spending: Spending, asked: Promise<void>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    spending.meterError = error;
    throw error;
  }
}

async function whole(posted: Posted, spending: Spending, settle: Settle): Promise<Response> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of posted.body) chunks.push(chunk);
  } catch (error) {
    await settle(useOfAnswer(Buffer.concat(chunks).toString(), spending.inputTokens));
    throw spending.signal.aborted ? error : passing(error);
  }
  const text = Buffer.concat(chunks).toString();
  await settle(useOfAnswer(text, spending.inputTokens));
  return new Response(text, { headers: { "content-type": "application/json" } });
}

function streamed(posted: Posted, { inputTokens, signal }: Spending, settle: Settle): Response {
  const counted = new StreamedUse(inputTokens);
  // Whoever stops reading may never ask for the end. The rejection is seen by those who wait for the records.
  const stop = (): void => void settle(counted.use).catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  async function* passedOn(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of posted.body) {
        counted.push(chunk);
        yield chunk;
      }
    } catch (error) {
      throw passing(error);
    } finally {
      await settle(counted.use);
    }
  }
  return new Response(ReadableStream.from(passedOn()) as ReadableStream<Uint8Array>, {
    headers: { "content-type": "text/event-stream" },
  });
}

/** An error of the connection; a ModelFailure stays what it is. */
function passing(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new PassingFailure(`No connection to the model endpoint${code === undefined ? "" : ` (${code})`}.`, {
    cause: error,
  });
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
