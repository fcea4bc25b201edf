/**
 * Temporary failures of the machine: database or stored files are unavailable, or a disk is full or
 * failing.
 */
import { DatabaseUnavailable } from "./database-unavailable.ts";
import { FilesUnavailable } from "./files-unavailable.ts";

/**
 * Codes of file errors that the request did not cause: no space, quota exceeded, disk failure, too
 * many open files.
 */
const fileErrors = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "ESTALE"]);

/**
 * Matches the error numbers of `fileErrors` in messages of the search index, which reports errors
 * only as text.
 */
const indexErrors = /\(os error (28|122|5|30|24|23|12|116)\)/;

/** Maximum number of `cause` links that are followed from an error. */
const maxDepth = 5;

/** Returns whether the same request may succeed once the machine has recovered. */
export function isTemporaryFailure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false;
  if (error instanceof DatabaseUnavailable || error instanceof FilesUnavailable) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined && fileErrors.has(code)) return true;
  return indexErrors.test(error.message) || isTemporaryFailure(error.cause, depth + 1);
}
