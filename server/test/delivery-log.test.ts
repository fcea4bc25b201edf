/** The delivery log over HTTP: attempts, replay and test events, with a real receiver. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { eventNames, events } from "@sheaf/contract/events.ts";
import { compile } from "@sheaf/contract/validate.ts";
import { Webhook } from "standardwebhooks";
import { emitToCallback } from "../src/features/webhooks/events.service.ts";
import { newId, newUlid } from "../src/lib/ids.ts";
import { describeSideBySide } from "./helpers/databases.ts";
import { join } from "./helpers/people.ts";
import type { TestOrganization } from "./helpers/service.ts";
import { documentEvent, webhooksOver } from "./helpers/webhooks.ts";

describeSideBySide("the delivery log", (dialect) => {
  const { parts, behaviours, put, emit, at, until } = webhooksOver(dialect);
  const logOf = async ({ administrator }: TestOrganization, query = "", event = documentEvent) =>
    (await administrator.send("GET", `/v2/organization/webhooks/${event}/deliveries${query}`)).body.data;
  const one = async ({ administrator }: TestOrganization, id: string) =>
    (await administrator.send("GET", `/v2/organization/deliveries/${id}`)).body.data;
  const replay = ({ administrator }: TestOrganization, id: string, headers = {}) =>
    administrator.send("POST", `/v2/organization/deliveries/${id}/replay`, undefined, headers);
  const tested = ({ administrator }: TestOrganization, event = documentEvent) =>
    administrator.send("POST", `/v2/organization/webhooks/${event}/test`);
  const ended = (organization: TestOrganization, id: string) =>
    until(async () => (await one(organization, id)).status !== "pending");

  test("the log shows each attempt and the sent body; of the receiver's response it shows only the status", async () => {
    const organization = await parts.service.organization("Logged");
    const secretOfReceiver = "internal-secret-of-the-receiver";
    behaviours.set("/logged", (count) => ({
      status: count === 0 ? 503 : 418,
      body: secretOfReceiver,
      headers: { "x-inner": secretOfReceiver },
    }));
    await put(organization, documentEvent, parts.receiver.url("/logged"));
    await emit(organization, "söme.pdf");
    const [pending] = await logOf(organization);
    assert.deepEqual([pending.kind, pending.test, pending.event], ["webhook", false, documentEvent]);
    await ended(organization, pending.id);
    const delivery = await one(organization, pending.id);
    assert.deepEqual([delivery.status, delivery.failure], ["failed", "The receiver responded with 418."]);
    assert.deepEqual(
      delivery.attempts.map(({ attempt, http_status, error, url }: Record<string, unknown>) => [
        attempt,
        http_status,
        error,
        url,
      ]),
      [503, 418].map((status, index) => [index + 1, status, null, parts.receiver.url("/logged")]),
    );
    assert.equal(delivery.request_body, at("/logged").at(-1)?.body.toString("utf8"));
    assert.equal(JSON.parse(delivery.request_body).timestamp, delivery.attempts[1].attempted_at);
    const shown = JSON.stringify([delivery, await logOf(organization)]);
    assert.ok(!shown.includes(secretOfReceiver));
    const { attempts, request_body, ...summary } = delivery;
    assert.deepEqual(await logOf(organization), [{ ...summary, attempts_count: attempts.length }]);
  });

  test("if a receiver cannot be reached, the attempt has an error message and no status", async () => {
    const organization = await parts.service.organization("Unreachable");
    await put(organization, documentEvent, "http://127.0.0.2:1/");
    const { id } = (await tested(organization)).body.data;
    await until(async () => (await one(organization, id)).attempts_count > 0);
    const [attempt] = (await one(organization, id)).attempts;
    assert.deepEqual([attempt.http_status, attempt.error], [null, "The receiver could not be reached."]);
  });

  test("deliveries are listed newest first, in pages and by status, including those of a deleted webhook", async () => {
    const organization = await parts.service.organization("Listed");
    await put(organization, documentEvent, parts.receiver.url("/listed"));
    for (const name of ["a.pdf", "b.pdf", "c.pdf"]) {
      await emit(organization, name);
      await until(
        async () => (await logOf(organization, "?status=delivered")).length === "abc".indexOf(name[0] ?? "") + 1,
      );
    }
    const nameOf = async ({ id }: { id: string }) => JSON.parse((await one(organization, id)).request_body).data.name;
    const all = await logOf(organization);
    assert.deepEqual(await Promise.all(all.map(nameOf)), ["c.pdf", "b.pdf", "a.pdf"]);
    const path = `/v2/organization/webhooks/${documentEvent}/deliveries`;
    const first = await organization.administrator.send("GET", `${path}?limit=2`);
    const cursor = first.body.metadata.next_cursor;
    const rest = await organization.administrator.send("GET", `${path}?limit=2&cursor=${cursor}`);
    assert.deepEqual([...first.body.data, ...rest.body.data], all);
    assert.equal(rest.body.metadata.next_cursor, null);
    assert.deepEqual(await logOf(organization, "?status=failed"), []);
    for (const query of ["?status=lost", "?limit=x"])
      assert.equal((await organization.administrator.send("GET", path + query)).status, 422);
    assert.equal((await organization.administrator.send("GET", path.replace(documentEvent, "nothing"))).status, 422);
    assert.deepEqual(await logOf(organization, "", "extraction.completed"), []);
    await organization.administrator.send("DELETE", `/v2/organization/webhooks/${documentEvent}`);
    assert.deepEqual(await logOf(organization), all);
    assert.deepEqual([(await replay(organization, all[0].id)).body.code], ["webhook_not_found"]);
  });

  test("a replay sends the same id and data to the current URL, and the log then shows all attempts", async () => {
    const organization = await parts.service.organization("Replayed");
    const { secret } = (await put(organization, documentEvent, parts.receiver.url("/gone"))).body.data;
    behaviours.set("/gone", () => ({ status: 404 }));
    await emit(organization);
    const [{ id }] = await logOf(organization);
    await ended(organization, id);
    await put(organization, documentEvent, parts.receiver.url("/back"));
    behaviours.set("/back", (count) => ({ status: count === 0 ? 500 : 200 }));
    const answer = await replay(organization, id);
    assert.deepEqual([answer.status, answer.body.data], [202, { id, status: "pending" }]);
    const again = await replay(organization, id);
    assert.deepEqual([again.status, again.body.code], [409, "conflict"]);
    await ended(organization, id);
    const delivery = await one(organization, id);
    assert.deepEqual([delivery.status, delivery.failure], ["delivered", null]);
    assert.deepEqual(
      delivery.attempts.map(({ attempt, http_status }: Record<string, unknown>) => [attempt, http_status]),
      [
        [1, 404],
        [2, 500],
        [3, 200],
      ],
    );
    const [before, after] = [at("/gone")[0], at("/back").at(-1)];
    const [sent, resent] = [before, after].map((one) => JSON.parse(one?.body.toString("utf8") ?? ""));
    assert.deepEqual([resent.id, resent.data, resent.test], [sent.id, sent.data, undefined]);
    new Webhook(secret).verify(after?.body.toString("utf8") ?? "", after?.headers as Record<string, string>);
    // A successful delivery can be replayed, too. Repeated requests with the same idempotency key
    // replay it only once.
    const key = { "idempotency-key": newId() };
    const [third, fourth] = [await replay(organization, id, key), await replay(organization, id, key)];
    assert.deepEqual([third.status, fourth.status, fourth.body], [202, 202, third.body]);
    await ended(organization, id);
    assert.equal((await one(organization, id)).attempts_count, 4);
    const entries = (await organization.administrator.send("GET", "/v2/organization/audit")).body.data;
    const replays = entries.filter(({ action }: { action: string }) => action === "delivery.replayed");
    assert.deepEqual(
      replays.map(({ target }: { target: string }) => target),
      [id, id],
    );
  });

  test("only one of several concurrent replays is accepted, and it causes one series of attempts", async () => {
    const organization = await parts.service.organization("Concurrent");
    await put(organization, documentEvent, parts.receiver.url("/concurrent"));
    await emit(organization);
    const [{ id }] = await logOf(organization);
    await ended(organization, id);
    // The first attempt of the replay fails, so the delivery stays pending for a second.
    behaviours.set("/concurrent", (count) => ({ status: count === 1 ? 500 : 200 }));
    const answers = await Promise.all(Array.from({ length: 6 }, () => replay(organization, id)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409, 409, 409, 409]);
    await ended(organization, id);
    assert.equal(at("/concurrent").length, 3);
  });

  test("a delivery that was cancelled when its webhook was deleted can be replayed, and its waiting job does not send it again", async () => {
    const organization = await parts.service.organization("Cancelled");
    behaviours.set("/cancelled", () => ({ status: 500 }));
    await put(organization, documentEvent, parts.receiver.url("/cancelled"));
    await emit(organization);
    const [{ id }] = await logOf(organization);
    // The third attempt starts ten seconds after the second, so its job is still waiting here.
    await until(async () => (await one(organization, id)).attempts_count === 2);
    await organization.administrator.send("DELETE", `/v2/organization/webhooks/${documentEvent}`);
    await put(organization, documentEvent, parts.receiver.url("/cancelled-then"));
    const jobs = () =>
      parts.service.db
        .selectFrom("jobs")
        .select("id")
        .where("name", "=", "delivery.send")
        .where("payload", "=", JSON.stringify({ delivery: id }))
        .execute();
    await until(async () => (await jobs()).length === 1);
    assert.equal((await replay(organization, id)).status, 202);
    await ended(organization, id);
    assert.deepEqual([await jobs(), at("/cancelled-then").length], [[], 1]);
    assert.equal((await one(organization, id)).attempts.at(-1).attempt, 3);
  });

  test("a callback is in the log, and a replay sends it to its own URL again", async () => {
    const organization = await parts.service.organization("Callback");
    const data = { status: "error" as const, extract_id: newId(), code: "x", error: "y", detail: { http_status: 500 } };
    const url = parts.receiver.url("/own");
    await parts.service.db
      .transaction()
      .execute((db) => emitToCallback(db, organization.id, "extraction.completed", data, url));
    const [{ id, kind }] = await logOf(organization, "", "extraction.completed");
    assert.equal(kind, "callback");
    await ended(organization, id);
    assert.deepEqual(JSON.parse((await one(organization, id)).request_body), data);
    assert.equal((await replay(organization, id)).status, 202);
    await until(() => at("/own").length === 2);
    assert.deepEqual(at("/own")[0]?.body, at("/own")[1]?.body);
  });

  test("a test event is marked as a test, and its signature is valid", async () => {
    const organization = await parts.service.organization("Tested");
    const missing = await tested(organization);
    assert.deepEqual([missing.status, missing.body.code], [404, "webhook_not_found"]);
    for (const event of eventNames) {
      const path = `/tested/${event}`;
      const { secret } = (await put(organization, event, parts.receiver.url(path))).body.data;
      const answer = await tested(organization, event);
      assert.equal(answer.status, 202);
      await until(() => at(path).length === 1);
      const [received] = at(path);
      const body = received?.body as Buffer;
      const { id, test, data, ...envelope } = JSON.parse(body.toString("utf8"));
      assert.deepEqual([id, test, envelope.event], [answer.body.data.id, true, event]);
      assert.deepEqual(compile(events[event].data)(data), []);
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      assert.equal(received?.headers["x-service-signature"], signature);
      await ended(organization, id);
      const logged = await one(organization, id);
      assert.deepEqual([logged.test, logged.status, logged.request_body], [true, "delivered", body.toString("utf8")]);
    }
  });

  test("only administrators of the organization can read the log", async () => {
    const [mine, theirs] = [await parts.service.organization("Mine"), await parts.service.organization("Theirs")];
    await put(theirs, documentEvent, parts.receiver.url("/theirs"));
    await emit(theirs);
    const [{ id }] = await logOf(theirs);
    await ended(theirs, id);
    const bob = await join(parts.service, theirs, "member");
    const before = await one(theirs, id);
    for (const [method, path] of [
      ["GET", `/v2/organization/deliveries/${id}`],
      ["POST", `/v2/organization/deliveries/${id}/replay`],
    ] as const) {
      assert.deepEqual((await mine.administrator.send(method, path)).body.code, "not_found");
      assert.equal((await bob.send(method, path)).status, 403);
    }
    for (const unknown of ["nothing", newUlid(), newId(), "%27"])
      assert.equal((await replay(mine, unknown)).status, 404);
    assert.deepEqual(await logOf(mine), []);
    assert.equal((await tested(mine)).status, 404);
    assert.equal((await bob.send("POST", `/v2/organization/webhooks/${documentEvent}/test`)).status, 403);
    assert.equal((await bob.send("GET", `/v2/organization/webhooks/${documentEvent}/deliveries`)).status, 403);
    assert.deepEqual([await one(theirs, id), at("/theirs").length], [before, 1]);
  });
});
