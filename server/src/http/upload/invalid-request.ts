/** Creates the errors that refuse a request because of its body. */
import { AppError } from "../../lib/errors.ts";

/** @param path JSON pointer to the member; empty for the body as a whole */
export function invalidRequest(path: string, message: string): AppError<"invalid_request"> {
  return new AppError("invalid_request", { issues: [{ path, message }] });
}
