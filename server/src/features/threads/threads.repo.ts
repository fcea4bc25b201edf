/** SQL of threads (conversation histories) and their messages. */
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";

export interface NewMessage {
  role: "user" | "assistant";
  content: unknown;
}

/** Makes a thread with its first messages, in this order. */
export async function insertThread(
  db: Db,
  thread: { id: string; organizationId: string; agentId: string | null; now: string },
  messages: NewMessage[],
): Promise<void> {
  await db
    .insertInto("threads")
    .values({ id: thread.id, organization_id: thread.organizationId, agent_id: thread.agentId, created_at: thread.now })
    .execute();
  for (const message of messages) {
    await db
      .insertInto("messages")
      .values({
        id: newId(),
        thread_id: thread.id,
        role: message.role,
        content: JSON.stringify(message.content),
        created_at: thread.now,
      })
      .execute();
  }
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
