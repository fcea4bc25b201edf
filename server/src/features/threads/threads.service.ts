/** Threads: the server-side history of questions and answers. */
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import * as threads from "./threads.repo.ts";

export type { NewMessage } from "./threads.repo.ts";

export interface ThreadTurn {
  role: "user" | "assistant";
  content: string;
}

/**
 * Starts a thread of an agent (null: of the global extractor) with its first messages, and returns
 * its id.
 */
export async function startThread(
  db: Db,
  principal: Principal,
  agentId: string | null,
  messages: readonly threads.NewMessage[],
): Promise<string> {
  const id = newId();
  await threads.insertThread(db, { id, principal, agentId, now: now() }, messages);
  return id;
}

/** Appends messages to an existing thread, in this order. */
export const addToThread = (db: Db, id: string, messages: readonly threads.NewMessage[]): Promise<void> =>
  threads.insertMessages(db, id, messages, now());

/**
 * Returns the messages of a question thread, oldest first.
 * @throws AppError `thread_not_found`
 */
export async function getHistory(
  db: Db,
  principal: Principal,
  agentId: string,
  threadId: string,
): Promise<ThreadTurn[]> {
  const messages = isId(threadId) ? await threads.findMessages(db, principal, agentId, threadId) : undefined;
  if (!messages) throw new AppError("thread_not_found");
  return messages.map(({ role, content }) => {
    const { query, answer } = JSON.parse(content) as { query?: string; answer?: string };
    return { role, content: query ?? answer ?? "" };
  });
}

/** Clears the answers that rest on a deleted document. */
export const forgetDocument = (db: Db, agentId: string, document: string): Promise<void> =>
  threads.clearAnswers(db, agentId, document, JSON.stringify(forgotten));

/** Content of a cleared answer. */
const forgotten = { answer: "", citations: [], documents: [] };

export const archiveThreads = (db: Db, organizationId: string, agentId: string): Promise<void> =>
  threads.archiveThreads(db, organizationId, agentId, now());
