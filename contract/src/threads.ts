/**
 * Threads: stored conversations between a caller and an agent that answers questions: a
 * documentalist or a personal agent.
 */
import type { Static } from "typebox";
import { agentParameters } from "./agents.ts";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { Citation } from "./knowledge.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

const threadFields = {
  thread_id: uuid("Id of the thread. Pass it as `thread_id` to continue."),
  title: Type.String({
    description: "The given title, or the beginning of the first question.",
    examples: ["Notice period"],
  }),
  created_at: timestamp("When the thread was created."),
  updated_at: timestamp("When the last question was recorded. A new title does not change it."),
  archived_at: Type.Union([timestamp("When the thread was archived."), Type.Null()], {
    description: "Time at which the thread was archived; null if it is not archived.",
  }),
};

export const Thread = component("Thread", Type.Object(threadFields, { description: "A conversation with an agent." }));
export type ThreadJson = Static<typeof Thread>;

export const ThreadTurn = component(
  "ThreadTurn",
  Type.Object(
    {
      query: Type.String({ description: "The question." }),
      answer: Type.Union([Type.String(), Type.Null()], {
        description:
          "The answer. Empty if a document on which it was based was deleted later; null if the history in a request had no answer.",
      }),
      citations: Type.Array(Citation, {
        description: "Citations of the answer. Empty if the `sourceVisibility` of the agent is false.",
      }),
      created_at: timestamp("When the question was recorded."),
    },
    { description: "A question and its answer." },
  ),
);
export type ThreadTurnJson = Static<typeof ThreadTurn>;

export const ThreadDetail = component(
  "ThreadDetail",
  Type.Object(
    { ...threadFields, turns: Type.Array(ThreadTurn, { description: "Oldest first." }) },
    { description: "A conversation with its turns." },
  ),
);
export type ThreadDetailJson = Static<typeof ThreadDetail>;

export const UpdateThreadRequest = component(
  "UpdateThreadRequest",
  Type.Object(
    {
      title: Type.Optional(text({ minLength: 1, maxLength: limits.threadTitleMaxLength, examples: ["Notice period"] })),
      archived: Type.Optional(Type.Boolean({ description: "An archived thread cannot be continued." })),
    },
    { description: "Changes. Absent members keep their value." },
  ),
);
export type UpdateThreadRequestJson = Static<typeof UpdateThreadRequest>;

const threadParameters = Type.Object({
  ...agentParameters.properties,
  threadId: Type.String({ description: "Id of the thread." }),
});

/** Last part of the description of each endpoint. */
const own =
  "In the web application, a thread is visible only to the user to whom it belongs, not even to administrators. Through the API, the threads " +
  "created with tokens of the organization are visible. Threads of public questions are not listed.";

const listThreads = defineEndpoint({
  operationId: "listThreads",
  method: "GET",
  path: "/v2/agents/{reference}/threads",
  summary: "List the threads with an agent",
  description: `Lists the caller's own threads with this agent, most recently used first. ${own}`,
  tag: "Knowledge",
  auth: "administrator",
  app: "member",
  pathParameters: agentParameters,
  query: Type.Object({
    ...pageQuery.properties,
    archived: Type.Optional(
      choice(["true", "false"], { description: "`true`: lists the archived threads instead. Default: `false`." }),
    ),
  }),
  responses: { 200: { description: "The threads.", body: list(Thread) } },
  errors: ["agent_not_found", "invalid_agent_type", "invalid_request"],
});

const getThread = defineEndpoint({
  operationId: "getThread",
  method: "GET",
  path: "/v2/agents/{reference}/threads/{threadId}",
  summary: "Get a thread",
  description: `Returns the thread with its questions and answers, even if it is archived. ${own}`,
  tag: "Knowledge",
  auth: "administrator",
  app: "member",
  pathParameters: threadParameters,
  responses: { 200: { description: "The thread.", body: success(ThreadDetail) } },
  errors: ["agent_not_found", "invalid_agent_type", "thread_not_found"],
});

const updateThread = defineEndpoint({
  operationId: "updateThread",
  method: "PATCH",
  path: "/v2/agents/{reference}/threads/{threadId}",
  summary: "Rename or archive a thread",
  description: `Sets the title, archives the thread, or restores it. ${own}`,
  tag: "Knowledge",
  auth: "administrator",
  app: "member",
  pathParameters: threadParameters,
  body: UpdateThreadRequest,
  responses: { 200: { description: "The changed thread.", body: success(Thread) } },
  errors: ["agent_not_found", "invalid_agent_type", "thread_not_found"],
});

export const threadsEndpoints = { listThreads, getThread, updateThread };
