/** Events: the body of a delivery, its signature and its retries. */
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
    path: Type.String({
      description: "Folder of the document in the corpus; empty at the top level.",
      examples: ["contracts/2026"],
    }),
  }),
);
export type DocumentIngestionJson = Static<typeof DocumentIngestion>;

export interface EventSpec {
  /** When the event is emitted. */
  summary: string;
  /** Schema of the member `data` of the envelope. */
  data: TSchema;
}

/** All events, by name. */
export const events = {
  "document.ingestion_completed": {
    summary:
      "A document uploaded through `POST /v2/agents/{reference}/documents` has been ingested, or its ingestion has failed.",
    data: DocumentIngestion,
  },
  "extraction.completed": {
    summary: "An asynchronous extraction has ended. Its result is also posted to the callback of the request.",
    data: ExtractionOutcome,
  },
  "classification.completed": {
    summary: "A classification has ended. Its result is also posted to the callback of the request, if it has one.",
    data: ClassificationOutcome,
  },
} as const satisfies Record<EventName, EventSpec>;

/** Type of the `data` of an event. */
export type EventData<Name extends EventName> = Static<(typeof events)[Name]["data"]>;

/** The body of a delivery. */
export interface EventJson<Name extends EventName = EventName> {
  /** ULID, which is the same in every attempt, so that receivers can detect duplicates. */
  id: string;
  event: Name;
  /** Time of the attempt, ISO 8601 UTC. */
  timestamp: string;
  /** True for a test event; otherwise absent. Its data is an example. */
  test?: boolean;
  data: EventData<Name>;
}

/** Returns the schema of the body of a delivery. */
export function eventSchema(name: EventName): TObject {
  return Type.Object({
    id: Type.String({
      pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
      description: "ULID of the delivery, which is the same in every attempt. Use it to detect duplicates.",
      examples: ["01JPA7Z3X5R9M2K8Q4T6V1W0YB"],
    }),
    event: Type.Literal(name),
    timestamp: timestamp("Time of this attempt."),
    test: Type.Optional(
      Type.Boolean({ description: "True for a test event, whose data is an example; otherwise absent." }),
    ),
    data: events[name].data,
  });
}

/**
 * Header with the signature: `sha256=` followed by the hexadecimal HMAC-SHA256 of the raw body. The
 * key is the whole secret as text.
 */
export const signatureHeader = "x-service-signature";

/**
 * Headers of Standard Webhooks, which are also sent: id of the delivery, seconds since 1970, and
 * `v1,` followed by the signature in base64.
 */
export const standardWebhooksHeaders = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

/** Prefix of a secret, which is followed by 32 random bytes in base64. */
export const webhookSecretPrefix = "whsec_";

export const deliveryRules = {
  /** Delay before each attempt, in seconds; the first attempt is immediate. */
  delaysSeconds: [0, 1, 10, 60],
  /** Maximum duration of an attempt, in seconds. */
  attemptTimeoutSeconds: 10,
  /** Maximum age of a `timestamp` that a receiver should accept, in seconds. */
  toleranceSeconds: 300,
} as const;
