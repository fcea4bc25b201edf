/** The one error of the model client. */
import type { FallbackJson } from "@sheaf/contract/fallback.ts";

/**
 * unavailable: the endpoint is down, refuses the caller or asks to come back later than there is time. timeout: it took too long. rubbish: it
 * answered with what can't be used, or refused the request for what it is. budget: who pays has nothing left.
 */
export type ModelFailureKind = "unavailable" | "timeout" | "rubbish" | "budget";

/** The message is for the log: it holds no key, nothing of the document and nothing that the model said. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly kind: ModelFailureKind;

  constructor(kind: ModelFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const reasons: Readonly<Record<ModelFailureKind, FallbackJson["reason"]>> = {
  unavailable: "unavailable",
  timeout: "timeout",
  rubbish: "malformed",
  budget: "budget",
};

/** Returns why the built-in engine has to do without the model; undefined if `error` is no failure of the model. */
export const fallbackReason = (error: unknown): FallbackJson["reason"] | undefined =>
  error instanceof ModelFailure ? reasons[error.kind] : undefined;
