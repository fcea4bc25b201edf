/**
 * Reads everything that a service stores. Tests use it to check that a refused request stores
 * nothing.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "../../src/records/records.ts";
import type { Tables } from "../../src/records/tables.ts";
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
  "token_usage",
] as const;

/** Returns the row counts of `tables`, and the numbers of temporary and stored files. */
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
  counts.storedFiles = (await storedFiles({ config })).length;
  return counts;
}

/** Returns the paths of the stored files. */
export async function storedFiles({ config }: Pick<TestService, "config">): Promise<string[]> {
  const stored = await readdir(config.filesDir, { recursive: true, withFileTypes: true });
  return stored
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** Tables whose rows change without a request, such as `jobs`. */
const restless = new Set(["sessions", "jobs", "deliveries", "delivery_attempts", "live_processes"]);

/**
 * Matches state changes of deliveries. Deliveries are attempted without a request, and each attempt
 * adds a row.
 */
const isRestless = (row: object): boolean => "audience" in row && "type" in row && row.type === "delivery";

/**
 * Returns the rows of all tables, except rows that change even without a request. Omits the column
 * `last_used_at`.
 */
export async function everyRow(db: Db): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of await db.introspection.getTables()) {
    if (restless.has(name)) continue;
    const rows = await db
      .selectFrom(name as keyof Tables)
      .selectAll()
      .execute();
    const kept = rows.filter((row) => !isRestless(row));
    found[name] = kept.map((row) => JSON.stringify({ ...row, last_used_at: undefined })).sort();
  }
  return found;
}
