/** The error class for error responses of the service, and for requests without a response. */
import type { ErrorDetails, ErrorStatuses } from "./generated/types.ts";

/** The error codes of the service. */
export type ErrorCode = keyof ErrorStatuses;

/**
 * Codes of errors that the client itself detects:
 * - `connection_failed`: there was no response, and it is unknown whether the request arrived. Node
 *   also loses the response if the service closes the connection while a large file is being sent
 * - `timed_out`: there was no response in time
 * - `unexpected_answer`: the response is not from the service, but perhaps from a proxy in front of
 *   it
 * - `ingestion_failed`: the document that the client waited for has the status `error`; `detail` is
 *   the document
 */
export type ClientErrorCode = "connection_failed" | "timed_out" | "unexpected_answer" | "ingestion_failed";

export interface SheafErrorOptions {
  /** HTTP status; 0 if there was no response. */
  status?: number;
  detail?: unknown;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * A failed request. `message` is for people and may change at any time; programs should use `code`.
 * @example
 * catch (error) {
 *   if (error instanceof SheafError && error.is("document_already_exists"))
 *     await replace(error.detail.document_reference);
 * }
 */
export class SheafError extends Error {
  override readonly name = "SheafError";
  /** Stable code of the error. Newer services may return codes that are not listed here. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Details of the error; `is` narrows the type. */
  readonly detail: unknown;
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Value of the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SheafError["code"], message: string, options: SheafErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 0;
    this.detail = options.detail;
    this.requestId = options.requestId;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** Returns whether the error has this code, and narrows the type of `detail`. */
  is<Code extends ErrorCode | ClientErrorCode>(
    code: Code,
  ): this is SheafError & { code: Code; detail: DetailOf<Code> } {
    return this.code === code;
  }
}

/** Type of `detail` for an error code. */
export type DetailOf<Code extends string> = Code extends keyof ErrorDetails ? ErrorDetails[Code] : unknown;

/** Returns the error that a response reports. */
export async function errorOf(response: Response): Promise<SheafError> {
  const { status, headers } = response;
  const text = await response.text();
  const options = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: secondsOf(headers.get("retry-after")),
  };
  const envelope = parseJson(text);
  if (isRecord(envelope) && typeof envelope.code === "string")
    return new SheafError(envelope.code, String(envelope.error ?? envelope.code), {
      ...options,
      detail: envelope.detail,
    });
  // The deprecated stream responds to some errors with only the code, as plain text.
  if (/^[a-z]+(_[a-z]+)+$/.test(text)) return new SheafError(text, text.replaceAll("_", " "), options);
  return new SheafError("unexpected_answer", `HTTP ${status} without an error envelope of the service.`, options);
}

/** Parses a `Retry-After` header, a number or a date, into seconds from now. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const time = Date.parse(retryAfter);
  return Number.isNaN(time) ? undefined : Math.max(0, (time - Date.now()) / 1000);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
