/**
 * The error that features throw. It has an error code from the contract's registry, the detail that
 * this code defines, and a cause for the log.
 */
import { type DetailOf, type ErrorCode, errors } from "@sheaf/contract/errors.ts";

export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "AppError";
  readonly code: C;
  readonly detail: DetailOf<C> | undefined;
  /** Value of the Retry-After header, in seconds; undefined for the default of the code. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: C,
    detail?: DetailOf<C>,
    options?: { cause?: unknown; message?: string; retryAfterSeconds?: number },
  ) {
    super(
      options?.message ?? errors[code].message,
      options?.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}
