/** Versions of the configurations of agents. */
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

export async function agentVersions(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("agent_versions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("organization_id", "text", (c) => c.notNull().references("organizations.id").onDelete("cascade"))
    .addColumn("agent_id", "text", (c) => c.notNull().references("agents.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("configuration", "text", (c) => c.notNull())
    .addColumn("name", "text")
    .addColumn("created_by", "text")
    .addColumn("restored_from", "integer")
    .addColumn("created_at", types.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("agent_versions_number")
    .on("agent_versions")
    .columns(["agent_id", "number"])
    .unique()
    .execute();
  await db.schema
    .createIndex("agent_versions_of_organization")
    .on("agent_versions")
    .column("organization_id")
    .execute();
  // The first version of an existing agent gets the id of the agent, because SQL cannot generate
  // ids of our format.
  await sql`
    insert into agent_versions (id, organization_id, agent_id, number, configuration, created_at)
    select id, organization_id, id, 1, configuration, updated_at from agents`.execute(db);
}
