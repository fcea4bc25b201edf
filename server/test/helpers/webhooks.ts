/**
 * Set-up shared by webhook tests: a service, a receiver with configurable behaviour, and events to
 * emit.
 */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { emitEvent } from "../../src/features/webhooks/events.service.ts";
import { type Behaviour, openReceiver, type Received, type Receiver } from "../../src/net/testing/receiver.ts";
import type { Dialect } from "./databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./service.ts";

const outbound = { SHEAF_OUTBOUND_ALLOW: "127.0.0.2", SHEAF_OUTBOUND_HTTP: "on" };

export const documentEvent = "document.ingestion_completed";

const told = (name: string) => ({
  agent_reference: "01a1fce6-9b40-7f47-bb4f-2083650639b5",
  document_reference: "01a1fce6-9b7a-7c18-8743-cc1a06e8eb34",
  status: "ready" as const,
  name,
  path: "",
});

/**
 * Opens a service and a receiver before the tests of the calling suite, and closes both after the
 * tests.
 */
export function webhooksOver(dialect: Dialect) {
  const parts = {} as { service: TestService; receiver: Receiver };
  /** Behaviour of the receiver by path; status 200 if none is set. */
  const behaviours = new Map<string, (count: number, request: Received) => Behaviour>();

  before(async () => {
    parts.service = await openTestService(dialect, outbound);
    parts.receiver = await openReceiver({
      host: "127.0.0.2",
      behave: (request, count) => behaviours.get(request.path)?.(count, request) ?? { status: 200 },
    });
  });
  after(async () => {
    await parts.receiver?.close();
    await parts.service?.[Symbol.asyncDispose]();
  });

  const put = (organization: TestOrganization, event: string, url: string) =>
    organization.administrator.send("PUT", `/v2/organization/webhooks/${event}`, { url });
  const emit = (organization: TestOrganization, name = "a.pdf") =>
    parts.service.db.transaction().execute((db) => emitEvent(db, organization.id, documentEvent, told(name)));
  const at = (path: string) => parts.receiver.received.filter((request) => request.path === path);
  const until = async (reached: () => boolean | Promise<boolean>, withinMs = 60_000) => {
    for (const deadline = performance.now() + withinMs; !(await reached()); await sleep(10))
      assert.ok(performance.now() < deadline, "it takes too long");
  };
  return { parts, behaviours, put, emit, at, until };
}
