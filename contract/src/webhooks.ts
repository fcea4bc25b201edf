/** Webhooks: one URL per event and organization. `events.ts` defines what is delivered. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { eventNames } from "./events.ts";
import { timestamp } from "./formats.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

const event = choice(eventNames, { description: "Kind of event." });
const url = Type.String({
  description: "URL to which the event is delivered.",
  examples: ["https://example.com/hooks/sheaf"],
});

export const Webhook = component(
  "Webhook",
  Type.Object({
    event,
    url,
    created_at: timestamp("When the webhook was configured."),
    updated_at: timestamp("Time at which the URL was last set."),
  }),
);
export type WebhookJson = Static<typeof Webhook>;

export const CreatedWebhook = component(
  "CreatedWebhook",
  Type.Object({
    event,
    url,
    secret: Type.String({
      pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
      description: "Secret key that signs deliveries, as text including its prefix. Shown only once.",
      examples: ["whsec_0J2yV3q5bW9uYXJjaC1zYWx0LWFuZC1wZXBwZXItMTI="],
    }),
  }),
);
export type CreatedWebhookJson = Static<typeof CreatedWebhook>;

export const ChangedWebhook = component("ChangedWebhook", Type.Object({ event, url }));
export type ChangedWebhookJson = Static<typeof ChangedWebhook>;

export const WebhookDeletion = component("WebhookDeletion", Type.Object({ event }));
export type WebhookDeletionJson = Static<typeof WebhookDeletion>;

export const PutWebhookRequest = component(
  "PutWebhookRequest",
  Type.Object({
    url: Type.String({
      minLength: 1,
      maxLength: limits.urlMaxLength,
      description: "Public `https://` URL. Private, loopback and internal addresses are refused.",
      examples: ["https://example.com/hooks/sheaf"],
    }),
  }),
);
export type PutWebhookRequestJson = Static<typeof PutWebhookRequest>;

/**
 * Path parameters of the endpoints of one event. The response to an unknown event is 422
 * `invalid_request`.
 */
const pathParameters = Type.Object({ event });

const putWebhook = defineEndpoint({
  operationId: "putWebhook",
  method: "PUT",
  path: "/v2/organization/webhooks/{event}",
  summary: "Set the webhook URL of an event",
  description:
    "The first call creates a secret and returns it once. Later calls only change the URL. For a new secret, delete the webhook and " +
    "set it again.",
  tag: "Webhooks",
  auth: "administrator",
  pathParameters,
  body: PutWebhookRequest,
  responses: {
    200: { description: "The URL was changed; the secret is unchanged.", body: success(ChangedWebhook) },
    201: { description: "The webhook was configured.", body: success(CreatedWebhook) },
  },
  errors: ["organization_not_found"],
});

const listWebhooks = defineEndpoint({
  operationId: "listWebhooks",
  method: "GET",
  path: "/v2/organization/webhooks",
  summary: "List the webhooks",
  tag: "Webhooks",
  auth: "administrator",
  responses: { 200: { description: "The webhooks, without their secrets.", body: list(Webhook) } },
  query: pageQuery,
  errors: ["organization_not_found", "invalid_request"],
});

const deleteWebhook = defineEndpoint({
  operationId: "deleteWebhook",
  method: "DELETE",
  path: "/v2/organization/webhooks/{event}",
  summary: "Delete the webhook of an event",
  tag: "Webhooks",
  auth: "administrator",
  pathParameters,
  responses: { 200: { description: "The webhook was deleted.", body: success(WebhookDeletion) } },
  errors: ["organization_not_found", "webhook_not_found", "invalid_request"],
});

export const webhooksEndpoints = { putWebhook, listWebhooks, deleteWebhook };
