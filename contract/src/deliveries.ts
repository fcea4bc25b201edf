/** The delivery log: deliveries to webhooks and callbacks, their attempts, replay and test events. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { eventNames } from "./events.ts";
import { count, timestamp } from "./formats.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

const event = choice(eventNames, { description: "Kind of event." });

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const deliveryId = Type.String({
  description: "ULID of the delivery, which is the `id` that the receiver gets.",
  examples: ["01JPA7Z3X5R9M2K8Q4T6V1W0YB"],
});
const status = choice(deliveryStatuses, {
  description: "`failed`: refused by the receiver, failed at the last attempt, or cancelled.",
});

const fields = {
  id: deliveryId,
  event,
  kind: choice(["webhook", "callback"], {
    description: "`webhook`: sent to the webhook of the event; `callback`: to the URL of one request.",
  }),
  status,
  failure: Type.Union([Type.String(), Type.Null()], {
    description: "Reason for the failure, in words; null if the delivery has not failed.",
    examples: ["The receiver responded with 500. This was the last attempt."],
  }),
  test: Type.Boolean({ description: "True if it is a test event." }),
  attempts_count: count("Number of attempts so far.", 1),
  created_at: timestamp("Time of the event."),
  ended_at: Type.Union([timestamp("Time at which the delivery succeeded or failed."), Type.Null()], {
    description: "Time at which the delivery succeeded or failed; null while it is pending.",
  }),
};

export const DeliverySummary = component(
  "DeliverySummary",
  Type.Object(fields, { description: "A delivery in a list, without its attempts." }),
);
export type DeliverySummaryJson = Static<typeof DeliverySummary>;

export const DeliveryAttempt = component(
  "DeliveryAttempt",
  Type.Object({
    attempt: Type.Integer({ minimum: 1, description: "Number of the attempt, starting at 1." }),
    attempted_at: timestamp("Time at which the attempt began. This is also the `timestamp` of its body."),
    url: Type.String({
      description: "URL to which the delivery was sent.",
      examples: ["https://example.com/hooks/sheaf"],
    }),
    http_status: Type.Union([Type.Integer(), Type.Null()], {
      description: "Status of the response; null if there was none. Its headers and body are never shown.",
      examples: [200],
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: "Reason why there was no response, in words; null if there was one.",
      examples: ["The receiver could not be reached."],
    }),
    duration_ms: count("Duration in milliseconds.", 84),
  }),
);
export type DeliveryAttemptJson = Static<typeof DeliveryAttempt>;

export const Delivery = component(
  "Delivery",
  Type.Object({
    ...fields,
    attempts: Type.Array(DeliveryAttempt, { description: "All attempts, first to last." }),
    request_body: Type.Union([Type.String(), Type.Null()], {
      description: "The exact body that the last attempt sent; null before the first attempt.",
      examples: ['{"id":"01JPA7Z3X5R9M2K8Q4T6V1W0YB","event":"document.ingestion_completed"}'],
    }),
  }),
);
export type DeliveryJson = Static<typeof Delivery>;

export const QueuedDelivery = component(
  "QueuedDelivery",
  Type.Object({ id: deliveryId, status: Type.Literal("pending") }),
);
export type QueuedDeliveryJson = Static<typeof QueuedDelivery>;

const common = { tag: "Webhooks", auth: "administrator" } as const;
/**
 * Path parameters of the endpoints of one event. An unknown event is refused with 422
 * `invalid_request`.
 */
const ofEvent = { ...common, pathParameters: Type.Object({ event }) } as const;
const ofDelivery = {
  ...common,
  pathParameters: Type.Object({ deliveryId: Type.String({ description: "Id of the delivery." }) }),
} as const;

const listDeliveries = defineEndpoint({
  ...ofEvent,
  operationId: "listDeliveries",
  method: "GET",
  path: "/v2/organization/webhooks/{event}/deliveries",
  summary: "List the deliveries of an event",
  description:
    "Lists deliveries to the webhook and to callbacks, newest first. They are kept for 30 days after their end, even if the webhook is deleted. " +
    "They are returned in pages, of 1,000 deliveries if no `limit` is given.",
  query: Type.Object({
    ...pageQuery.properties,
    status: Type.Optional(choice(deliveryStatuses, { description: "Only deliveries with this status." })),
  }),
  responses: { 200: { description: "The deliveries, without their attempts.", body: list(DeliverySummary) } },
  errors: ["invalid_request"],
});

const getDelivery = defineEndpoint({
  ...ofDelivery,
  operationId: "getDelivery",
  method: "GET",
  path: "/v2/organization/deliveries/{deliveryId}",
  summary: "Get a delivery with its attempts",
  responses: { 200: { description: "The delivery.", body: success(Delivery) } },
  errors: ["not_found"],
});

const replayDelivery = defineEndpoint({
  ...ofDelivery,
  operationId: "replayDelivery",
  method: "POST",
  path: "/v2/organization/deliveries/{deliveryId}/replay",
  summary: "Send a delivery again",
  description:
    "Starts a new series of attempts with the same `id` and data, signed with the current secret and sent to the current URL. While the " +
    "delivery is pending, the response is 409 `conflict`. If the event has no webhook, the response is 404 `webhook_not_found`.",
  responses: { 202: { description: "The delivery is pending again.", body: success(QueuedDelivery) } },
  errors: ["not_found", "webhook_not_found"],
});

const testWebhook = defineEndpoint({
  ...ofEvent,
  operationId: "testWebhook",
  method: "POST",
  path: "/v2/organization/webhooks/{event}/test",
  summary: "Send a test event",
  description:
    "Sends an event with example data and `test: true` to the webhook. It is signed and retried like any other event.",
  responses: { 202: { description: "The test event is pending.", body: success(QueuedDelivery) } },
  errors: ["webhook_not_found", "invalid_request"],
});

export const deliveriesEndpoints = { listDeliveries, getDelivery, replayDelivery, testWebhook };
