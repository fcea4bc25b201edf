/** SQL queries for the row that contains the id of the installation. */
import { now } from "../../lib/clock.ts";
import type { Db } from "../../records/records.ts";

export interface InstallationRow {
  installation_id: string | null;
  marked_at: string | null;
}

/**
 * Returns the row with the id of the installation. The row always exists, because it is inserted
 * together with the fingerprint of the keys.
 */
export const getInstallationRow = (db: Db): Promise<InstallationRow> =>
  db.selectFrom("installation").select(["installation_id", "marked_at"]).where("id", "=", 1).executeTakeFirstOrThrow();

/** Sets the installation id unless another process has set it. */
export async function nameInstallation(db: Db, id: string): Promise<void> {
  await db
    .updateTable("installation")
    .set({ installation_id: id })
    .where("id", "=", 1)
    .where("installation_id", "is", null)
    .execute();
}

export async function recordMarked(db: Db): Promise<void> {
  await db.updateTable("installation").set({ marked_at: now() }).where("id", "=", 1).execute();
}

export const hasOrganizations = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("organizations").select("id").limit(1).executeTakeFirst()) !== undefined;
