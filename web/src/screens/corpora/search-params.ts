/** Search parameters of the screens, so that folders, filters and quotes are links. */
import { type DocumentState, documentStates } from "./document-state.ts";

export interface DocumentsSearch {
  /** Folder that is open; absent: the top. */
  folder?: string;
  /** Part of the name. */
  name?: string;
  state?: DocumentState;
}

export interface DocumentSearch {
  page?: number;
  /** The citation that is marked: of this turn of this thread, each counted from 1. */
  thread?: string;
  /** The agent of the thread; absent: the corpus itself. */
  agent?: string;
  turn?: number;
  citation?: number;
}

export function documentsSearch({ folder, name, state }: Record<string, unknown>): DocumentsSearch {
  const known = documentStates.find((each) => each === state);
  return {
    ...(isText(folder) && { folder: String(folder) }),
    ...(isText(name) && { name: String(name) }),
    ...(known && { state: known }),
  };
}

export function documentSearch({ page, thread, agent, turn, citation }: Record<string, unknown>): DocumentSearch {
  return {
    ...(isCount(page) && { page }),
    ...(typeof thread === "string" && { thread }),
    ...(typeof agent === "string" && { agent }),
    ...(isCount(turn) && { turn }),
    ...(isCount(citation) && { citation }),
  };
}

/** The router parses a folder such as "2026" as a number. */
const isText = (value: unknown): boolean => (typeof value === "string" && value !== "") || typeof value === "number";

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
