/**
 * Extends the document view with the parties: the votes for their names, and the party to which
 * each number belongs.
 */
import type { Document } from "../../../reading/document.ts";
import { type DocumentView, documentViewOf, once } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type OwnerOf, readOwners } from "./number-owners.ts";
import { collectVotes, type Vote } from "./party-votes.ts";

export interface PartyView extends DocumentView {
  votes: () => readonly Vote[];
  /** Returns a function that maps a text run to the party that the numbers in the run belong to. */
  owners: () => OwnerOf;
}

/**
 * Returns the view of `documentViewOf`, extended with the parties. They are determined on first
 * use.
 */
export function partyViewOf(document: Document, queries: readonly AskedField[]): PartyView {
  const view = documentViewOf(document, queries);
  const votes = once(() => collectVotes(view.layout));
  return { ...view, votes, owners: once(() => readOwners(view.layout, votes())) };
}
