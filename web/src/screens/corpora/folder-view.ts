/** Lists one folder: its subfolders with counts, and its own documents. */
import type { Document } from "@sheaf/client";
import { type DocumentState, stateOf } from "./document-state.ts";

export interface FolderRow {
  kind: "folder";
  name: string;
  path: string;
  documents: number;
  /** Number of documents in this folder and its subfolders that are still waiting or being read. */
  pending: number;
  failed: number;
}

export interface DocumentRow {
  kind: "document";
  document: Document;
}

export type Row = FolderRow | DocumentRow;

export interface Filter {
  folder: string;
  name: string;
  state: DocumentState | undefined;
}

/**
 * Returns the rows of a folder, folders first. With a filter by name or state, returns the matching
 * documents of the folder and all folders below it.
 */
export function rowsOf(documents: readonly Document[], filter: Filter, collator: Intl.Collator): Row[] {
  const { folder, state } = filter;
  const name = plain(filter.name);
  const within = documents.filter(({ path }) => isWithin(path, folder));
  const byName = (a: Document, b: Document) => collator.compare(a.name, b.name);
  if (name !== "" || state !== undefined) {
    const matching = within.filter(
      (document) => plain(document.name).includes(name) && (state === undefined || stateOf(document) === state),
    );
    return matching
      .sort((a, b) => collator.compare(a.path, b.path) || byName(a, b))
      .map((document) => ({ kind: "document", document }));
  }
  const folders = new Map<string, FolderRow>();
  const own: Document[] = [];
  for (const document of within) {
    if (document.path === folder) own.push(document);
    else count(folders, folder, document);
  }
  return [
    ...[...folders.values()].sort((a, b) => collator.compare(a.name, b.name)),
    ...own.sort(byName).map((document): DocumentRow => ({ kind: "document", document })),
  ];
}

function count(folders: Map<string, FolderRow>, parent: string, { path, status }: Document): void {
  const start = parent === "" ? 0 : parent.length + 1;
  const slash = path.indexOf("/", start);
  const child = slash === -1 ? path : path.slice(0, slash);
  let row = folders.get(child);
  if (row === undefined) {
    row = { kind: "folder", name: child.slice(start), path: child, documents: 0, pending: 0, failed: 0 };
    folders.set(child, row);
  }
  row.documents++;
  if (status === "pending") row.pending++;
  if (status === "error") row.failed++;
}

/** Returns true if `path` is the folder itself or a folder below it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);

/** Returns text in lower case and without accents, for comparisons. */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

export interface Crumb {
  name: string;
  path: string;
}

export const crumbsOf = (folder: string): Crumb[] =>
  folder === ""
    ? []
    : folder.split("/").map((name, index, names) => ({ name, path: names.slice(0, index + 1).join("/") }));
