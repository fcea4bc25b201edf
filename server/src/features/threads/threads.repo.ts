/** SQL queries for threads (conversation histories) and their messages. */
import type { Selectable } from "kysely";
import { ownUser, type Principal } from "../../lib/caller.ts";
import { newId } from "../../lib/ids.ts";
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { Db } from "../../records/records.ts";
import type { Tables } from "../../records/tables.ts";

export type ThreadRow = Selectable<Tables["threads"]>;
export type MessageRow = Selectable<Tables["messages"]>;

export interface NewMessage {
  role: "user" | "assistant";
  content: unknown;
}

/** Inserts a thread with its first messages, in the given order. */
export async function insertThread(
  db: Db,
  thread: { id: string; principal: Principal; agentId: string | null; title: string | null; now: string },
  messages: readonly NewMessage[],
): Promise<void> {
  await db
    .insertInto("threads")
    .values({
      id: thread.id,
      organization_id: thread.principal.organizationId,
      agent_id: thread.agentId,
      channel: thread.principal.channel,
      user_id: ownUser(thread.principal),
      title: thread.title,
      created_at: thread.now,
      updated_at: thread.now,
    })
    .execute();
  await insertMessages(db, thread.id, messages, thread.now);
}

/** Appends messages to a thread, in the given order. */
export async function insertMessages(
  db: Db,
  threadId: string,
  messages: readonly NewMessage[],
  now: string,
): Promise<void> {
  // Sorts the new ids, because messages are listed by id, and ids created in the same millisecond
  // may be out of order.
  const ids = messages.map(newId).sort();
  for (const [index, { role, content }] of messages.entries()) {
    await db
      .insertInto("messages")
      .values({
        id: ids[index] ?? newId(),
        thread_id: threadId,
        role,
        content: JSON.stringify(content),
        created_at: now,
      })
      .execute();
  }
}

/** Marks a thread as used. Sets the given title if the thread has no title yet. */
export async function touchThread(
  db: Db,
  organizationId: string,
  id: string,
  { title, now }: { title: string | null; now: string },
): Promise<void> {
  await db
    .updateTable("threads")
    .set((expression) => ({ updated_at: now, title: expression.fn.coalesce("title", expression.val(title)) }))
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}

/** Selects the threads of the principal with the agent. */
const ownThreads = (db: Db, principal: Principal, agentId: string) =>
  db
    .selectFrom("threads")
    .selectAll()
    .where("organization_id", "=", principal.organizationId)
    .where("agent_id", "=", agentId)
    .where("channel", "=", principal.channel)
    .where("user_id", "is not distinct from", ownUser(principal));

/** Lists threads that contain a question, most recently used first. */
export const listThreads = (
  db: Db,
  principal: Principal,
  agentId: string,
  archived: boolean,
  page: PageRequest,
): Promise<ThreadRow[]> =>
  inPages(
    ownThreads(db, principal, agentId)
      .where("title", "is not", null)
      .where("archived_at", archived ? "is not" : "is", null),
    ["updated_at", "id"],
    page,
    "desc",
  ).execute();

/** Finds a thread. Returns undefined if the principal has no such thread with the agent. */
export const findThread = (
  db: Db,
  principal: Principal,
  agentId: string,
  threadId: string,
): Promise<ThreadRow | undefined> => ownThreads(db, principal, agentId).where("id", "=", threadId).executeTakeFirst();

/** Lists the messages of a thread, oldest first. */
export const listMessages = (db: Db, threadId: string): Promise<MessageRow[]> =>
  db.selectFrom("messages").selectAll().where("thread_id", "=", threadId).orderBy("created_at").orderBy("id").execute();

export const updateThread = (
  db: Db,
  organizationId: string,
  id: string,
  changes: Partial<Pick<ThreadRow, "title" | "archived_at">>,
): Promise<ThreadRow> =>
  db
    .updateTable("threads")
    .set(changes)
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function archiveThreads(db: Db, organizationId: string, agentId: string, now: string): Promise<void> {
  await db
    .updateTable("threads")
    .set({ archived_at: now })
    .where("organization_id", "=", organizationId)
    .where("agent_id", "=", agentId)
    .where("archived_at", "is", null)
    .execute();
}

/**
 * Replaces the content of all answers that refer to the document. Covers threads of the agent, and
 * threads of personal agents, which may have searched the agent's corpus. Also covers threads of
 * deleted agents, because a deleted agent may have been personal.
 */
export async function clearAnswers(
  db: Db,
  { organizationId, agent, document }: { organizationId: string; agent: string; document: string },
  content: string,
): Promise<void> {
  await db
    .updateTable("messages")
    .set({ content })
    .where("thread_id", "in", (threads) =>
      threads
        .selectFrom("threads")
        .select("id")
        .where("organization_id", "=", organizationId)
        .where((where) =>
          where.or([
            where("agent_id", "=", agent),
            where.and([
              where("channel", "=", "app"),
              where("agent_id", "not in", (others) =>
                others
                  .selectFrom("agents")
                  .select("agents.id")
                  .where("agents.organization_id", "=", organizationId)
                  .where("agents.type", "!=", "PERSONAL"),
              ),
            ]),
          ]),
        ),
    )
    .where("role", "=", "assistant")
    .where("content", "like", `%"${document}"%`)
    .execute();
}
