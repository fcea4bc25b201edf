/**
 * Stored files: documents that are identified by keys instead of paths, so that a bucket can
 * implement the same interface as a folder. A key consists of segments joined by slashes:
 * organization, agent, and a name.
 */
import type { Stats } from "node:fs";
import type { Readable } from "node:stream";

export interface StoredFile {
  key: string;
  /** Time at which the file was stored, in milliseconds since 1970. */
  storedMs: number;
  /**
   * Identifies the bytes on disk. A temporary file and the stored file that was linked from it have
   * the same identity.
   */
  identity: string;
}

/** Returns the identity of a file, as in `StoredFile`. */
export const identityOf = ({ dev, ino }: Pick<Stats, "dev" | "ino">): string => `${dev}:${ino}`;

/** A file in the trash. */
export interface TrashedFile {
  key: string;
  /** Batch with which the file was moved to the trash. */
  batch: string;
}

/**
 * A stored file as a path, for code that cannot read a stream. Do not write to the path. It may no
 * longer exist after disposal.
 */
export interface LocalFile extends AsyncDisposable {
  path: string;
}

export interface StoredFiles {
  /**
   * Stores the content of a local file, which stays in place and must not be changed afterwards.
   * The operation is atomic, and the file is on disk when this resolves. Replaces a file with the
   * same key.
   */
  put(key: string, path: string): Promise<void>;
  /** Rejects if files can't be stored or read at the moment. */
  check(): Promise<void>;
  /**
   * @param range bytes to read; `end` is exclusive
   * @throws an error with code ENOENT if there is no such file, as a rejection or on the stream.
   */
  open(key: string, range?: { start: number; end: number }): Readable;
  local(key: string): Promise<LocalFile>;
  /** Returns the size in bytes; undefined if there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** Does nothing if there is no such file. */
  remove(key: string): Promise<void>;
  /** Removes every file whose key begins with the prefix and a slash. */
  removeAll(prefix: string): Promise<void>;
  /** Yields all files, or those whose key begins with the prefix and a slash, in any order. */
  list(prefix?: string): AsyncIterable<StoredFile>;
  trash: Trash;
}

/** Keeps files that were removed from the store, in batches whose names sort by age. */
export interface Trash {
  /** Moves a stored file to the trash. Does nothing if there is no such file. */
  put(key: string, batch: string): Promise<void>;
  /** Moves a file back unless its key is in use again. Returns whether it was moved. */
  putBack(file: TrashedFile): Promise<boolean>;
  list(): AsyncIterable<TrashedFile>;
  /** Removes the batches whose names sort before `before`. */
  empty(before: string): Promise<void>;
}

const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * Splits a key into its segments.
 * @throws TypeError if the key has segments that this program never creates, such as `..`, because
 * text from a client must not become a key.
 */
export function keySegments(key: string): string[] {
  const segments = key.split("/");
  if (!segments.every((each) => segment.test(each)))
    throw new TypeError(`Not a key of a stored file: ${JSON.stringify(key)}`);
  return segments;
}
