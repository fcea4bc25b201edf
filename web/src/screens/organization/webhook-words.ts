/** Translations of the events that webhooks receive. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { EventName } from "@sheaf/client";

export const webhookEvents = [
  "document.ingestion_completed",
  "extraction.completed",
  "classification.completed",
] as const satisfies readonly EventName[];

export const eventWords: Record<EventName, { name: MessageDescriptor; description: MessageDescriptor }> = {
  "document.ingestion_completed": {
    name: msg`Document ingested`,
    description: msg`A document that a program uploaded to a corpus is ready, or could not be processed. Uploads in this web application send no event.`,
  },
  "extraction.completed": {
    name: msg`Extraction ended`,
    description: msg`An extraction that a program started in the background has ended.`,
  },
  "classification.completed": {
    name: msg`Classification ended`,
    description: msg`A file has been split and classified, or could not be.`,
  },
};
