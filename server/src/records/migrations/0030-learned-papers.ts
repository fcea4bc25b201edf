/** Documents that extractor agents have learned from. */
import type { Kysely } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function learnedPapers(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("learned_papers")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("agent_id", "text", (c) => c.notNull().references("agents.id").onDelete("cascade"))
    .addColumn("extraction_id", "text")
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("filename", "text", (c) => c.notNull())
    .addColumn("facts", "text", (c) => c.notNull())
    .addColumn("skeleton", "text", (c) => c.notNull())
    .addColumn("anchors", "text", (c) => c.notNull())
    .addColumn("times_used", "integer", (c) => c.notNull())
    .addColumn("last_used_at", types.time)
    .addColumn("created_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("learned_papers_of_agent")
    .on("learned_papers")
    .columns(["agent_id", "created_at", "id"])
    .execute();
  await db.schema
    .createIndex("learned_papers_of_organization")
    .on("learned_papers")
    .column("organization_id")
    .execute();
}
