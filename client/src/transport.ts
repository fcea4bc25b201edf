/** Sends requests, with tokens, deadlines, retries and error handling. */
import { Deadline, pause } from "./deadline.ts";
import { errorOf, parseJson, SheafError } from "./errors.ts";
import { answeredEvents, type EventStream, eventsOf } from "./event-stream.ts";
import type { AnswerStream, RequestSpec, Send, UploadOptions } from "./request.ts";
import type { Tokens } from "./tokens.ts";
import { type SendableBody, Upload } from "./upload-body.ts";

export interface TransportSettings {
  /** URL without a trailing slash. */
  baseUrl: string;
  fetch: typeof fetch;
  retries: number;
  timeoutMs: number;
  uploadTimeoutMs: number;
}

/**
 * Delay before the first retry if the service specifies none, in milliseconds. It doubles with each
 * retry.
 */
const firstDelayMs = 500;
const maxDelayMs = 30_000;

export class Transport implements Send {
  readonly #settings: TransportSettings;
  readonly #tokens: Tokens | undefined;

  /**
   * @param tokens if undefined, requests are authenticated by the session cookie that the browser
   * adds
   */
  constructor(settings: TransportSettings, tokens: Tokens | undefined) {
    this.#settings = settings;
    this.#tokens = tokens;
  }

  async answer<T>(request: RequestSpec, options: UploadOptions = {}): Promise<T> {
    return (await this.#read(request, options, jsonOf)) as T;
  }

  bytes(request: RequestSpec, options: UploadOptions = {}): Promise<Uint8Array> {
    return this.#read(request, options, bytesOf);
  }

  /**
   * Sends a request and reads the body of the response. The deadline applies until the body has
   * been read.
   */
  async #read<T>(request: RequestSpec, options: UploadOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const deadline = this.#deadline(request, options);
    try {
      return await read(await this.#respond(request, options, deadline.signal));
    } catch (error) {
      throw deadline.errorOf(error);
    } finally {
      deadline.end();
    }
  }

  /**
   * Sends a request and streams the text of its response. The deadline applies until the text has
   * been read.
   */
  async stream(request: RequestSpec, options: UploadOptions = {}): Promise<AnswerStream> {
    const deadline = this.#deadline(request, options);
    try {
      const response = await this.#respond(request, options, deadline.signal);
      return answerStream(response, deadline);
    } catch (error) {
      deadline.end();
      throw deadline.errorOf(error);
    }
  }

  /**
   * Sends a request and streams the events of its response. The deadline applies until the last
   * event has been read.
   */
  async events<Event>(request: RequestSpec, options: UploadOptions = {}): Promise<EventStream<Event>> {
    const deadline = this.#deadline(request, options);
    try {
      const response = await this.#respond(request, options, deadline.signal);
      return answeredEvents<Event>(eventsOf(textOf(response, deadline)), response);
    } catch (error) {
      deadline.end();
      throw deadline.errorOf(error);
    }
  }

  #deadline(request: RequestSpec, { signal, timeoutMs }: UploadOptions): Deadline {
    const { timeoutMs: usual, uploadTimeoutMs } = this.#settings;
    return new Deadline(timeoutMs ?? (request.upload === undefined ? usual : uploadTimeoutMs), signal);
  }

  /**
   * Returns a success response. Renews a refused token once. Retries failed requests if that may
   * help and they are safe to repeat.
   */
  async #respond(request: RequestSpec, options: UploadOptions, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    const upload = request.upload && (await Upload.open(request.upload, options.onProgress));
    let renewals = upload?.isRepeatable === false ? 0 : 1;
    const isKeyed = request.method === "POST" && !request.anonymous;
    const key = isKeyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isIdempotent = ["GET", "PUT", "DELETE"].includes(request.method) || request.repeatable;
    const isRepeatable = isIdempotent || (isKeyed && upload?.isRepeatable !== false);
    let retries = isRepeatable ? this.#settings.retries : 0;
    for (let delayMs = firstDelayMs; ; ) {
      const token = request.anonymous ? undefined : await this.#tokens?.get(signal);
      const outcome = await this.#attempt(request, { token, key, upload }, signal);
      if (!(outcome instanceof SheafError)) return outcome;
      signal.throwIfAborted();
      if (outcome.status === 401 && token !== undefined) {
        this.#tokens?.forget(token);
        if (renewals-- > 0) continue;
      }
      if (retries-- <= 0 || !mayPass(outcome)) throw outcome;
      const askedMs = (outcome.retryAfterSeconds ?? 0) * 1000;
      if (askedMs > maxDelayMs) throw outcome;
      await pause(Math.max(askedMs, delayMs * (0.5 + Math.random() / 2)), signal);
      delayMs = Math.min(2 * delayMs, maxDelayMs);
    }
  }

  /**
   * Sends one request. Returns a success response, or a SheafError for an error response or a
   * broken connection. Throws errors that the caller caused, such as a file that cannot be read.
   */
  async #attempt(
    request: RequestSpec,
    { token, key, upload }: { token: string | undefined; key: string | undefined; upload: Upload | undefined },
    signal: AbortSignal,
  ): Promise<Response | SheafError> {
    const body = await upload?.body();
    const init = initOf(
      request,
      { ...(token && { "x-api-key": token }), ...(key && { "idempotency-key": key }) },
      body,
    );
    try {
      const response = await this.#settings.fetch(this.#urlOf(request), { ...init, signal });
      body?.answered();
      return response.ok ? response : await errorOf(response);
    } catch (error) {
      if (body?.failure !== undefined) throw body.failure.error;
      return connectionFailed(error);
    } finally {
      body?.close();
    }
  }

  #urlOf({ path, query }: RequestSpec): string {
    const url = this.#settings.baseUrl + path;
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) given.set(name, String(value));
    return given.size === 0 ? url : `${url}?${given}`;
  }
}

/**
 * Returns the options for `fetch`. Redirects are not followed, because they could send the token or
 * the secret to another server.
 */
function initOf({ method, json, form }: RequestSpec, own: Record<string, string>, upload: SendableBody | undefined) {
  const headers: Record<string, string> = {
    accept: "application/json, text/plain, text/event-stream, image/*, application/octet-stream",
    ...own,
  };
  const shared = { method, redirect: "manual" } as const;
  if (upload !== undefined) return { ...shared, ...upload.init, headers: { ...headers, ...upload.init.headers } };
  if (json !== undefined) {
    headers["content-type"] = "application/json";
    return { ...shared, headers, body: JSON.stringify(json) };
  }
  // `fetch` itself sets the content type of a form.
  return {
    ...shared,
    headers,
    ...(form === undefined ? {} : { body: new URLSearchParams(form as Record<string, string>) }),
  };
}

/**
 * Returns whether a retry may help. A 409 with `Retry-After` means that the first request with this
 * idempotency key is still in progress, so a retry may help. Other conflicts, such as a name that
 * is taken, do not resolve themselves.
 */
function mayPass({ code, status, retryAfterSeconds }: SheafError): boolean {
  const isUnderWay = code === "conflict" && retryAfterSeconds !== undefined;
  return status === 429 || status === 503 || code === "connection_failed" || isUnderWay;
}

/** Yields the text of a response as it arrives, and then ends the deadline. */
async function* textOf(response: Response, deadline: Deadline): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  try {
    for (let result = await reader?.read(); result && !result.done; result = await reader?.read()) {
      const text = decoder.decode(result.value, { stream: true });
      if (text !== "") yield text;
    }
  } catch (error) {
    throw deadline.errorOf(connectionFailed(error));
  } finally {
    deadline.end();
    await reader?.cancel().catch(() => {});
  }
}

function answerStream(response: Response, deadline: Deadline): AnswerStream {
  const pieces = textOf(response, deadline);
  return {
    threadId: response.headers.get("x-thread-id") ?? undefined,
    [Symbol.asyncIterator]: () => pieces,
    text: async () => {
      let text = "";
      for await (const piece of pieces) text += piece;
      return text;
    },
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text().catch((error) => {
    throw connectionFailed(error);
  });
  const body = parseJson(text);
  if (body !== undefined) return body;
  const { status, headers } = response;
  const requestId = headers.get("x-request-id") ?? undefined;
  throw new SheafError("unexpected_answer", `HTTP ${status} with a response that is not JSON.`, { status, requestId });
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  const bytes = await response.arrayBuffer().catch((error) => {
    throw connectionFailed(error);
  });
  return new Uint8Array(bytes);
}

function connectionFailed(cause: unknown): SheafError {
  return new SheafError("connection_failed", "The service could not be reached, or the connection broke.", { cause });
}
