/**
 * Kills a service while deliveries are pending. Each delivery is sent at least once, always with
 * the same id, in at most five attempts. `TEST_KILLS` sets the number of kills in the first test.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openReceiver, type Receiver } from "../../src/net/testing/receiver.ts";
import { sample, sampleBase64 } from "../helpers/corpus.ts";
import { describeSideBySide } from "../helpers/databases.ts";
import { clientOf, placeOver, urlOf } from "../helpers/killed-service.ts";
import { start } from "../helpers/process.ts";

const kills = Number(process.env.TEST_KILLS ?? 4);
const extractions = Number(process.env.TEST_EXTRACTIONS ?? 30);
const outbound = { SHEAF_OUTBOUND_ALLOW: "127.0.0.2", SHEAF_OUTBOUND_HTTP: "on" };
const event = "document.ingestion_completed";

describeSideBySide("deliveries and kills", (dialect) => {
  let receiver: Receiver;
  before(async () => {
    receiver = await openReceiver({
      host: "127.0.0.2",
      behave: ({ path }, count) => ({ status: path.startsWith("/fails-first/") && count < 1 ? 500 : 200 }),
    });
  });
  after(() => receiver?.close());

  const bodies = (path: string) =>
    receiver.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body.toString("utf8")));
  const until = async (reached: () => boolean | Promise<boolean>, what: string, withinMs = 30_000) => {
    for (const deadline = performance.now() + withinMs; !(await reached()); await sleep(20))
      assert.ok(performance.now() < deadline, `waited in vain for ${what}`);
  };

  test(`${kills} kills, each within 50 ms after a document becomes ready: the document's event is still delivered`, async (t) => {
    await using here = await placeOver(dialect, outbound);
    let server = start(["serve"], here.settings);
    const client = await clientOf(server);
    let { url } = client;
    const path = `/ready/${dialect}`;
    await client.send(url, "PUT", `/v2/organization/webhooks/${event}`, { url: receiver.url(path) });
    const references: string[] = [];
    for (let i = 0; i < kills; i++) {
      const { body } = await client.upload(url, `${i}.pdf`, sample);
      const reference = body.data.document_reference;
      references.push(reference);
      await using opened = here.open();
      const status = () =>
        opened.db.selectFrom("documents").select("status").where("id", "=", reference).executeTakeFirstOrThrow();
      while ((await status()).status === "pending") await sleep(2);
      await sleep(Math.random() * 50);
      server.child.kill("SIGKILL");
      await server.finished;
      server = start(["serve"], here.settings);
      url = await urlOf(server);
    }
    await using last = server;
    await until(() => {
      const told = new Set(bodies(path).map(({ data }) => data.document_reference));
      return references.every((reference) => told.has(reference));
    }, "all events");
    await sleep(500);
    for (const reference of references) {
      const told = bodies(path).filter(({ data }) => data.document_reference === reference);
      assert.equal(new Set(told.map(({ id }) => id)).size, 1);
      assert.ok(told.length <= 5);
      assert.equal(told[0].data.status, "ready");
    }
    t.diagnostic(`${kills} kills, ${bodies(path).length} deliveries (${last.child.pid})`);
  });

  test("after a kill between two attempts of a delivery, the restarted service makes the remaining ones", async () => {
    await using here = await placeOver(dialect, outbound);
    const first = start(["serve"], here.settings);
    const client = await clientOf(first);
    const path = `/fails-first/${dialect}`;
    await client.send(client.url, "PUT", `/v2/organization/webhooks/${event}`, { url: receiver.url(path) });
    await client.upload(client.url, "a.pdf", sample);
    await until(() => bodies(path).length === 1, "the first attempt");
    first.child.kill("SIGKILL");
    await first.finished;
    await using second = start(["serve"], here.settings);
    await urlOf(second);
    await until(() => bodies(path).length === 2, "the second attempt");
    await sleep(2_500);
    assert.equal(bodies(path).length, 2);
    assert.equal(new Set(bodies(path).map(({ id }) => id)).size, 1);
  });

  test(`kills during ${extractions} extractions: every callback and event is delivered, and no file remains`, async () => {
    await using here = await placeOver(dialect, outbound);
    let server = start(["serve"], here.settings);
    const client = await clientOf(server);
    let { url } = client;
    const [callback, hook] = [`/callback/${dialect}`, `/hook/${dialect}`];
    const webhook = { url: receiver.url(hook) };
    await client.send(url, "PUT", "/v2/organization/webhooks/extraction.completed", webhook);
    const params = [{ name: "total", format: "number", description: "Total amount" }];
    const body = { filename: "a.pdf", file: sampleBase64, callback: receiver.url(callback), params };
    const started: string[] = [];
    for (let i = 0; i < extractions; i++) {
      const answer = await client.send(url, "POST", "/v2/extractor/async", body);
      started.push(answer.body.extract_id);
      if (i % 10 !== 9) continue;
      await sleep(Math.random() * 300);
      server.child.kill("SIGKILL");
      await server.finished;
      server = start(["serve"], here.settings);
      url = await urlOf(server);
    }
    await using last = server;
    const told = () => [
      new Set(bodies(callback).map(({ extract_id }) => extract_id)),
      new Set(bodies(hook).map(({ data }) => data.extract_id)),
    ];
    // If kills interrupt the first three attempts of a delivery, its last attempt follows only a
    // minute later.
    await until(() => told().every((ids) => started.every((id) => ids.has(id))), "all callbacks and events", 100_000);
    for (const { status, data } of bodies(callback)) assert.deepEqual([status, data], ["success", [{ total: 1021.8 }]]);
    await using opened = here.open();
    await until(async () => (await opened.db.selectFrom("jobs").select("id").execute()).length === 0, "the jobs' end");
    const operations = await opened.db.selectFrom("operations").select("status").execute();
    assert.deepEqual(
      operations.map(({ status }) => status),
      Array(extractions).fill("success"),
    );
    const threads = await opened.db.selectFrom("threads").select("id").execute();
    assert.equal(threads.length, extractions, "none was executed twice");
    assert.ok(last.child.pid);
  });
});
