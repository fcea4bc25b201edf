/** Types shared by the client's methods and its transport. */
import type { EventStream } from "./event-stream.ts";
import type { FileSource } from "./file-source.ts";

export interface RequestOptions {
  /** Aborts the request, which then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum time for the request including its retries, in milliseconds. Default: the timeout of
   * the client. `Infinity` for no limit.
   */
  timeoutMs?: number | undefined;
  /**
   * Makes a POST safe to repeat: for a day, the same request with the same key is executed only
   * once and gets the same response. By default each call has its own key, so that the client can
   * retry it. Pass a key to repeat calls safely after a restart of your program.
   */
  idempotencyKey?: string | undefined;
}

/**
 * Called while files are sent. `sentBytes` is the number of bytes of the files that were handed to
 * the network so far. `totalBytes` is `undefined` for a stream of unknown length. `sentBytes`
 * restarts if the file is sent again because the token had expired. Browsers do not report
 * progress, so there it is called once, at the end.
 */
export type Progress = (sentBytes: number, totalBytes: number | undefined) => void;

export interface UploadOptions extends RequestOptions {
  onProgress?: Progress | undefined;
}

/** A file of an upload, as the caller passes it. */
export interface NamedFile {
  filename?: string;
  file: FileSource;
}

/** A body with one or several files, as the caller passes it. */
export type UploadBody = NamedFile | { files: readonly NamedFile[] };

/** A request with at most one of `json`, `form` and `upload`. */
export interface RequestSpec {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path with its parameters filled in. */
  path: string;
  /** True if the request is sent without a token. */
  anonymous?: true;
  /** True for a POST that changes nothing, so that it is retried like a GET. */
  repeatable?: true;
  query?: object;
  json?: object;
  form?: object;
  upload?: UploadBody;
}

/** Streamed text. It can be read once, by iteration or with `text()`. */
export interface AnswerStream extends AsyncIterable<string> {
  /** Thread of the conversation. Pass it to continue the conversation. */
  threadId: string | undefined;
  /** Returns the whole text. */
  text(): Promise<string>;
}

export interface Send {
  /** Returns the parsed body of the response. */
  answer<T>(request: RequestSpec, options?: UploadOptions): Promise<T>;
  stream(request: RequestSpec, options?: UploadOptions): Promise<AnswerStream>;
  /** Returns the events of the response. Resolves as soon as the response begins. */
  events<Event>(request: RequestSpec, options?: UploadOptions): Promise<EventStream<Event>>;
  bytes(request: RequestSpec, options?: UploadOptions): Promise<Uint8Array>;
}

/**
 * Encodes a path parameter. Refuses `.`, `..` and empty values, which would lead to a different
 * path.
 */
export function segment(value: string): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value))
    throw new TypeError(`A reference in a path must be a non-empty string, not ${JSON.stringify(value)}.`);
  return encodeURIComponent(value);
}
