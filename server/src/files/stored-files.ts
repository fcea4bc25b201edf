/**
 * Stored files: what is kept of documents, under keys and not paths, so that a bucket can stand behind the same interface as a folder.
 * A key is made of segments joined by slashes: organization, agent, and a name.
 */
import type { Stats } from "node:fs";
import type { Readable } from "node:stream";

export interface StoredFile {
  key: string;
  /** When it was stored, in milliseconds since 1970. */
  storedMs: number;
  /** Identifies the bytes on the disk. A stored file that was linked from a temporary file has the identity of that. */
  identity: string;
}

/** The identity of a file as `StoredFile` has it. */
export const identityOf = ({ dev, ino }: Pick<Stats, "dev" | "ino">): string => `${dev}:${ino}`;

/** A file in the trash. */
export interface TrashedFile {
  key: string;
  /** What it was moved there with. */
  batch: string;
}

/** A stored file as a path, for what can't read a stream; the path is not to be written to, and gone with the disposal. */
export interface LocalFile extends AsyncDisposable {
  path: string;
}

export interface StoredFiles {
  /**
   * Stores the content of a local file, which stays where it is and must not be changed any more. All or nothing, and on the disk when
   * it resolves. A file that is there under the key is replaced.
   */
  put(key: string, path: string): Promise<void>;
  /** Rejects where nothing can be stored or read. */
  check(): Promise<void>;
  /** @throws an error with code ENOENT where there is no such file, as a rejection or on the stream. */
  open(key: string): Readable;
  local(key: string): Promise<LocalFile>;
  /** Bytes of the file; undefined where there is none. */
  size(key: string): Promise<number | undefined>;
  /** Nothing happens where there is no such file. */
  remove(key: string): Promise<void>;
  /** Removes every file whose key begins with the prefix and a slash. */
  removeAll(prefix: string): Promise<void>;
  /** Every file, in no order, or those whose key begins with the prefix and a slash. */
  list(prefix?: string): AsyncIterable<StoredFile>;
  trash: Trash;
}

/** Keeps files that were taken out of the store. They are in batches, whose names sort by age. */
export interface Trash {
  /** Moves a stored file here. Nothing happens if there is no such file. */
  put(key: string, batch: string): Promise<void>;
  /** Moves a file back, unless a file is stored under its key by now. Returns whether it did. */
  putBack(file: TrashedFile): Promise<boolean>;
  list(): AsyncIterable<TrashedFile>;
  /** Removes the batches whose names sort before this one. */
  empty(before: string): Promise<void>;
}

const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** @throws TypeError where a key has segments that no part of this program makes: nothing of a client may become one. */
export function keySegments(key: string): string[] {
  const segments = key.split("/");
  if (!segments.every((each) => segment.test(each))) throw new TypeError(`not a key: ${JSON.stringify(key)}`);
  return segments;
}
