/** Failures of the machine below the service that pass with time: the database is away, or a disk is full or fails. */
import { DatabaseUnavailable } from "../lib/database-unavailable.ts";

/** Errors of files that say nothing about the request: no room, no quota, a disk that fails, too many open files. */
const fileErrors = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "ESTALE"]);

/** The same from the search index, whose errors are text. */
const indexErrors = /\(os error (28|122|5|30|24|23|12|116)\)/;

/** Maximum depth of causes that are looked at. */
const maxDepth = 5;

/** Returns whether the same request may succeed once the operator, or time, has mended the machine. */
export function isTemporaryFailure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false;
  if (error instanceof DatabaseUnavailable) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined && fileErrors.has(code)) return true;
  return indexErrors.test(error.message) || isTemporaryFailure(error.cause, depth + 1);
}
