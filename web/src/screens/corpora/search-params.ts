/**
 * Search parameters in the URLs of the screens, so that folders, filters and quotes can be linked
 * to.
 */
import { type DocumentState, documentStates } from "./document-state.ts";

export interface DocumentsSearch {
  /** The open folder; absent for the top folder. */
  folder?: string;
  /** Filter: only documents whose names contain this text are listed. */
  name?: string;
  state?: DocumentState;
}

export interface DocumentSearch {
  page?: number;
  /**
   * Id of the thread that contains the citation to mark. `turn` and `citation` are counted from 1.
   */
  thread?: string;
  /** The agent that the thread belongs to; absent if the thread belongs to the corpus itself. */
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

/** Accepts numbers too, because the router parses a folder named "2026" as a number. */
const isText = (value: unknown): boolean => (typeof value === "string" && value !== "") || typeof value === "number";

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
