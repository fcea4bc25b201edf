/** Subscriptions as reported by Stripe, the only caller of this endpoint. */
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

const receiveStripeEvent = defineEndpoint({
  operationId: "receiveStripeEvent",
  method: "POST",
  path: "/v2/stripe/webhook",
  summary: "Receive a Stripe event",
  description:
    "Called by Stripe, which sends a signature of the body in the `Stripe-Signature` header. A signature that is missing, wrong or older than five " +
    "minutes is 422 `invalid_request`. Events may arrive in any order and more than once. Events about anything but a subscription " +
    "or its customer are ignored. If the service is not configured for Stripe, the response is 404 `not_found`.",
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
      { description: "An event as documented by Stripe; only the members used here are shown." },
    ),
  ),
  rawBody: { maxBytes: 1_048_576 },
  responses: { 200: { description: "The event was applied or ignored.", body: success(Type.Object({})) } },
  errors: ["not_found"],
});

export const subscriptionsEndpoints = { receiveStripeEvent };
