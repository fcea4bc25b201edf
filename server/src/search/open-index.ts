/**
 * Opens a passage index. LanceDB (300 modules, 100 MB of native code) is loaded when the index is
 * first used.
 */
import { lazily, openedOnce } from "../lib/lazily.ts";
import { claimFolder } from "./index-version.ts";
import type { openPassageIndex, PassageIndex } from "./passage-index.ts";

/** @throws Error if the index has a different layout version and `anew` is not set. */
export async function openIndex(options: Parameters<typeof openPassageIndex>[0]): Promise<PassageIndex> {
  // The version is checked immediately, so that the service does not start with an index that it
  // cannot read. Otherwise every question would fail later.
  const lock = await claimFolder(options.folder, options.anew ?? false);
  let closed = false;
  const index = openedOnce(async () => {
    if (closed) throw new Error("The search index is closed.");
    const { openPassageIndex } = await import("./passage-index.ts");
    return openPassageIndex({ ...options, anew: false });
  });
  const methods = lazily<Omit<PassageIndex, typeof Symbol.asyncDispose>>(
    {
      put: true,
      isCurrent: true,
      remove: true,
      removeAgent: true,
      purge: true,
      search: true,
      searchAll: true,
      documents: true,
      passages: true,
      missed: true,
      rebuild: true,
    },
    index,
  );
  return {
    ...methods,
    [Symbol.asyncDispose]: async () => {
      closed = true;
      const opened = await index.underWay()?.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
      lock.release();
    },
  };
}
