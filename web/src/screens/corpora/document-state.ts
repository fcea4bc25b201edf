/** The state of a document as the interface shows it. */
import type { Document } from "@sheaf/client";

export const documentStates = ["waiting", "reading", "ready", "error"] as const;
export type DocumentState = (typeof documentStates)[number];

/** A document with its progress. Earlier services have no such members. */
export interface CorpusDocument extends Document {
  pages?: number | null;
  pages_done?: number;
  error?: { code: string; message: string };
}

export function stateOf({ status, pages_done = 0 }: CorpusDocument): DocumentState {
  return status === "pending" ? (pages_done > 0 ? "reading" : "waiting") : status;
}

export const isPending = ({ status }: CorpusDocument): boolean => status === "pending";
