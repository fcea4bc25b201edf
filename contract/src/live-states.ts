/** Server-sent events that report changes of state, such as a document becoming `ready`. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { uuid } from "./formats.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

/** Kinds of objects whose state can be watched. */
export const watchedTypes = [
  "document",
  "extraction",
  "classification",
  "kept_extraction",
  "kept_classification",
  "delivery",
  "agent",
] as const;
export type WatchedType = (typeof watchedTypes)[number];

export const watchedStatuses = [
  "pending",
  "ready",
  "started",
  "success",
  "error",
  "to_review",
  "reviewed",
  "original",
  "corrected",
  "delivered",
  "failed",
  "deleted",
] as const;
export type WatchedStatus = (typeof watchedStatuses)[number];

const StateChange = component(
  "StateChange",
  Type.Object(
    {
      type: choice(watchedTypes, {
        description:
          "`extraction` and `classification` are asynchronous operations; `kept_extraction` is an extraction kept for review, and `kept_classification` a " +
          "classification kept for corrections. `delivery` is a delivery to a webhook or callback, reported to administrators. An `agent` is reported only when it is deleted. Clients should ignore " +
          "types that they do not know.",
      }),
      reference: Type.String({
        minLength: 26,
        maxLength: 36,
        description:
          "UUID of the document or agent, or id of the extraction or classification. For a delivery, its ULID.",
        examples: ["0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77"],
      }),
      agent_reference: Type.Union([uuid("The agent to which the object belongs."), Type.Null()]),
      status: choice(watchedStatuses, {
        description:
          "The state at the time of the change. `pending` is also reported for a document while its pages are read, and for a delivery after a failed attempt.",
      }),
    },
    { description: "A change of state. Contains no names and no content." },
  ),
);
export type StateChangeJson = Static<typeof StateChange>;

/** Schema of one server-sent event: its name and its data, which is sent as JSON. */
export const LiveEvent = component(
  "LiveEvent",
  Type.Union(
    [
      Type.Object(
        { event: Type.Literal("resync"), data: Type.Object({}) },
        {
          description:
            "Changes may have been missed: request all displayed states again. Always the first event; sent again if too many changes happened at once.",
        },
      ),
      Type.Object({ event: Type.Literal("state"), data: StateChange }, { description: "A change of state." }),
      Type.Object(
        { event: Type.Literal("heartbeat"), data: Type.Object({}) },
        { description: "Sent after 15 seconds without another event." },
      ),
      Type.Object(
        { event: Type.Literal("error"), data: Type.Object({ code: Type.String(), error: Type.String() }) },
        {
          description:
            "The last event: code and message as in an error envelope. `unauthorized` and `forbidden` mean that access has ended; after `agent_unavailable`, open the stream again.",
        },
      ),
    ],
    { description: "An event of the stream: `resync`, `state` or `heartbeat`, or `error` as the last event." },
  ),
);
export type LiveEventJson = Static<typeof LiveEvent>;

const watchStates = defineEndpoint({
  operationId: "watchStates",
  method: "GET",
  path: "/v2/events",
  summary: "Watch states",
  description:
    "Sends a server-sent event whenever the state of a document, extraction, classification or delivery that the caller may see changes, " +
    "usually within two seconds. If an agent is deleted, its documents and kept extractions are reported too; if there are many, the event `resync` is sent instead. The stream does not end by itself. It ends with the event `error` when the token or session ends, when the caller " +
    "loses access, and when the service stops. Events are not stored for later: after a new connection, the first event `resync` asks the client to get " +
    "the states again. The events of one object may be merged: the last one has its latest state. Each user or credential may have 10 streams; more are 429 `rate_limited`.",
  tag: "Events",
  auth: "administrator",
  app: "member",
  responses: {
    200: {
      description: "The events.",
      contentType: "text/event-stream; charset=utf-8",
      events: LiveEvent,
      headers: {
        "cache-control": { description: "`no-store`." },
        "x-accel-buffering": { description: "Always `no`, so that proxies do not buffer the events." },
      },
    },
  },
  isEndless: true,
  errors: [],
});

export const liveStatesEndpoints = { watchStates };
