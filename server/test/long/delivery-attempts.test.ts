/**
 * Retries of deliveries over HTTP, in real time. The last attempt is more than a minute after the
 * first.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listDeliveries } from "../../src/features/webhooks/events.service.ts";
import { openCanary } from "../../src/net/testing/receiver.ts";
import { describeSideBySide } from "../helpers/databases.ts";
import type { TestOrganization } from "../helpers/service.ts";
import { documentEvent, webhooksOver } from "../helpers/webhooks.ts";

describeSideBySide("delivery attempts", (dialect) => {
  const { parts, behaviours, put, emit, at, until } = webhooksOver(dialect);

  /** Allowed deviation of an attempt from its schedule, in seconds, on a busy machine. */
  const busyMachine = 3;

  test("retries follow the schedule of the contract, and 50 unresponsive receivers do not delay other deliveries", async (t) => {
    const statuses: Record<string, number> = {
      "200": 1,
      "204": 1,
      "301": 1,
      "302": 1,
      "307": 1,
      "308": 1,
      "400": 1,
      "401": 1,
      "404": 1,
      "410": 1,
      "422": 1,
      "429": 4,
      "500": 4,
      "503": 4,
    };
    const canary = await openCanary("127.0.0.3");
    t.after(() => canary.close());
    for (const status of Object.keys(statuses)) {
      const headers = { location: `http://127.0.0.3:${canary.port}/` };
      behaviours.set(`/status/${status}`, () => ({ status: Number(status), headers }));
    }
    behaviours.set("/status/reset", () => "reset");
    behaviours.set("/status/later", (count) => ({ status: count < 2 ? 500 : 200 }));
    behaviours.set("/status/wait", (count) =>
      count === 0 ? { status: 429, headers: { "retry-after": "30" } } : { status: 200 },
    );
    behaviours.set("/status/huge", () => "hugeBody");
    behaviours.set("/hole", () => "silence");
    const expected: Record<string, number> = { ...statuses, reset: 4, later: 3, wait: 2, huge: 1 };
    const hole = await parts.service.organization("Black hole");
    await put(hole, documentEvent, parts.receiver.url("/hole"));
    for (let i = 0; i < 50; i++) await emit(hole);
    await until(() => at("/hole").length > 0);
    const organizations = new Map<string, TestOrganization>();
    for (const name of Object.keys(expected)) {
      const organization = await parts.service.organization(`Status ${name}`);
      await put(organization, documentEvent, parts.receiver.url(`/status/${name}`));
      organizations.set(name, organization);
    }
    const emittedAt = performance.now();
    for (const organization of organizations.values()) await emit(organization);
    await until(() => Object.keys(expected).every((name) => at(`/status/${name}`).length > 0), 4_000);
    for (const name of Object.keys(expected)) {
      const [first] = at(`/status/${name}`);
      assert.ok((first?.at ?? 0) - emittedAt < 2_500, `${name} waited for others`);
    }
    await until(() => Object.entries(expected).every(([name, count]) => at(`/status/${name}`).length >= count), 90_000);
    await sleep(1_500);
    for (const [name, count] of Object.entries(expected)) {
      const requests = at(`/status/${name}`);
      assert.equal(requests.length, count, name);
      assert.equal(new Set(requests.map(({ body }) => JSON.parse(body.toString()).id)).size, 1, name);
      const pauses = requests.slice(1).map((request, i) => (request.at - (requests[i]?.at ?? 0)) / 1_000);
      for (const [i, least] of [1, 10, 60].entries()) {
        const pause = pauses[i];
        if (pause !== undefined)
          assert.ok(pause >= least - 0.01 && pause <= least * 1.2 + busyMachine, `${name}: ${pauses}`);
      }
      const organization = organizations.get(name) as TestOrganization;
      await until(async () => (await listDeliveries(parts.service.db, organization.id, 1))[0]?.status !== "pending");
      const [delivery] = await listDeliveries(parts.service.db, organization.id, 10);
      const delivered = ["200", "204", "later", "wait", "huge"].includes(name);
      assert.equal(delivery?.status, delivered ? "delivered" : "failed", name);
      assert.equal(delivery?.attempts.length, count, name);
      assert.ok(delivery?.attempts.every(({ response }) => (response ?? "").length <= 1_024));
    }
    assert.equal(canary.connections, 0);
    const stamps = at("/status/500").map(({ body }) => Date.parse(JSON.parse(body.toString()).timestamp));
    assert.ok((stamps[3] ?? 0) - (stamps[0] ?? 0) > 70_000, "the timestamp is that of the attempt");
  });
});
