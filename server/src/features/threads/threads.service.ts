/** Threads: the server-side history of what was asked and answered. */
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

/** Makes a thread of an agent (null: of the global extractor) with its first messages; answers its id. */
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

/** Adds messages to a thread that is known to be there, in this order. */
export const addToThread = (db: Db, id: string, messages: readonly threads.NewMessage[]): Promise<void> =>
  threads.insertMessages(db, id, messages, now());

/** What was said in a thread of questions, oldest first. @throws AppError `thread_not_found`. */
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

/** Empties the answers that rest on a document that is gone. */
export const forgetDocument = (db: Db, agentId: string, document: string): Promise<void> =>
  threads.clearAnswers(db, agentId, document, JSON.stringify(forgotten));

/** What is left of an answer whose documents are gone. */
const forgotten = { answer: "", citations: [], documents: [] };

/** Archives every thread of an agent. */
export const archiveThreads = (db: Db, organizationId: string, agentId: string): Promise<void> =>
  threads.archiveThreads(db, organizationId, agentId, now());
