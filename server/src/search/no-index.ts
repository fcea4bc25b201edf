/**
 * The passage index of a process that does not answer questions. It stores nothing. Processes that
 * answer questions load new documents from the stored files instead.
 */
import type { PassageIndex } from "./passage-index.ts";

const refuse = async (): Promise<never> => {
  throw new Error("This process has no search index because its role is worker.");
};

export const noIndex: PassageIndex = {
  put: async () => "",
  isCurrent: async () => true,
  remove: async () => {},
  removeAgent: async () => {},
  purge: async () => {},
  rebuild: async () => ({
    put: async () => {},
    remove: async () => {},
    finish: async () => {},
    commit: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }),
  // Must not refuse, because `rebuildIndex` asks for the documents of the index that it has built.
  documents: async () => new Set(),
  search: refuse,
  searchAll: refuse,
  passages: refuse,
  missed: refuse,
  [Symbol.asyncDispose]: async () => {},
};
