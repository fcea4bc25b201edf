/** Titles of threads, and the time when each was last used. */
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../migrate.ts";

/** Number of threads per query. */
const batch = 500;

export async function threadTitles(db: Kysely<never>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("threads").addColumn("title", "text").execute();
  await db.schema.alterTable("threads").addColumn("updated_at", types.time).execute();
  await sql`
    update threads set updated_at = coalesce(
      (select max(messages.created_at) from messages where messages.thread_id = threads.id),
      created_at
    )`.execute(db);
  for (let last = ""; ; ) {
    const { rows } = await sql<{ id: string; content: string | null }>`
      select id, (
        select content from messages
        where messages.thread_id = threads.id and messages.role = 'user'
        order by messages.created_at, messages.id limit 1
      ) as content
      from threads where id > ${last} order by id limit ${batch}`.execute(db);
    for (const { id, content } of rows) {
      const title = content === null ? undefined : titleOf(content);
      if (title !== undefined) await sql`update threads set title = ${title} where id = ${id}`.execute(db);
    }
    const next = rows.at(-1)?.id;
    if (next === undefined) break;
    last = next;
  }
  await db.schema
    .createIndex("threads_of_user")
    .on("threads")
    .columns(["organization_id", "agent_id", "user_id", "updated_at"])
    .execute();
}

/**
 * Returns the title made from a question; undefined for the message of an extraction. This is the
 * migration's own copy of the function, because later versions of the service may shorten titles
 * differently.
 */
function titleOf(content: string): string | undefined {
  const { query } = JSON.parse(content) as { query?: unknown };
  if (typeof query !== "string") return undefined;
  const characters = [...query.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim()];
  return characters.length > 80 ? `${characters.slice(0, 79).join("").trimEnd()}…` : characters.join("") || "…";
}
