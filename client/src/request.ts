/** Types shared by the client's methods and its transport. */
import type { EventStream } from "./event-stream.ts";
import type { FileSource } from "./file-source.ts";

export interface RequestOptions {
  /** Aborts the request, which then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum time for the request including its retries, in milliseconds. Default: that of the
   * client. `Infinity`: none.
   */
  timeoutMs?: number | undefined;
  /**
   * Makes a POST safe to repeat: the same request with the same key is done once and gets the same
   * response, for a day. By default each call has its own key, which makes its retries safe. Pass
   * one to be safe across restarts of your program.
   */
  idempotencyKey?: string | undefined;
}

/**
 * Called as the file is sent, with the bytes handed to the network and the total, which is
 * `undefined` for a stream of unknown length. Restarts if the file is sent again because the token
 * had expired. On platforms that do not report progress (browsers), it is called once, at the end.
 */
export type Progress = (sentBytes: number, totalBytes: number | undefined) => void;

export interface UploadOptions extends RequestOptions {
  onProgress?: Progress | undefined;
}

/** A body with a file, as passed by a caller. */
export interface UploadBody {
  filename?: string;
  file: FileSource;
}

/** A request with at most one of `json`, `form` and `upload`. */
export interface RequestSpec {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path with its parameters filled in. */
  path: string;
  /** Send without a token. */
  anonymous?: true;
  /** Retry like a GET: the request changes nothing. */
  repeatable?: true;
  query?: object;
  json?: object;
  form?: object;
  upload?: UploadBody;
}

/** Streamed text. It can be read once, by iteration or with `text()`. */
export interface AnswerStream extends AsyncIterable<string> {
  /** Thread of the conversation, to continue it. */
  threadId: string | undefined;
  /** Returns the whole text. */
  text(): Promise<string>;
}

export interface Send {
  /** Returns the parsed body of the response. */
  answer<T>(request: RequestSpec, options?: UploadOptions): Promise<T>;
  stream(request: RequestSpec, options?: UploadOptions): Promise<AnswerStream>;
  /** Resolves when the response has begun. */
  events<Event>(request: RequestSpec, options?: UploadOptions): Promise<EventStream<Event>>;
  bytes(request: RequestSpec, options?: UploadOptions): Promise<Uint8Array>;
}

/**
 * Encodes a path parameter. Refuses `.`, `..` and empty values, which a URL parser would interpret
 * as steps in the hierarchy.
 */
export function segment(value: string): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value))
    throw new TypeError(`A reference in a path must be a non-empty string, not ${JSON.stringify(value)}.`);
  return encodeURIComponent(value);
}
