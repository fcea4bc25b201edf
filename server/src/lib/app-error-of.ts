/**
 * Maps errors that the service throws, such as `DatabaseUnavailable`, to errors of the contract's
 * registry.
 */
import { AppError } from "./errors.ts";
import { isTemporaryFailure } from "./temporary-failure.ts";

const cannotStore = "The service cannot read or store data at the moment; try again later.";

export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTemporaryFailure(error))
    return new AppError("agent_unavailable", undefined, { cause: error, message: cannotStore });
  return new AppError("internal_error", undefined, { cause: error });
}
