/** Events: what is delivered to a webhook, how it is signed, how often it is tried. */
import type { Static, TObject, TSchema } from "typebox";
import { ClassificationOutcome } from "./classification.ts";
import { ExtractionOutcome } from "./extraction.ts";
import { timestamp, uuid } from "./formats.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

export const eventNames = ["document.ingestion_completed", "extraction.completed", "classification.completed"] as const;
export type EventName = (typeof eventNames)[number];

export const DocumentIngestion = component(
  "DocumentIngestion",
  Type.Object({
    agent_reference: uuid("The agent."),
    document_reference: uuid("The document."),
    status: choice(["ready", "error"]),
    name: Type.String({ description: "File name of the document.", examples: ["terms-2026.pdf"] }),
    path: Type.String({ description: "Its path in the corpus; empty at the top.", examples: ["contracts/2026"] }),
  }),
);
export type DocumentIngestionJson = Static<typeof DocumentIngestion>;

export interface EventSpec {
  /** When it is emitted. */
  summary: string;
  /** Schema of the member `data` of the envelope. */
  data: TSchema;
}

/** The events, by name. */
export const events = {
  "document.ingestion_completed": {
    summary:
      "A document uploaded through `POST /v2/agents/{reference}/documents` has been ingested, or has failed to be.",
    data: DocumentIngestion,
  },
  "extraction.completed": {
    summary: "An asynchronous extraction has ended. Its result is also posted to the callback of the request.",
    data: ExtractionOutcome,
  },
  "classification.completed": {
    summary: "A classification has ended. Its result is also posted to the callback of the request, where it has one.",
    data: ClassificationOutcome,
  },
} as const satisfies Record<EventName, EventSpec>;

/** Type of the `data` of an event. */
export type EventData<Name extends EventName> = Static<(typeof events)[Name]["data"]>;

/** The body of a delivery. */
export interface EventJson<Name extends EventName = EventName> {
  /** ULID, the same on every attempt: receivers deduplicate by it. */
  id: string;
  event: Name;
  /** Time of the attempt, ISO 8601 UTC. */
  timestamp: string;
  data: EventData<Name>;
}

/** Schema of the body of a delivery. */
export function eventSchema(name: EventName): TObject {
  return Type.Object({
    id: Type.String({
      pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
      description: "ULID of the delivery, the same on every attempt: deduplicate by it.",
      examples: ["01JPA7Z3X5R9M2K8Q4T6V1W0YB"],
    }),
    event: Type.Literal(name),
    timestamp: timestamp("When this attempt was made."),
    data: events[name].data,
  });
}

/** The header that carries the signature: `sha256=` and, in hex, the HMAC-SHA256 of the raw body; the key is the whole secret as text. */
export const signatureHeader = "x-service-signature";

/** The headers of Standard Webhooks, sent beside it: id of the delivery, seconds since 1970, `v1,` and the signature in base64. */
export const standardWebhooksHeaders = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

/** The secret begins with this; 32 random bytes in base64 follow. */
export const webhookSecretPrefix = "whsec_";

export const deliveryRules = {
  /** Delay before each attempt, in seconds; the first is at once. */
  delaysSeconds: [0, 1, 10, 60],
  /** An attempt that takes longer has failed. */
  attemptTimeoutSeconds: 10,
  /** How old a `timestamp` a receiver should accept. */
  toleranceSeconds: 300,
} as const;
