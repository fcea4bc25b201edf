/** Exports the audit log: as CSV for spreadsheets, or as JSON for programs. */
import type { AuditEntry } from "@sheaf/client";
import { csvLine, csvStart } from "../../ui/csv.ts";

export type AuditFormat = "csv" | "json";

const columns = [
  "created_at",
  "action",
  "target",
  "actor_kind",
  "actor",
  "credential_id",
  "address",
  "request_id",
  "detail",
  "id",
] as const;

const actorOf = ({ actor }: AuditEntry): string | null => actor.user_email ?? actor.operator ?? actor.user_id;

const csvOf = (entry: AuditEntry): string =>
  csvLine([
    entry.created_at,
    entry.action,
    entry.target,
    entry.actor.kind,
    actorOf(entry),
    entry.actor.credential_id,
    entry.address,
    entry.request_id,
    JSON.stringify(entry.detail),
    entry.id,
  ]);

export interface AuditPage {
  entries: readonly AuditEntry[];
  /** Cursor of the next page; null on the last page. */
  next: string | null;
}

/**
 * Fetches page after page and returns the file. Converts each page to a Blob immediately, because
 * browsers can store Blobs outside of the tab's memory.
 */
export async function exportAudit(
  format: AuditFormat,
  fetchPage: (cursor: string | undefined) => Promise<AuditPage>,
  onProgress: (entries: number) => void,
): Promise<Blob> {
  const type = format === "csv" ? "text/csv;charset=utf-8" : "application/json";
  const parts: Blob[] = [new Blob([format === "csv" ? csvStart + csvLine(columns) : "["])];
  let count = 0;
  let cursor: string | undefined;
  do {
    const { entries, next } = await fetchPage(cursor);
    const texts = entries.map((entry, at) =>
      format === "csv" ? csvOf(entry) : `${count + at > 0 ? ",\n" : "\n"}${JSON.stringify(entry)}`,
    );
    parts.push(new Blob(texts));
    count += entries.length;
    onProgress(count);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  if (format === "json") parts.push(new Blob(["\n]\n"]));
  return new Blob(parts, { type });
}
