/** SQL of threads (conversation histories) and their messages. */
import { ownUser, type Principal } from "../../lib/caller.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";

export interface NewMessage {
  role: "user" | "assistant";
  content: unknown;
}

/** Inserts a thread with its first messages, in this order. */
export async function insertThread(
  db: Db,
  thread: { id: string; principal: Principal; agentId: string | null; now: string },
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
      created_at: thread.now,
    })
    .execute();
  await insertMessages(db, thread.id, messages, thread.now);
}

/** Appends messages to a thread, in this order. */
export async function insertMessages(
  db: Db,
  threadId: string,
  messages: readonly NewMessage[],
  now: string,
): Promise<void> {
  // Ids created in the same millisecond are not ordered, but messages are listed by id.
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

/**
 * Returns the messages of a thread that is not archived, oldest first; undefined if the principal
 * has no such thread with the agent.
 */
export async function findMessages(
  db: Db,
  principal: Principal,
  agentId: string,
  threadId: string,
): Promise<{ role: "user" | "assistant"; content: string }[] | undefined> {
  const thread = await db
    .selectFrom("threads")
    .select("id")
    .where("organization_id", "=", principal.organizationId)
    .where("agent_id", "=", agentId)
    .where("id", "=", threadId)
    .where("channel", "=", principal.channel)
    .where("user_id", "is not distinct from", ownUser(principal))
    .where("archived_at", "is", null)
    .executeTakeFirst();
  if (!thread) return undefined;
  return db
    .selectFrom("messages")
    .select(["role", "content"])
    .where("thread_id", "=", thread.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function archiveThreads(db: Db, organizationId: string, agentId: string, now: string): Promise<void> {
  await db
    .updateTable("threads")
    .set({ archived_at: now })
    .where("organization_id", "=", organizationId)
    .where("agent_id", "=", agentId)
    .where("archived_at", "is", null)
    .execute();
}

/** Replaces the content of all messages in the agent's threads that refer to the document. */
export async function clearAnswers(db: Db, agentId: string, document: string, content: string): Promise<void> {
  await db
    .updateTable("messages")
    .set({ content })
    .where("thread_id", "in", (threads) => threads.selectFrom("threads").select("id").where("agent_id", "=", agentId))
    .where("role", "=", "assistant")
    .where("content", "like", `%"${document}"%`)
    .execute();
}
