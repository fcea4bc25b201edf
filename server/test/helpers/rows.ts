/** What a service keeps: to show that a refused request left nothing. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestService } from "./service.ts";

const tables = [
  "users",
  "organizations",
  "members",
  "credentials",
  "agents",
  "documents",
  "jobs",
  "threads",
  "messages",
  "extractions",
  "usage_entries",
] as const;

/** Rows of every table, and files, temporary and stored. */
export async function kept({ db, config }: TestService): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select((expression) => expression.fn.countAll<number | string>().as("count"))
      .executeTakeFirstOrThrow();
    counts[table] = Number(count);
  }
  counts.temporaryFiles = (await readdir(join(config.dataDir, "tmp"))).length;
  const stored = await readdir(config.filesDir, { recursive: true, withFileTypes: true });
  counts.storedFiles = stored.filter((entry) => entry.isFile()).length;
  return counts;
}
