/** HTTP routes of questions: as JSON, as events, and as the deprecated text stream. */
import {
  type AnswerMetadataJson,
  knowledgeEndpoints as endpoints,
  type KnowledgeRequestJson,
  type QuestionRequestJson,
} from "@sheaf/contract/knowledge.ts";
import type { Principal } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import { eventStreamHeaders, eventText } from "../../lib/server-sent-events.ts";
import type { Db } from "../../records/records.ts";
import { getPublicAsker } from "../agents/agent-lookup.service.ts";
import { answerEvents, closingEvents, withHeartbeat } from "./answer-events.ts";
import type { Asking, Knowledge, QuestionInput, Recorded } from "./knowledge.service.ts";

export interface KnowledgeRouteDeps {
  db: Db;
  log: Logger;
  knowledge: Knowledge;
  /** False if the operator has disabled the deprecated stream. */
  stream: boolean;
}

const inputOf = ({ query, instructions, historic, thread_id }: QuestionRequestJson): QuestionInput => ({
  query,
  ...(instructions && { instructions }),
  ...(historic && { historic }),
  ...(thread_id !== undefined && { threadId: thread_id }),
});

export const knowledgeRoutes = ({ db, log, knowledge, stream }: KnowledgeRouteDeps): AnyRoute[] => [
  route(endpoints.askKnowledge, ({ caller, path, body, signal, keep }) =>
    answer(knowledge, caller, path.agentReference, body, signal, keep),
  ),
  route(endpoints.askPublic, async ({ path, body, signal, keep }) =>
    answer(knowledge, await getPublicAsker(db, path.agentReference), path.agentReference, body, signal, keep),
  ),
  route(endpoints.askStream, async ({ caller, path, body, signal, keep }) => {
    const prepared = await knowledge.prepare(caller, path.agentReference, inputOf(body));
    const threadId = prepared.input.threadId ?? newId();
    const cites = isCited(body, prepared);
    const replayed = (recorded: Recorded) => {
      const begun = [
        { event: "thread" as const, data: { thread_id: threadId } },
        { event: "text" as const, data: { text: recorded.text } },
      ];
      return {
        body: [...begun, ...closingEvents(recorded, cites)].map(eventText).join(""),
        headers: eventStreamHeaders,
      };
    };
    const pieces = knowledge.stream(caller, { ...prepared, newThreadId: threadId }, signal, keep(replayed));
    const failed = (error: AppError) => {
      if (signal.aborted) return;
      const about = { err: error, thread: threadId, code: error.code };
      if (error.code === "internal_error") log.error(about, "a streamed answer failed");
      else log.warn(about, "a streamed answer failed");
    };
    return { body: withHeartbeat(answerEvents(threadId, pieces, cites, failed)), headers: eventStreamHeaders };
  }),
  route(endpoints.askDocumentalist, async ({ caller, path, body, signal, keep }) => {
    if (!stream) throw new AppError("gone");
    const asking = await knowledge.prepare(caller, path.agent_id, inputOf(body));
    const threadId = await knowledge.openThread(caller, asking);
    const goesOn = { ...asking, input: { ...asking.input, threadId } };
    const headers = { "x-thread-id": threadId };
    const atCommit = keep(({ text }: Recorded) => ({ body: text, headers }));
    const pieces = () => knowledge.stream(caller, goesOn, signal, atCommit);
    return { body: textOf(pieces, log, threadId, signal), headers };
  }),
];

async function answer(
  knowledge: Knowledge,
  principal: Principal,
  agent: string,
  body: KnowledgeRequestJson,
  signal: AbortSignal,
  keep: RouteRequest<typeof endpoints.askKnowledge>["keep"],
) {
  const asking = await knowledge.prepare(principal, agent, inputOf(body));
  const answered = await knowledge.answer(principal, asking, signal);
  const cites = isCited(body, asking);
  const reply = ({ threadId, text, citations, fallback }: Recorded) => {
    const data = { answer: text, ...(cites && { citations }) };
    const metadata: AnswerMetadataJson = { thread_id: threadId, ...(fallback && { fallback }) };
    return { body: { status: "success" as const, data, metadata } };
  };
  return reply(await knowledge.record(principal, asking, answered, keep(reply)));
}

const isCited = ({ include }: KnowledgeRequestJson, { agent }: Asking): boolean =>
  agent.showsSources && include?.includes("citations") === true;

/** Sent in the deprecated stream if answering fails after the status 200 was sent. */
const apology = "I am sorry, I could not answer this. Please try again later.";

async function* textOf(
  pieces: () => AsyncIterable<string>,
  log: Logger,
  threadId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let begun = false;
  try {
    for await (const piece of pieces()) {
      begun = true;
      yield piece;
    }
  } catch (error) {
    if (!signal.aborted) log.error({ err: error, thread: threadId }, "a streamed answer failed");
    // A client that has disconnected does not receive this text.
    yield begun ? `\n\n${apology}` : apology;
  }
}
