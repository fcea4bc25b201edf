/**
 * The installation to which a database belongs, and the number of crashes while a job ran alone.
 */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function installationAndCrashes(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("installation").addColumn("installation_id", "text").execute();
  await db.schema.alterTable("installation").addColumn("marked_at", types.time).execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("alone", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("deaths_alone", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  // A partial index is enough, because few waiting jobs are suspected of causing crashes.
  await db.schema
    .createIndex("jobs_suspect")
    .on("jobs")
    .column("run_at")
    .where("worker" as never, "is", null)
    .where("failed_at" as never, "is", null)
    .where("deaths" as never, ">", 1 as never)
    .execute();
}
