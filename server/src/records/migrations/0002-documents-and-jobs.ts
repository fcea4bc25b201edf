/** The documents of a corpus, and the job queue. */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function documentsAndJobs(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("documents")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("agent_id", "text", (c) => c.notNull().references("agents.id").onDelete("cascade"))
    .addColumn("path", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("mime", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("failure", "text")
    .addColumn("failure_message", "text")
    .addColumn("pages", "integer")
    .addColumn("pages_done", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("passages", "integer")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .addColumn("updated_at", types.time, (c) => c.notNull())
    .execute();
  // Allows one document per path and name. Of several simultaneous uploads, only one is accepted.
  await db.schema
    .createIndex("documents_identity")
    .unique()
    .on("documents")
    .columns(["agent_id", "path", "name"])
    .execute();
  await db.schema
    .createIndex("documents_agent")
    .on("documents")
    .columns(["organization_id", "agent_id", "created_at"])
    .execute();

  await db.schema
    .createTable("jobs")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("organization_id", "text", (c) => c.notNull())
    .addColumn("payload", "text", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("deaths", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("run_at", types.time, (c) => c.notNull())
    .addColumn("worker", "text")
    .addColumn("beats", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("failed_at", types.time)
    .addColumn("error", "text")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .execute();
  const waiting = (index: string, columns: string[]) =>
    db.schema
      .createIndex(index)
      .on("jobs")
      .columns(columns as never)
      .where("worker" as never, "is", null)
      .where("failed_at" as never, "is", null)
      .execute();
  // Organizations take turns: each claim takes the oldest due job of the next organization.
  await waiting("jobs_waiting", ["name", "organization_id", "run_at"]);
  await db.schema
    .createIndex("jobs_running")
    .on("jobs")
    .column("worker")
    .where("worker" as never, "is not", null)
    .execute();
}
