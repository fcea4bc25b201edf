/** Defines the only error type of the model client. */
import type { FallbackJson } from "@sheaf/contract/fallback.ts";

/**
 * Kinds of failure:
 * - unavailable: the endpoint is down, denies access, or asks to wait longer than the time left.
 * - timeout: the call took too long.
 * - malformed: a malformed response, or the endpoint refused the request for its content.
 * - budget: the budget of the tenant is used up.
 */
export type ModelFailureKind = FallbackJson["reason"];

/** The message may be logged: it contains no key, no document text and no model output. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly kind: ModelFailureKind;

  constructor(kind: ModelFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Returns why the built-in engine works without the model. Undefined if `error` is no failure of
 * the model.
 */
export const fallbackReason = (error: unknown): FallbackJson["reason"] | undefined =>
  error instanceof ModelFailure ? error.kind : undefined;
