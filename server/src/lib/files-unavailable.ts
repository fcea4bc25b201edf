/** The error for a file store that is temporarily unavailable, as opposed to a missing file. */

/** The file store did not respond, refused a request, or interrupted a transfer. */
export class FilesUnavailable extends Error {
  override readonly name = "FilesUnavailable";

  /** @param place the store, as in `s3://bucket/prefix` */
  constructor(place: string, options: { cause: unknown }) {
    const { cause } = options;
    super(`The stored files in ${place} are not available: ${cause instanceof Error ? cause.message : cause}`, options);
  }
}

/** Maximum number of `cause` links that are followed from an error. */
const maxDepth = 5;

/**
 * Returns whether the work failed only because stored files were unavailable, so that the work
 * itself is not to blame.
 */
export const isFilesUnavailable = (error: unknown, depth = 0): boolean =>
  error instanceof FilesUnavailable ||
  (error instanceof Error && depth < maxDepth && isFilesUnavailable(error.cause, depth + 1));
