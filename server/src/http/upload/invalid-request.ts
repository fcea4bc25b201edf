/** Refusals of an upload body: one place for their shape. */
import { AppError } from "../../lib/errors.ts";

/** A 422 with one issue. `path` is a JSON pointer; empty for the body as a whole. */
export function invalidRequest(path: string, message: string): AppError<"invalid_request"> {
  return new AppError("invalid_request", { issues: [{ path, message }] });
}
