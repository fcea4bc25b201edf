/** What the methods of the client and what sends their requests agree on. */
import type { FileSource } from "./file-source.ts";

export interface RequestOptions {
  /** Ends the request; it then fails with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Time for the request with all its retries, in milliseconds; else that of the client. `Infinity`: none. */
  timeoutMs?: number | undefined;
  /**
   * Of a POST: the same request with the same key is done once, and answered the same, for a day. Without it each call has a key of its
   * own, so that its retries are safe; give one to be safe across restarts of your program.
   */
  idempotencyKey?: string | undefined;
}

/**
 * Told as the file goes out: bytes of the file handed to the network, and bytes of the file, `undefined` for a stream of unknown
 * length. Begins anew when the file is sent again because the token had expired. Where the platform doesn't tell how far it is (a
 * browser), it is called once, at the end.
 */
export type Progress = (sentBytes: number, totalBytes: number | undefined) => void;

export interface UploadOptions extends RequestOptions {
  onProgress?: Progress | undefined;
}

/** A body with a file, as a caller gives it. */
export interface UploadBody {
  filename?: string;
  file: FileSource;
}

/** A request: at most one of `json`, `form` and `upload`. */
export interface RequestSpec {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With its parameters filled in. */
  path: string;
  /** Sent without a token. */
  anonymous?: true;
  /** Changes nothing, although it is no GET: tried again like one. */
  repeatable?: true;
  query?: object;
  json?: object;
  form?: object;
  upload?: UploadBody;
}

/** Text as it comes. It can be read once, by iteration or by `text()`. */
export interface AnswerStream extends AsyncIterable<string> {
  /** The thread of the conversation, to go on with. */
  threadId: string | undefined;
  /** All of it. */
  text(): Promise<string>;
}

export interface Send {
  /** The body of the answer, parsed. */
  answer<T>(request: RequestSpec, options?: UploadOptions): Promise<T>;
  stream(request: RequestSpec, options?: UploadOptions): Promise<AnswerStream>;
}

/** A parameter of a path. What a URL parser would take for a step in the hierarchy is no reference of anything. */
export function segment(value: string): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value))
    throw new TypeError(`A reference in a path must be text, and not ${JSON.stringify(value)}.`);
  return encodeURIComponent(value);
}
