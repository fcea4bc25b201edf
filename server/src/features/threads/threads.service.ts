/** Threads: the server-side history of questions and answers. */
import type { CitationJson } from "@sheaf/contract/knowledge.ts";
import type { ThreadDetailJson, ThreadJson, ThreadTurnJson, UpdateThreadRequestJson } from "@sheaf/contract/threads.ts";
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { titleOf } from "./thread-title.ts";
import * as threads from "./threads.repo.ts";

export type { NewMessage } from "./threads.repo.ts";

export interface ThreadTurn {
  role: "user" | "assistant";
  content: string;
}

/** Content of the messages of a question thread. */
type MessageContent = { query?: string; answer?: string; citations?: CitationJson[] };

/**
 * Starts a thread of an agent with its first messages, and returns the id of the thread. An agent
 * id of null stands for the global extractor.
 */
export async function startThread(
  db: Db,
  principal: Principal,
  agentId: string | null,
  messages: readonly threads.NewMessage[],
  id: string = newId(),
): Promise<string> {
  const title = titleOfFirst(messages);
  await threads.insertThread(db, { id, principal, agentId, title, now: now() }, messages);
  return id;
}

/** Appends messages to an existing thread, in the given order. */
export async function addToThread(
  db: Db,
  { organizationId }: Pick<Principal, "organizationId">,
  id: string,
  messages: readonly threads.NewMessage[],
): Promise<void> {
  const at = now();
  await threads.touchThread(db, organizationId, id, { title: titleOfFirst(messages), now: at });
  await threads.insertMessages(db, id, messages, at);
}

/** Returns a title made from the first question; null if no message is a question. */
function titleOfFirst(messages: readonly threads.NewMessage[]): string | null {
  for (const { role, content } of messages) {
    const { query } = content as MessageContent;
    if (role === "user" && typeof query === "string") return titleOf(query);
  }
  return null;
}

/**
 * Returns the messages of a question thread that is not archived, oldest first.
 * @throws AppError `thread_not_found`
 */
export async function getHistory(
  db: Db,
  principal: Principal,
  agentId: string,
  threadId: string,
): Promise<ThreadTurn[]> {
  const thread = await findThread(db, principal, agentId, threadId);
  if (thread.archived_at !== null) throw new AppError("thread_not_found");
  const messages = await threads.listMessages(db, thread.id);
  return messages.map(({ role, content }) => {
    const { query, answer } = JSON.parse(content) as MessageContent;
    return { role, content: query ?? answer ?? "" };
  });
}

/** Lists the principal's own threads with an agent, most recently used first. */
export async function listThreads(
  db: Db,
  principal: Principal,
  agentId: string,
  archived: boolean,
  page: PageRequest,
): Promise<ListPage<ThreadJson>> {
  const rows = await threads.listThreads(db, principal, agentId, archived, page);
  return pageOf(rows, page, ({ updated_at, id }) => [updated_at, id], threadJson);
}

/**
 * Returns a thread of the principal with its turns.
 * @param isShown returns whether a citation is shown; other citations are left out
 * @throws AppError `thread_not_found`
 */
export async function getThread(
  db: Db,
  principal: Principal,
  agentId: string,
  threadId: string,
  isShown: (citation: CitationJson) => boolean,
): Promise<ThreadDetailJson> {
  const thread = await findThread(db, principal, agentId, threadId);
  const turns: ThreadTurnJson[] = [];
  for (const { role, content, created_at } of await threads.listMessages(db, thread.id)) {
    const { query = "", answer = "", citations = [] } = JSON.parse(content) as MessageContent;
    const last = turns.at(-1);
    if (role === "user") turns.push({ query, answer: null, citations: [], created_at });
    else if (last) Object.assign(last, { answer, citations: citations.filter(isShown) });
  }
  return { ...threadJson(thread), turns };
}

/**
 * Renames, archives or restores a thread of the principal.
 * @throws AppError `thread_not_found`
 */
export async function updateThread(
  db: Db,
  principal: Principal,
  agentId: string,
  threadId: string,
  { title, archived }: UpdateThreadRequestJson,
): Promise<ThreadJson> {
  return db.transaction().execute(async (transaction) => {
    const thread = await findThread(transaction, principal, agentId, threadId);
    const archivedAt = archived === false ? null : archived ? (thread.archived_at ?? now()) : thread.archived_at;
    if (title === undefined && archived === undefined) return threadJson(thread);
    const changes = { archived_at: archivedAt, ...(title !== undefined && { title }) };
    return threadJson(await threads.updateThread(transaction, principal.organizationId, thread.id, changes));
  });
}

async function findThread(db: Db, principal: Principal, agentId: string, threadId: string) {
  const thread = isId(threadId) ? await threads.findThread(db, principal, agentId, threadId) : undefined;
  if (!thread) throw new AppError("thread_not_found");
  return thread;
}

const threadJson = ({ id, title, created_at, updated_at, archived_at }: threads.ThreadRow): ThreadJson => ({
  thread_id: id,
  title: title ?? "…",
  created_at,
  updated_at,
  archived_at,
});

/**
 * Clears answers that are based on a deleted document, including answers of personal agents that
 * searched the agent's corpus.
 */
export const forgetDocument = (
  db: Db,
  of: { organizationId: string; agent: string; document: string },
): Promise<void> => threads.clearAnswers(db, of, JSON.stringify(forgotten));

/** Content of a cleared answer. */
const forgotten = { answer: "", citations: [], documents: [] };

export const archiveThreads = (db: Db, organizationId: string, agentId: string): Promise<void> =>
  threads.archiveThreads(db, organizationId, agentId, now());
