/** The audit log: its entries, who may read them, and that they are immutable. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEntryJson } from "@sheaf/contract/audit.ts";
import { createAgent } from "../src/features/agents/agents.service.ts";
import { readAudit, recordAudit } from "../src/features/audit/audit.service.ts";
import { revokeCredential } from "../src/features/organizations/credentials.service.ts";
import { corpusOf, sample } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { run } from "./helpers/process.ts";
import { openTestService, type TestOrganization } from "./helpers/service.ts";

const logOf = async ({ administrator }: TestOrganization, query = ""): Promise<AuditEntryJson[]> => {
  const answer = await administrator.send("GET", `/v2/organization/audit${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.data;
};

describeOverDatabases("the audit log", (dialect) => {
  test("an entry records who made a change and from where, without secrets", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Acme");
    const other = await service.organization("Other");
    const corpus = corpusOf(service, organization);
    const webhook = "/v2/organization/webhooks/document.ingestion_completed";
    const agent = await corpus.makeAgent();
    await corpus.send("PATCH", `/v2/agents/${agent}`, { name: "Renamed" });
    await corpus.send("PATCH", `/v2/agents/${agent}`, {});
    const document = await corpus.accepted(agent, { filename: "a.pdf", path: "folder" });
    await corpus.settled(agent);
    await corpus.send("DELETE", `/v2/agents/${agent}/documents/${document}`);
    const { secret } = (await corpus.send("PUT", webhook, { url: "https://example.com/hook?token=canary" })).body.data;
    await corpus.send("PUT", webhook, { url: "https://example.org/canary" });
    await corpus.send("DELETE", webhook);
    await corpus.send("DELETE", `/v2/agents/${agent}`);
    assert.equal((await corpus.send("DELETE", `/v2/agents/${agent}`)).status, 404);

    const log = await logOf(organization);
    const told = log.map(({ action, target, detail }) => [action, target, detail]);
    const { id, administrator } = organization;
    assert.deepEqual(
      told.slice(0, 2).map(([action]) => action),
      ["organization.created", "credential.created"],
    );
    assert.deepEqual(told.slice(2), [
      ["agent.created", agent, { type: "DOCUMENTALIST", name: "Corpus", visibility: "organization" }],
      ["agent.updated", agent, { changed: ["name"] }],
      ["document.uploaded", document, { agent, path: "folder", name: "a.pdf", size: sample.length }],
      ["document.deleted", document, { agent, path: "folder", name: "a.pdf" }],
      ["webhook.created", "document.ingestion_completed", { host: "example.com" }],
      ["webhook.changed", "document.ingestion_completed", { host: "example.org" }],
      ["webhook.deleted", "document.ingestion_completed", {}],
      ["agent.deleted", agent, { type: "DOCUMENTALIST", name: "Renamed" }],
    ]);
    for (const { actor, address, request_id } of log.slice(2)) {
      assert.deepEqual(
        [actor.kind, actor.user_id, actor.member_id, actor.credential_id, actor.operator],
        ["credential", administrator.userId, administrator.memberId, administrator.clientId, null],
      );
      assert.match(actor.user_email ?? "", /@example\.com$/);
      assert.deepEqual([address, typeof request_id], ["127.0.0.1", "string"]);
    }
    for (const hidden of [secret, "canary", administrator.clientSecret])
      assert.ok(!JSON.stringify(log).includes(hidden), `the log contains ${hidden}`);
    assert.ok((await logOf(other)).every(({ target }) => ![agent, document, id].includes(target ?? "")));
  });

  test("the log is returned in pages, in either order, filtered by time and action", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Acme");
    const by = organization.caller;
    for (let i = 0; i < 5; i++) await recordAudit(service.db, by, { action: "test.counted", target: String(i) });
    const all = await logOf(organization);
    for (const order of ["oldest", "newest"]) {
      const seen: AuditEntryJson[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const next: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const path = `/v2/organization/audit?limit=3&order=${order}${next}`;
        const { body } = await organization.administrator.send("GET", path);
        seen.push(...body.data);
        cursor = body.metadata.next_cursor;
      }
      assert.deepEqual(seen, order === "oldest" ? all : all.toReversed());
    }
    const counted = await logOf(organization, "?action=test.counted&order=newest&limit=1");
    assert.deepEqual([counted.length, counted[0]?.target], [1, "4"]);
    assert.equal((await logOf(organization, "?since=2999-01-01T00:00:00Z")).length, 0);
    assert.deepEqual(await logOf(organization, `?since=${all[0]?.created_at}`), all);
    for (const query of [
      "order=up",
      "since=yesterday",
      "since=2026-13-01",
      "action=a&action=b",
      "limit=0",
      "cursor=x",
    ]) {
      const { status, body } = await organization.administrator.send("GET", `/v2/organization/audit?${query}`);
      assert.deepEqual([status, body.code], [422, "invalid_request"], query);
    }
  });

  test("entries cannot be changed, remain after their objects are deleted, and are not written for rolled-back changes", async () => {
    await using service = await openTestService(dialect);
    const { db } = service;
    const organization = await service.organization("Acme");
    const { id, caller } = organization;
    const count = async () => (await db.selectFrom("audit_entries").select("id").execute()).length;
    const before = await count();
    await assert.rejects(db.updateTable("audit_entries").set({ action: "nothing" }).execute(), /only added to/);
    await assert.rejects(db.deleteFrom("audit_entries").execute(), /only added to/);
    const cutShort = db.transaction().execute(async (transaction) => {
      await recordAudit(transaction, caller, { action: "test.counted" });
      throw new Error("cut short");
    });
    await assert.rejects(cutShort, /cut short/);
    await assert.rejects(
      createAgent(
        { db, hasModel: false },
        { ...caller, organizationId: caller.userId },
        { name: "a", type: "EXTRACTOR" },
      ),
    );
    assert.equal(await count(), before);
    await revokeCredential(db, caller.credentialId ?? "", { operator: "test" });
    await db.deleteFrom("organizations").where("id", "=", id).execute();
    const left: string[] = [];
    for await (const { action } of readAudit(db, { organizationId: id })) left.push(action);
    assert.deepEqual(left.slice(-3), ["organization.created", "credential.created", "credential.revoked"]);
  });

  test("the command prints the whole log, even if it does not fit into one page", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Acme");
    await service.db.transaction().execute(async (transaction) => {
      for (let i = 0; i < 1_100; i++)
        await recordAudit(transaction, organization.caller, { action: "test.counted", target: String(i) });
    });
    const { dataDir } = service.config;
    const url = service.config.database.dialect === "postgres" ? service.config.database.url : undefined;
    const args = ["audit", "--organization", organization.id, "--action", "test.counted", "--json"];
    const { code, stdout, stderr } = await run(args, { SHEAF_DATA_DIR: dataDir, DATABASE_URL: url });
    assert.equal(code, 0, stderr);
    const targets = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).target);
    assert.deepEqual(
      targets,
      Array.from({ length: 1_100 }, (_, i) => String(i)),
    );
  });
});
