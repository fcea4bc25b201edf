/** The one error of the model client. */

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

export const isOutOfBudget = (error: unknown): boolean => error instanceof ModelFailure && error.kind === "budget";
