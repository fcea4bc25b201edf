/** What goes wrong: one class for what the service answers and for what keeps it from answering. */
import type { ErrorDetails, ErrorStatuses } from "./generated/types.ts";

/** The error codes of the service. */
export type ErrorCode = keyof ErrorStatuses;

/**
 * The codes of the client itself:
 * - `connection_failed`: there was no answer; whether the request arrived is not known. Node loses an answer that comes while it still
 *   sends a large file where the other side closes the connection at once
 * - `timed_out`: there was none in time
 * - `unexpected_answer`: what came is no answer of the service, but perhaps of a proxy before it
 * - `ingestion_failed`: a document that was waited for ended in `error`; `detail` is the document
 */
export type ClientErrorCode = "connection_failed" | "timed_out" | "unexpected_answer" | "ingestion_failed";

export interface SheafErrorOptions {
  /** HTTP status; 0 where there was no answer. */
  status?: number;
  detail?: unknown;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * A request that failed. `message` is for people and may change at any time; programs look at `code`.
 * @example
 * catch (error) {
 *   if (error instanceof SheafError && error.is("document_already_exists")) await replace(error.detail.document_reference);
 * }
 */
export class SheafError extends Error {
  override readonly name = "SheafError";
  /** Stable; newer services may have codes that are not listed. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** What `is` tells the type of. */
  readonly detail: unknown;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** When the service asks to try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SheafError["code"], message: string, options: SheafErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 0;
    this.detail = options.detail;
    this.requestId = options.requestId;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** Whether the error has this code; then the type of `detail` is known. */
  is<Code extends ErrorCode | ClientErrorCode>(
    code: Code,
  ): this is SheafError & { code: Code; detail: DetailOf<Code> } {
    return this.code === code;
  }
}

/** The type of `detail` of an error code. */
export type DetailOf<Code extends string> = Code extends keyof ErrorDetails ? ErrorDetails[Code] : unknown;

/** The error that an answer of the service tells. */
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
  // The deprecated stream answers some errors with the bare code.
  if (/^[a-z]+(_[a-z]+)+$/.test(text)) return new SheafError(text, text.replaceAll("_", " "), options);
  return new SheafError("unexpected_answer", `HTTP ${status} without an error of the service.`, options);
}

/** Seconds from now that a `Retry-After` names, as a number or as a date. */
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
