/** Derives the state of a document that the interface shows. */
import type { Document } from "@sheaf/client";

export const documentStates = ["waiting", "reading", "ready", "error"] as const;
export type DocumentState = (typeof documentStates)[number];

export function stateOf({ status, pages_done = 0 }: Document): DocumentState {
  return status === "pending" ? (pages_done > 0 ? "reading" : "waiting") : status;
}

export const isPending = ({ status }: Document): boolean => status === "pending";
