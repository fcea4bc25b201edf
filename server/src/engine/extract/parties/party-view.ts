/** The document view with its parties: names with votes, and the owner of each number. */
import type { Document } from "../../../reading/document.ts";
import { type DocumentView, documentViewOf, once } from "../candidates/document-view.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { type OwnerOf, readOwners } from "./number-owners.ts";
import { collectVotes, type Vote } from "./party-votes.ts";

export interface PartyView extends DocumentView {
  votes: () => readonly Vote[];
  /** Returns the party that the numbers in a run belong to. */
  owners: () => OwnerOf;
}

/** As `documentViewOf`; parties are looked for when they are first needed. */
export function partyViewOf(document: Document, queries: readonly AskedField[]): PartyView {
  const view = documentViewOf(document, queries);
  const votes = once(() => collectVotes(view.layout));
  return { ...view, votes, owners: once(() => readOwners(view.layout, votes())) };
}
