/** Outgoing requests in OpenAPI: deliveries to webhooks, and results posted to callbacks. */
import type { TSchema } from "typebox";
import {
  deliveryRules,
  type EventName,
  eventSchema,
  events,
  signatureHeader,
  standardWebhooksHeaders,
} from "./events.ts";
import { exampleOf } from "./example.ts";
import type { Components, JsonSchema } from "./json-schema.ts";

/** Returns the `webhooks` section of the OpenAPI document, with one entry per event. */
export function webhookOperations(names: readonly EventName[], components: Components): Record<string, JsonSchema> {
  const operations = names.map((name) => {
    const operation = deliveryOperation(events[name].summary, eventSchema(name), true, components);
    return [name, { post: { operationId: name, tags: ["Webhooks"], ...operation } }] as const;
  });
  return Object.fromEntries(operations);
}

/**
 * Describes one outgoing POST.
 * @param isSigned true if the request is always signed; false if it is signed only for
 * organizations that have a webhook for the event, and therefore a secret
 */
export function deliveryOperation(
  summary: string,
  body: TSchema,
  isSigned: boolean,
  components: Components,
): JsonSchema {
  return {
    summary,
    description: deliveryDescription,
    security: [],
    parameters: signatureHeaders(isSigned),
    requestBody: {
      required: true,
      content: { "application/json": { schema: components.convert(body), example: exampleOf(body) } },
    },
    responses: {
      "2XX": { description: "Accepted." },
      "429": { description: "The delivery is retried." },
      "4XX": { description: "Refused. The delivery is not retried." },
      "5XX": { description: "The delivery is retried." },
    },
  };
}

const deliveryDescription =
  `An attempt takes at most ${deliveryRules.attemptTimeoutSeconds} seconds. It is retried ` +
  `${deliveryRules.delaysSeconds.slice(1).join(", then ")} seconds after the previous one if the URL cannot be reached, does not respond in ` +
  "time, or responds with 429 or 5xx. Redirects are not followed. The same delivery can arrive more than once.";

function signatureHeaders(required: boolean): JsonSchema[] {
  const header = (name: string, description: string, pattern: string) => ({
    name,
    in: "header",
    required,
    description,
    schema: { type: "string", pattern },
  });
  return [
    header(
      signatureHeader,
      "`sha256=` and the hex HMAC-SHA256 of the raw body. The key is the whole secret as text.",
      "^sha256=[0-9a-f]{64}$",
    ),
    header(standardWebhooksHeaders.id, "Standard Webhooks: the id of the delivery.", "^.+$"),
    header(
      standardWebhooksHeaders.timestamp,
      "Standard Webhooks: time of the attempt, in seconds since 1970.",
      "^[0-9]+$",
    ),
    header(standardWebhooksHeaders.signature, "Standard Webhooks: `v1,` and the signature in base64.", "^v1,.+$"),
  ];
}
