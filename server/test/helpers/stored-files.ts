/**
 * Wraps stored files so that a test can replace some functions, for example with one that fails.
 */
import type { StoredFiles } from "../../src/files/stored-files.ts";

export const withCalls = (files: StoredFiles, calls: Partial<StoredFiles>): StoredFiles => ({
  check: () => files.check(),
  put: (key, path) => files.put(key, path),
  open: (key) => files.open(key),
  local: (key) => files.local(key),
  size: (key) => files.size(key),
  remove: (key) => files.remove(key),
  removeAll: (prefix) => files.removeAll(prefix),
  list: (prefix) => files.list(prefix),
  trash: files.trash,
  ...calls,
});

/**
 * Returns `files` with storage times that are `byMs` earlier. Tests need this because the times on
 * disk cannot be changed.
 */
export const storedEarlier = (files: StoredFiles, byMs: number): StoredFiles =>
  withCalls(files, {
    list: async function* (prefix) {
      for await (const file of files.list(prefix)) yield { ...file, storedMs: file.storedMs - byMs };
    },
  });
