/** Sends the files of a watched folder to a service over the HTTP API. */
import { setTimeout as sleep } from "node:timers/promises";
import { SheafClient, SheafError, SheafSessionClient } from "@sheaf/client";
import { accessIn } from "@sheaf/mcp";
import type { Outcome } from "./watch-outcomes.ts";

/** First pause between two requests for the state of a file, in milliseconds. The pauses grow. */
const firstPollMs = 250;
const maxPollMs = 5_000;
/**
 * Delay before the first retry, in milliseconds, if the service does not state a longer one. It
 * doubles with each retry.
 */
const firstWaitMs = 1_000;
const maxWaitMs = 60_000;
/** Delay before a retry if a quota is used up, in milliseconds. */
const quotaWaitMs = 600_000;
/** Maximum number of retries after an internal error, which the file itself may cause. */
const maxInternalErrors = 5;
/**
 * Maximum number of times that a file is sent again because the service no longer knows its id, for
 * instance after a restore.
 */
const maxForgotten = 3;

export interface SendOptions {
  url: string;
  agent: string;
  /** True to upload the files to a corpus, false to extract from them. */
  corpus: boolean;
  evidence: boolean;
  /** Aborts all requests and all delays. */
  signal: AbortSignal;
  say: (message: string) => void;
}

/** An error that prevents all files from being processed, such as a wrong credential. */
export class UnusableServiceError extends Error {}

const unusable = [
  "unauthorized",
  "invalid_client",
  "forbidden",
  "agent_not_found",
  "invalid_agent_type",
  "invalid_config",
];

export class WatchedService {
  readonly #client: SheafClient | SheafSessionClient;
  readonly #options: SendOptions;
  /** No request is sent before this time, which is compared with `performance.now()`. */
  #busyUntil = 0;

  constructor(options: SendOptions) {
    this.#options = options;
    this.#client = clientFor(options.url);
  }

  /** Waits until the service is available, and checks that the agent has the right type. */
  async check(): Promise<void> {
    const { agent, corpus } = this.#options;
    const wanted = corpus ? "DOCUMENTALIST" : "EXTRACTOR";
    const { data } = await this.#patiently(() => this.#client.getAgent(agent, this.#request));
    if (data.type !== wanted)
      throw new UnusableServiceError(
        `The agent ${agent} is of type ${data.type}. ${corpus ? "A corpus belongs to a documentalist." : "Use an extractor, or --corpus."}`,
      );
  }

  /**
   * Sends a file, and waits for its outcome however long the service is busy.
   * @param keyFor returns the idempotency key. Its arguments are the version of the agent, and the
   * ids that the service no longer knows
   * @throws UnusableServiceError; any error from reading the file; the reason of the signal
   */
  async process(file: { path: string; filename: string }, keyFor: (...of: string[]) => string): Promise<Outcome> {
    const forgotten: string[] = [];
    for (;;) {
      try {
        const version = await this.#patiently(() => this.#agentVersion());
        const id = await this.#patiently(() => this.#start(file, keyFor(version, ...forgotten)));
        const outcome = await this.#follow(id);
        if (outcome !== undefined || forgotten.push(id) > maxForgotten) return outcome ?? lost;
      } catch (error) {
        if (!(error instanceof SheafError)) throw error;
        const { code, message, detail } = error;
        return { status: "error", code, error: message, ...(detail !== undefined && { detail }) };
      }
    }
  }

  /**
   * Returns the part of the idempotency key that stands for the version of the agent. If the fields
   * change and a file is put into the folder again, the key differs, so the file is extracted
   * again.
   */
  async #agentVersion(): Promise<string> {
    const { agent, corpus } = this.#options;
    return corpus ? "" : (await this.#client.getAgent(agent, this.#request)).data.updated_at;
  }

  async #start({ path, filename }: { path: string; filename: string }, idempotencyKey: string): Promise<string> {
    const { agent, corpus, evidence } = this.#options;
    const body = { file: { path }, filename };
    const request = { ...this.#request, idempotencyKey };
    if (corpus) return (await this.#client.uploadDocument(agent, body, request)).data.document_reference;
    const include = evidence ? (["evidence"] as const) : [];
    return (await this.#client.startExtractionWithAgent(agent, { ...body, include }, request)).extract_id;
  }

  /**
   * Polls until the service has processed the file. Returns undefined if the service does not know
   * the id.
   */
  async #follow(id: string): Promise<Outcome | undefined> {
    for (let pauseMs = firstPollMs; ; pauseMs = Math.min(1.5 * pauseMs, maxPollMs)) {
      const outcome = await this.#patiently(() => this.#look(id)).catch((error: unknown) => {
        if (error instanceof SheafError && error.status === 404) return "unknown" as const;
        throw error;
      });
      if (outcome === "unknown") return undefined;
      if (outcome !== undefined) return outcome;
      await sleep(pauseMs, undefined, this.#request);
    }
  }

  /** Returns the outcome; undefined while the file is being processed. */
  async #look(id: string): Promise<Outcome | undefined> {
    const { agent, corpus } = this.#options;
    if (!corpus) {
      const outcome = await this.#client.getExtraction(id, this.#request);
      return outcome.status === "started" ? undefined : { ...outcome };
    }
    const { data } = await this.#client.getDocument(agent, id, this.#request);
    if (data.status === "pending") return undefined;
    if (data.status === "ready") return { status: "success", data };
    return { status: "error", code: "ingestion_failed", error: "The document could not be read.", detail: data };
  }

  get #request(): { signal: AbortSignal } {
    return { signal: this.#options.signal };
  }

  /** Repeats a request until it succeeds or fails permanently. */
  async #patiently<T>(request: () => Promise<T>): Promise<T> {
    for (let waitMs = firstWaitMs, internalErrors = 0; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
      await this.#untilFree();
      try {
        return await request();
      } catch (error) {
        this.#options.signal.throwIfAborted();
        if (!(error instanceof SheafError)) throw error;
        if (unusable.includes(error.code)) throw new UnusableServiceError(`${error.message} (${error.code})`);
        if (error.status === 500 && ++internalErrors > maxInternalErrors) throw error;
        if (!isTemporary(error)) throw error;
        const statedMs = error.code === "quota_exceeded" ? quotaWaitMs : (error.retryAfterSeconds ?? 0) * 1000;
        this.#pause(Math.max(waitMs, statedMs), error);
      }
    }
  }

  async #untilFree(): Promise<void> {
    for (let leftMs = this.#busyUntil - performance.now(); leftMs > 0; leftMs = this.#busyUntil - performance.now())
      await sleep(leftMs, undefined, this.#request);
  }

  /**
   * Postpones all requests. Reports this only once, even if several requests fail at the same time.
   */
  #pause(ms: number, { message, code }: SheafError): void {
    const until = performance.now() + ms;
    if (this.#busyUntil < performance.now())
      this.#options.say(`${message} (${code}) Retrying in ${Math.ceil(ms / 1000)} s.`);
    this.#busyUntil = Math.max(this.#busyUntil, until);
  }
}

const lost: Outcome = {
  status: "error",
  code: "not_found",
  error: "The service accepted the file, but no longer has a record of it.",
};

function isTemporary({ code, status, retryAfterSeconds }: SheafError): boolean {
  const isUnderWay = code === "conflict" && retryAfterSeconds !== undefined;
  return status === 0 || status === 429 || status >= 500 || isUnderWay || code === "quota_exceeded";
}

/** Returns a client that uses the credential or token in the environment variables. */
function clientFor(baseUrl: string): SheafClient | SheafSessionClient {
  const given = accessIn(process.env);
  if (given === undefined)
    throw new Error("Set SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET, or SHEAF_TOKEN, to use a running service.");
  // Disables the client's own retries. Requests are retried in this class instead, which can report
  // the delays.
  const shared = { baseUrl, retries: 0 };
  if (!("token" in given)) return new SheafClient({ ...shared, ...given });
  const withToken: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), "x-api-key": given.token } });
  return new SheafSessionClient({ ...shared, fetch: withToken });
}
