/** Questions to a documentalist agent: as JSON, as events, and as the deprecated text stream. */
import type { Static, TSchema } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import type { Issue } from "./errors.ts";
import { Fallback } from "./fallback.ts";
import { Box, text, uuid } from "./formats.ts";
import { isRecord } from "./issues.ts";
import { limits } from "./limits.ts";
import { choice, component, withIssues } from "./schema.ts";
import Type from "./type.ts";
import { include } from "./upload.ts";

export const HistoricEntry = component(
  "HistoricEntry",
  Type.Object({
    role: choice(["user", "assistant"]),
    content: text({ maxLength: limits.historicContentMaxLength }),
  }),
);
export type HistoricEntryJson = Static<typeof HistoricEntry>;

const historic = withIssues(
  Type.Array(HistoricEntry, {
    maxItems: limits.maxHistoricEntries,
    description:
      "The conversation so far: alternating user and assistant messages, starting with the user. Cannot be combined with `thread_id`.",
  }),
  turnIssues,
);

const questionFields = {
  query: text({
    minLength: 1,
    maxLength: limits.queryMaxLength,
    description: "The question.",
    examples: ["What is the notice period?"],
  }),
  instructions: Type.Optional(
    Type.Array(text({ maxLength: limits.instructionMaxLength }), {
      maxItems: limits.maxInstructions,
      description: "Instructions for this answer only.",
    }),
  ),
  historic: Type.Optional(historic),
  thread_id: Type.Optional(
    uuid("Thread to continue, whose history the server stores. If absent, a new thread is created."),
  ),
};

/** Request members that all endpoints for questions accept. */
export const QuestionRequest = component("QuestionRequest", withIssues(Type.Object(questionFields), historyIssues));
export type QuestionRequestJson = Static<typeof QuestionRequest>;

export const KnowledgeRequest = component(
  "KnowledgeRequest",
  withIssues(
    Type.Object({
      ...questionFields,
      include: Type.Optional(
        include(
          ["citations"],
          "`citations` adds `data.citations`, unless the `sourceVisibility` of the agent is false.",
        ),
      ),
    }),
    historyIssues,
  ),
);
export type KnowledgeRequestJson = Static<typeof KnowledgeRequest>;

const AnswerRange = component(
  "AnswerRange",
  Type.Object(
    { start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 0 }) },
    {
      description:
        "Range of characters of the answer, from `start` up to but excluding `end`, counted in UTF-16 code units like the indexes of JavaScript strings.",
    },
  ),
);
export type AnswerRangeJson = Static<typeof AnswerRange>;

export const Citation = component(
  "Citation",
  Type.Object(
    {
      document_reference: uuid("The document."),
      agent_reference: Type.Optional(
        uuid(
          "The agent whose corpus contains the document. Absent in threads that an earlier version recorded; the agent of the thread holds the document then.",
        ),
      ),
      name: Type.String({ description: "File name of the document." }),
      path: Type.String({ description: "Folder of the document in the corpus; empty at the top level." }),
      page: Type.Integer({ minimum: 1, description: "Number of the page, starting at 1." }),
      quote: Type.String({ description: "Words of that page, quoted literally." }),
      boxes: Type.Array(Box, { description: "Location of the words: one box per line." }),
      ranges: Type.Optional(
        Type.Array(AnswerRange, {
          description: "The parts of the answer that the citation supports. Absent in threads of earlier versions.",
        }),
      ),
    },
    { description: "A passage on which the answer is based." },
  ),
);
export type CitationJson = Static<typeof Citation>;

export const Answer = component(
  "Answer",
  Type.Object({
    answer: Type.String({
      description: "The answer. If the corpus does not contain one, this text says so.",
      examples: ["The notice period is three months."],
    }),
    citations: Type.Optional(
      Type.Array(Citation, { description: 'Present only if requested with `include: ["citations"]`.' }),
    ),
  }),
);
export type AnswerJson = Static<typeof Answer>;

const AnswerMetadata = Type.Object({
  thread_id: uuid("Thread of the conversation. Pass it as `thread_id` to continue."),
  fallback: Type.Optional(Fallback),
});
export type AnswerMetadataJson = Static<typeof AnswerMetadata>;

const askKnowledge = defineEndpoint({
  operationId: "askKnowledge",
  method: "POST",
  path: "/v2/knowledge/{agentReference}",
  summary: "Ask a documentalist",
  description:
    "Answers only from the corpus of the agent. For an agent that is missing, private, of another type or of another " +
    "organization, the response is 404 `agent_not_found`. For a `thread_id` that does not belong to this agent, it is 404 `thread_not_found`.",
  tag: "Knowledge",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({
    agentReference: Type.String({ description: "Reference of the documentalist agent." }),
  }),
  body: KnowledgeRequest,
  responses: {
    200: {
      description: "The answer.",
      body: success(Answer, AnswerMetadata),
    },
  },
  errors: ["agent_not_found", "thread_not_found", "extraction_failed", "agent_unavailable", "agent_timeout"],
});

const eventOf = <const Name extends string, Data extends TSchema>(event: Name, data: Data, description: string) =>
  Type.Object({ event: Type.Literal(event), data }, { description });

/** Schema of one server-sent event: its name and its data, which is sent as JSON. */
export const AnswerEvent = component(
  "AnswerEvent",
  Type.Union(
    [
      eventOf(
        "thread",
        Type.Object({ thread_id: AnswerMetadata.properties.thread_id }),
        "The first event. A new thread exists from `done` on.",
      ),
      eventOf("text", Type.Object({ text: Type.String() }), "The next part of the answer."),
      eventOf(
        "citations",
        Type.Object({ citations: Type.Array(Citation) }),
        "All citations. Sent only if requested, and not if the `sourceVisibility` of the agent is false.",
      ),
      eventOf(
        "done",
        Type.Object({ answer: Type.String({ description: "The whole text." }), metadata: AnswerMetadata }),
        "The last event of an answer. The answer has then been recorded.",
      ),
      eventOf(
        "error",
        Type.Object({ code: Type.String(), error: Type.String() }),
        "The last event of a question that failed: code and message as in an error envelope. Nothing is recorded.",
      ),
    ],
    {
      description:
        "An event of a streamed answer: `thread`, `text` (any number), `citations`, `done`; or `error` as the last one.",
    },
  ),
);
export type AnswerEventJson = Static<typeof AnswerEvent>;

const askStream = defineEndpoint({
  operationId: "askStream",
  method: "POST",
  path: "/v2/knowledge/{agentReference}/stream",
  summary: "Ask a documentalist and receive the answer as events",
  description:
    "Like `askKnowledge`, but sends the answer as server-sent events while it is generated. The events are, in this order: `thread` `{thread_id}`, any number of `text` " +
    "`{text}`, `citations` `{citations}` if they were requested, `done` `{answer, metadata}`. An error before the first event is an " +
    "error envelope; a later one is the event `error` `{code, error}`, and nothing is recorded. A new thread exists " +
    "once `done` is sent. A comment line every 15 seconds keeps the connection open. If the client disconnects, the work is cancelled.",
  tag: "Knowledge",
  auth: "administrator",
  app: "member",
  pathParameters: askKnowledge.pathParameters,
  body: KnowledgeRequest,
  responses: {
    200: {
      description: "The events.",
      contentType: "text/event-stream; charset=utf-8",
      events: AnswerEvent,
      headers: {
        "cache-control": { description: "`no-store`." },
        "x-accel-buffering": { description: "Always `no`, so that proxies do not buffer the events." },
      },
    },
  },
  errors: ["agent_not_found", "thread_not_found"],
});

const askDocumentalist = defineEndpoint({
  operationId: "askDocumentalist",
  method: "POST",
  path: "/v2/documentalist/{agent_id}",
  summary: "Ask a documentalist, with a streamed answer",
  description:
    "Sends the answer as plain text while it is generated. Sources are not returned. If the request fails after the stream has started, an apology is added to " +
    "the text, and the status stays 200. For a missing agent or thread, the response is 404 with only the code, as plain text. The endpoint works after the " +
    "sunset until the operator disables it. From then on it responds with 410 `gone`.",
  tag: "Knowledge",
  auth: "administrator",
  app: "member",
  pathParameters: Type.Object({ agent_id: Type.String({ description: "Reference of the documentalist agent." }) }),
  body: QuestionRequest,
  responses: {
    200: {
      description: "The answer, in chunks.",
      contentType: "text/plain; charset=utf-8",
      headers: { "x-thread-id": { description: "Thread of the conversation. Pass it as `thread_id` to continue." } },
    },
  },
  errors: ["agent_not_found", "thread_not_found", "gone"],
  plainTextErrors: ["agent_not_found", "thread_not_found"],
  deprecated: {
    since: "2026-06-01T00:00:00Z",
    sunset: "2026-11-30T23:59:59Z",
    successor: "/v2/knowledge/{agentReference}",
  },
});

const askPublic = defineEndpoint({
  operationId: "askPublic",
  method: "POST",
  path: "/v2/public/{agentReference}",
  summary: "Ask a public agent",
  description:
    "Like `askKnowledge`, but open to anyone without a token. Only agents whose visibility is `public` answer; for any " +
    "other, the response is 404 `agent_not_found`. Requests are limited by client address.",
  tag: "Knowledge",
  auth: "none",
  pathParameters: Type.Object({ agentReference: Type.String({ description: "Reference of the public agent." }) }),
  body: KnowledgeRequest,
  responses: askKnowledge.responses,
  errors: ["agent_not_found", "thread_not_found", "extraction_failed", "agent_unavailable", "agent_timeout"],
});

export const knowledgeEndpoints = { askKnowledge, askStream, askDocumentalist, askPublic };

/**
 * Checks that the roles user and assistant alternate, starting with user. The value must have
 * passed the schema of `historic`.
 */
function turnIssues(value: unknown, path: string): Issue[] {
  const entries = value as HistoricEntryJson[];
  const index = entries.findIndex(({ role }, turn) => role !== (turn % 2 === 0 ? "user" : "assistant"));
  if (index === -1) return [];
  return [{ path: `${path}/${index}/role`, message: "user and assistant must take turns, beginning with user" }];
}

function historyIssues(value: unknown, path: string): Issue[] {
  if (!isRecord(value) || value.historic === undefined || value.thread_id === undefined) return [];
  return [{ path: `${path}/historic`, message: "cannot be combined with thread_id" }];
}
