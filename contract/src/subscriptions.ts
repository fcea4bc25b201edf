/** Subscriptions: what the payment provider tells of them. Nobody else calls this. */
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

const receiveStripeEvent = defineEndpoint({
  operationId: "receiveStripeEvent",
  method: "POST",
  path: "/v2/stripe/webhook",
  summary: "Take an event of Stripe",
  description:
    "Called by Stripe, which signs the body in the header `Stripe-Signature`: a signature that is missing, wrong or older than five " +
    "minutes is 422 `invalid_request`. Events may come in any order and more than once; of those that say nothing of a subscription " +
    "or its customer nothing is kept. 404 `not_found` where the service is not configured for Stripe.",
  tag: "Subscriptions",
  auth: "none",
  body: component(
    "StripeEvent",
    Type.Object(
      {
        id: Type.String({ examples: ["evt_1QNffrLkdIwHu7ixvZ4Qd3xN"] }),
        object: Type.Literal("event"),
        type: Type.String({ examples: ["customer.subscription.updated"] }),
        created: Type.Integer({ description: "Seconds since 1970.", examples: [1_773_480_413] }),
        data: Type.Object({ object: Type.Object({}, { description: "A subscription, a checkout session, …" }) }),
      },
      { description: "An event as Stripe documents it; only what is used here is shown." },
    ),
  ),
  rawBody: { maxBytes: 1_048_576 },
  responses: { 200: { description: "The event was taken, or is none of interest.", body: success(Type.Object({})) } },
  errors: ["not_found"],
});

export const subscriptionsEndpoints = { receiveStripeEvent };
