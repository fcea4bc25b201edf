/** Webhooks and deliveries over HTTP: configuration, signatures, and who receives what. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type EventName, eventNames } from "@sheaf/contract/events.ts";
import { Webhook } from "standardwebhooks";
import { addDocument } from "../src/features/documents/document-uploads.service.ts";
import { listDeliveries } from "../src/features/webhooks/events.service.ts";
import { openCanary } from "../src/net/testing/receiver.ts";
import { corpusOf, sample, samplePath } from "./helpers/corpus.ts";
import { describeSideBySide } from "./helpers/databases.ts";
import type { TestOrganization } from "./helpers/service.ts";
import { documentEvent, webhooksOver } from "./helpers/webhooks.ts";

describeSideBySide("webhooks", (dialect) => {
  const { parts, behaviours, put, emit, at, until } = webhooksOver(dialect);
  const list = async (organization: TestOrganization) =>
    (await organization.administrator.send("GET", "/v2/organization/webhooks")).body.data;
  const remove = (organization: TestOrganization, event: string) =>
    organization.administrator.send("DELETE", `/v2/organization/webhooks/${event}`);

  test("the first PUT returns a secret once, later ones change the URL, and DELETE removes the webhook", async () => {
    const organization = await parts.service.organization("One");
    for (const event of eventNames) {
      const made = await put(organization, event, "https://example.com/a");
      assert.equal(made.status, 201);
      assert.deepEqual({ ...made.body.data, secret: "" }, { event, url: "https://example.com/a", secret: "" });
      assert.match(made.body.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const changed = await put(organization, event, "https://example.com/b");
      assert.deepEqual([changed.status, changed.body.data], [200, { event, url: "https://example.com/b" }]);
    }
    const webhooks = await list(organization);
    assert.deepEqual(webhooks.map(({ event }: { event: string }) => event).sort(), [...eventNames].sort());
    for (const webhook of webhooks) {
      assert.deepEqual(Object.keys(webhook).sort(), ["created_at", "event", "updated_at", "url"]);
      assert.equal(webhook.url, "https://example.com/b");
    }
    const deleted = await remove(organization, documentEvent);
    assert.deepEqual([deleted.status, deleted.body.data], [200, { event: documentEvent }]);
    const again = await remove(organization, documentEvent);
    assert.deepEqual([again.status, again.body.code], [404, "webhook_not_found"]);
    assert.equal((await list(organization)).length, 2);
  });

  test("of 20 concurrent first PUTs exactly one creates the webhook", async () => {
    const organization = await parts.service.organization("Twenty");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => put(organization, documentEvent, `https://example.com/${i}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal(answers.filter(({ body }) => "secret" in body.data).length, 1);
  });

  test("a URL that is not https or not public is refused at once, always with the same message", async () => {
    const organization = await parts.service.organization("Refused");
    const canaries = await Promise.all([openCanary("127.0.0.1"), openCanary("127.0.0.3"), openCanary("::1")]);
    const [open, other, six] = canaries.map(({ port }) => port);
    const refused = [
      `https://127.0.0.1:${open}/`,
      `https://127.0.0.3:${other}/`,
      `https://[::1]:${six}/`,
      `https://[::ffff:127.0.0.1]:${open}/`,
      `https://2130706433:${open}/`,
      `https://0x7f.1:${open}/`,
      `https://017700000001:${open}/`,
      "https://127.1/",
      "https://10.0.0.1/",
      "https://172.16.0.1/",
      "https://192.168.1.1/",
      "https://169.254.169.254/latest/meta-data/",
      "https://100.64.0.1/",
      "https://0.0.0.0/",
      "https://224.0.0.1/",
      "https://[fe80::1]/",
      "https://[fc00::1]/",
      "https://[64:ff9b::7f00:1]/",
      "https://[2002:7f00:1::]/",
      "https://localhost/",
      "https://localhost./",
      "https://x.localhost/",
      "https://printer.local/",
      "https://intranet/",
      "https://user:secret@example.com/",
      "ftp://example.com/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "example.com",
      "https://",
      "//example.com",
    ];
    const bodies = new Set<string>();
    for (const url of refused) {
      const startedAt = performance.now();
      const answer = await put(organization, documentEvent, url);
      assert.deepEqual([url, answer.status, answer.body.code], [url, 422, "invalid_request"]);
      bodies.add(JSON.stringify(answer.body));
      assert.ok(performance.now() - startedAt < 10_000);
    }
    assert.equal(bodies.size, 1);
    for (const url of ["https://10.0.0.1.example.com/", "https://172.32.0.1/", "https://no-such-name.example/hook"])
      assert.ok([200, 201].includes((await put(organization, documentEvent, url)).status), url);
    assert.deepEqual(
      canaries.map(({ connections }) => connections),
      [0, 0, 0],
    );
    await Promise.all(canaries.map((canary) => canary.close()));
  });

  test("an unknown event, a body without url and a member without permission each get their own error", async () => {
    const organization = await parts.service.organization("Errors");
    const unknown = await put(organization, "document.deleted", "https://example.com/");
    assert.deepEqual([unknown.status, unknown.body.code], [422, "invalid_request"]);
    assert.equal((await remove(organization, "nothing")).status, 422);
    const { send } = organization.administrator;
    for (const body of [{}, { url: 1 }, { url: "" }, { url: `https://example.com/${"a".repeat(3_000)}` }])
      assert.equal((await send("PUT", `/v2/organization/webhooks/${documentEvent}`, body)).status, 422);
    assert.equal((await parts.service.client("").send("GET", "/v2/organization/webhooks")).status, 401);
    await parts.service.db
      .updateTable("members")
      .set({ role: "member" })
      .where("id", "=", organization.administrator.memberId)
      .execute();
    const forbidden = await put(organization, documentEvent, "https://example.com/");
    assert.deepEqual([forbidden.status, forbidden.body.code], [403, "forbidden"]);
  });

  test("a document uploaded through the API causes one delivery, whose signature both libraries accept", async () => {
    const organization = await parts.service.organization("Signed");
    const { secret } = (await put(organization, documentEvent, parts.receiver.url("/signed"))).body.data;
    const corpus = corpusOf(parts.service, organization);
    const agent = await corpus.makeAgent();
    const ready = await corpus.accepted(agent, { filename: "ok.pdf", path: "a/b" });
    const broken = await corpus.accepted(agent, {
      filename: "brøken \u2028🧾.pdf",
      file: Buffer.from("no").toString("base64"),
    });
    await until(() => at("/signed").length === 2);
    const bodies = at("/signed").map(({ body, headers }) => {
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      assert.equal(headers["x-service-signature"], signature);
      assert.equal(headers["content-type"], "application/json");
      for (const name of ["cookie", "x-api-key", "authorization"]) assert.equal(headers[name], undefined);
      new Webhook(secret).verify(body.toString("utf8"), headers as Record<string, string>);
      return JSON.parse(body.toString("utf8"));
    });
    for (const { id, event, timestamp } of bodies) {
      assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      assert.equal(event, documentEvent);
      assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
    }
    assert.notEqual(bodies[0].id, bodies[1].id);
    assert.deepEqual(
      bodies.map(({ data }) => data).sort((a, b) => a.status.localeCompare(b.status)),
      [
        { document_reference: broken, status: "error", name: "brøken \u2028🧾.pdf", path: "" },
        { document_reference: ready, status: "ready", name: "ok.pdf", path: "a/b" },
      ].map((data) => ({ agent_reference: agent, ...data })),
    );
    await sleep(300);
    assert.equal(at("/signed").length, 2);
  });

  test("signatures of 10,000 bodies of all kinds are verified by the contract's algorithm and by Standard Webhooks", async () => {
    const { signatureHeaders } = await import("../src/features/webhooks/signature.ts");
    assert.equal(
      createHmac("sha256", "It's a Secret to Everybody").update("Hello, World!").digest("hex"),
      "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    );
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const verifier = new Webhook(secret);
    for (let i = 0; i < 10_000; i++) {
      const text = i % 2_500 === 0 ? "é".repeat(500_000) : `${i} 🧾\u2028\u2029\\"\u0000${"x".repeat(i % 300)}`;
      const body = Buffer.from(JSON.stringify({ text }));
      const headers = signatureHeaders({ id: `id${i}`, at: Date.now(), body }, secret);
      const expected = createHmac("sha256", Buffer.from(secret)).update(body).digest("hex");
      assert.equal(headers["x-service-signature"], `sha256=${expected}`);
      if (i % 10 === 0 || body.length > 1_000) verifier.verify(body.toString("utf8"), headers);
    }
  });

  test("uploads in the web application emit no event", async () => {
    const organization = await parts.service.organization("Silent");
    await put(organization, documentEvent, parts.receiver.url("/silent"));
    const corpus = corpusOf(parts.service, organization);
    const agent = await corpus.makeAgent();
    const file = { path: samplePath, size: sample.length };
    await addDocument(await corpus.parts(), organization.caller, agent, { name: "a.pdf", file, channel: "app" });
    await corpus.settled(agent);
    await corpus.accepted(agent, { filename: "b.pdf" });
    await until(() => at("/silent").length > 0);
    await sleep(300);
    assert.deepEqual(
      at("/silent").map(({ body }) => JSON.parse(body.toString()).data.name),
      ["b.pdf"],
    );
    assert.equal((await listDeliveries(parts.service.db, organization.id, 10)).length, 1);
  });

  test("secrets are never stored in plain text, and a webhook that is created again has a new secret", async () => {
    const organization = await parts.service.organization("Secrets");
    const first = (await put(organization, documentEvent, "https://example.com/")).body.data.secret;
    await remove(organization, documentEvent);
    const second = (await put(organization, documentEvent, "https://example.com/")).body.data.secret;
    assert.notEqual(first, second);
    const needles = [first, second].map((secret: string) => secret.slice("whsec_".length));
    const rows = JSON.stringify(await parts.service.db.selectFrom("webhooks").selectAll().execute());
    for (const needle of needles) assert.ok(!rows.includes(needle));
    if (dialect !== "sqlite") return;
    for (const name of await readdir(parts.service.config.dataDir)) {
      if (!name.startsWith("sheaf.db")) continue;
      const bytes = await readFile(join(parts.service.config.dataDir, name));
      for (const needle of needles) assert.ok(!bytes.includes(needle), name);
    }
  });

  test("after DELETE no attempt starts; after PUT the next attempt goes to the new URL", async () => {
    const organization = await parts.service.organization("Changes");
    behaviours.set("/old", () => ({ status: 500 }));
    await put(organization, documentEvent, parts.receiver.url("/old"));
    await emit(organization);
    await until(() => at("/old").length === 1);
    await put(organization, documentEvent, parts.receiver.url("/new"));
    await until(() => at("/new").length === 1);
    await put(organization, documentEvent, parts.receiver.url("/old"));
    const before = at("/old").length;
    await emit(organization);
    await until(() => at("/old").length === before + 1);
    assert.equal((await remove(organization, documentEvent)).status, 200);
    await put(organization, documentEvent, parts.receiver.url("/anew"));
    await sleep(2_500);
    assert.equal(at("/old").length, before + 1);
    assert.equal(at("/anew").length, 0);
    const [latest] = await listDeliveries(parts.service.db, organization.id, 1);
    assert.deepEqual([latest?.status, latest?.failure], ["failed", "The webhook was deleted."]);
  });

  test("a webhook never receives events of another organization", async () => {
    const [a, b] = [await parts.service.organization("Mine"), await parts.service.organization("Theirs")];
    await put(a, documentEvent, parts.receiver.url("/mine"));
    await emit(b, "canary.pdf");
    await emit(a, "own.pdf");
    await until(() => at("/mine").length === 1);
    assert.equal(JSON.parse(at("/mine")[0]?.body.toString() ?? "").data.name, "own.pdf");
    assert.deepEqual(await list(b), []);
    assert.equal((await remove(b, documentEvent satisfies EventName)).status, 404);
  });
});
