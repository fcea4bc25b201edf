/** HTTP routes of questions: as JSON, and as the deprecated text stream. */
import {
  type AnswerMetadataJson,
  knowledgeEndpoints as endpoints,
  type KnowledgeRequestJson,
  type QuestionRequestJson,
} from "@sheaf/contract/knowledge.ts";
import type { Principal } from "../../lib/caller.ts";
import { AppError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { type AnyRoute, type RouteRequest, route } from "../../lib/route.ts";
import type { Db } from "../../records/records.ts";
import { getPublicAsker } from "../agents/agent-lookup.service.ts";
import type { Knowledge, QuestionInput, Recorded } from "./knowledge.service.ts";

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
  route(endpoints.askDocumentalist, async ({ caller, path, body, signal, keep }) => {
    if (!stream) throw new AppError("gone");
    const asking = await knowledge.prepare(caller, path.agent_id, inputOf(body));
    const threadId = await knowledge.openThread(caller, asking);
    const goesOn = { ...asking, input: { ...asking.input, threadId } };
    const headers = { "x-thread-id": threadId };
    const atCommit = keep(({ text }: Recorded) => ({ body: text, headers }));
    const pieces = knowledge.stream(caller, goesOn, signal, atCommit);
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
  const cites = body.include?.includes("citations") && asking.agent.showsSources;
  const { fallback } = answered;
  const reply = ({ threadId, text }: Recorded) => {
    const data = { answer: text, ...(cites && { citations: answered.citations }) };
    const metadata: AnswerMetadataJson = { thread_id: threadId, ...(fallback && { fallback }) };
    return { body: { status: "success" as const, data, metadata } };
  };
  return reply(await knowledge.record(principal, asking, answered, keep(reply)));
}

/** Sent instead of an answer if it fails after the status was sent. */
const apology = "I am sorry, I could not answer this. Please try again later.";

async function* textOf(
  pieces: AsyncIterable<string>,
  log: Logger,
  threadId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let begun = false;
  try {
    for await (const piece of pieces) {
      begun = true;
      yield piece;
    }
  } catch (error) {
    if (!signal.aborted) log.error({ err: error, thread: threadId }, "a streamed answer failed");
    // A client that has disconnected does not receive it.
    yield begun ? `\n\n${apology}` : apology;
  }
}
