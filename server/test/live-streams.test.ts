/**
 * Streams of state changes over real HTTP: how they end, how many are allowed, the order of
 * changes, and processes that share a database.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { deleteOldStateChanges, recordStateChange } from "../src/features/live-states/state-changes.service.ts";
import { newId } from "../src/lib/ids.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { credentialOf, join, type Person } from "./helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { byCookie, byToken, makeAgent, patienceMs, upload, type Watcher } from "./helpers/state-watcher.ts";

describeOverDatabases("streams of live states", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let ada: Person;
  let bob: Person;

  before(async () => {
    service = await openTestService(dialect, { SHEAF_RATE_LIMIT: "0" });
    organization = await service.organization("Watched");
    ada = await join(service, organization, "administrator");
    bob = await join(service, organization, "member");
  });
  after(() => service?.[Symbol.asyncDispose]());

  test("a stream ends with its session, membership or credential, and does not extend the session", async () => {
    const agent = await makeAgent(ada, { name: "Ends", type: "DOCUMENTALIST" });
    const [leaver, disabled] = [
      await join(service, organization, "member"),
      await join(service, organization, "administrator"),
    ];
    const revoked = await credentialOf(service, ada);
    await using watching = new AsyncDisposableStack();
    const [ofLeaver, ofDisabled, ofRevoked, stays] = [
      watching.use(await byCookie(service, leaver)),
      watching.use(await byCookie(service, disabled)),
      watching.use(await byToken(service, revoked)),
      watching.use(await byCookie(service, bob)),
    ];
    // The session was last updated more than a day ago, so its next use would extend it.
    const aged = { updated_at: new Date(Date.now() - 2 * 86_400_000), expires_at: new Date(Date.now() + 86_400_000) };
    const iso = { updated_at: aged.updated_at.toISOString(), expires_at: aged.expires_at.toISOString() };
    const { user_id } = await service.db
      .selectFrom("members")
      .select("user_id")
      .where("id", "=", bob.memberId)
      .executeTakeFirstOrThrow();
    await service.db.updateTable("sessions").set(iso).where("user_id", "=", user_id).execute();

    assert.equal((await leaver.send("DELETE", "/v2/session")).status, 200);
    const path = `/v2/organization/members/${disabled.memberId}`;
    assert.equal((await ada.send("PATCH", path, { status: "disabled" })).status, 200);
    assert.equal((await ada.send("DELETE", `/v2/organization/credentials/${revoked.clientId}`)).status, 200);
    const document = await upload(ada, agent, "after.pdf");
    await stays.sees(document, "ready");
    assert.equal(await ofLeaver.end(), "unauthorized");
    assert.equal(await ofDisabled.end(), "forbidden");
    assert.equal(await ofRevoked.end(), "unauthorized");
    for (const watcher of [ofLeaver, ofDisabled, ofRevoked]) assert.deepEqual(watcher.statesOf(document), []);
    const session = await service.db
      .selectFrom("sessions")
      .select(["updated_at", "expires_at"])
      .where("user_id", "=", user_id)
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...session }, iso);
  });

  test("even without any change, heartbeats are sent, and a stream ends when access is lost", async () => {
    await using quiet = await byCookie(service, bob);
    const leaver = await join(service, organization, "member");
    await using watcher = await byCookie(service, leaver);
    await ada.send("DELETE", `/v2/organization/members/${leaver.memberId}`);
    assert.equal(await watcher.end(), "forbidden");
    await quiet.until((events) => events.some(({ event }) => event === "heartbeat"));
  });

  test("a user may have ten streams, and can open another after closing one", async () => {
    const person = await join(service, organization, "member");
    await using watching = new AsyncDisposableStack();
    const open = () => byCookie(service, person);
    const first = await open();
    for (let count = 1; count < 10; count++) watching.use(await open());
    const refused = await person.send("GET", "/v2/events");
    assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"]);
    watching.use(await byCookie(service, bob));
    await first[Symbol.asyncDispose]();
    for (const deadline = performance.now() + patienceMs; ; ) {
      const { status } = await person.send("GET", "/v2/events");
      if (status === 200) break;
      assert.ok(performance.now() < deadline, "a closed stream still counts");
      await sleep(50);
    }
  });

  test("all changes are reported, even if they become visible in a different order than they were numbered", async () => {
    const agent = await makeAgent(ada, { name: "Order", type: "DOCUMENTALIST" });
    await using watcher = await byCookie(service, ada);
    const ids = [newId(), newId()] as const;
    const change = (id: string) =>
      ({
        organization_id: organization.id,
        type: "document",
        object_id: id,
        agent_id: agent,
        status: "ready",
        audience: "agent",
        user_id: null,
      }) as const;
    if (dialect === "postgres")
      await service.db.transaction().execute(async (transaction) => {
        await recordStateChange(transaction, change(ids[0]));
        await recordStateChange(service.db, change(ids[1]));
        await watcher.sees(ids[1], "ready");
        assert.deepEqual(watcher.statesOf(ids[0]), []);
      });
    else for (const id of ids) await recordStateChange(service.db, change(id));
    for (const id of ids) await watcher.sees(id, "ready");
  });

  test("many changes at once are reported as one resync, and old changes are deleted", async () => {
    const agent = await makeAgent(ada, { name: "Many", type: "DOCUMENTALIST" });
    await using watcher = await byCookie(service, ada);
    const change = {
      organization_id: organization.id,
      type: "document",
      agent_id: agent,
      status: "ready",
      audience: "agent",
      user_id: null,
    } as const;
    await service.db.transaction().execute(async (transaction) => {
      for (let count = 0; count < 1_500; count++)
        await recordStateChange(transaction, { ...change, object_id: newId() });
    });
    await watcher.until((events) => events.filter(({ event }) => event === "resync").length > 1);

    await service.db
      .updateTable("state_changes")
      .set({ created_at: new Date(0).toISOString() })
      .execute();
    await deleteOldStateChanges(service.db);
    const rows = await service.db.selectFrom("state_changes").select("sequence").execute();
    assert.equal(rows.length, 1);
    const document = await upload(ada, agent, "next.pdf");
    await watcher.sees(document, "ready");
  });
});

describeOverDatabases("streams of states and the rest of the service", (dialect) => {
  test("streams do not count as requests, are shared fairly, and end at shutdown", async () => {
    const service = await openTestService(dialect, { SHEAF_MAX_REQUESTS: "2", SHEAF_MAX_EVENT_STREAMS: "4" });
    after(() => service[Symbol.asyncDispose]());
    const [a, b] = [await service.organization("A"), await service.organization("B")];
    const streams: Watcher[] = [];
    for (let count = 0; count < 4; count++) streams.push(await byToken(service, a.administrator));
    const refused = await a.administrator.send("GET", "/v2/events");
    assert.deepEqual([refused.status, refused.body.code], [503, "agent_unavailable"]);
    assert.equal((await a.administrator.send("GET", "/v2/agents")).status, 200);
    const theirs = await byToken(service, b.administrator);
    assert.equal(await streams.at(-1)?.end(), "agent_unavailable");

    const startedAt = performance.now();
    await service[Symbol.asyncDispose]();
    assert.ok(performance.now() - startedAt < 5_000, "streams delay the shutdown");
    for (const stream of [theirs, ...streams]) assert.equal(await stream.end(), "agent_unavailable");
  });

  if (dialect === "postgres")
    test("a change made by one process is reported by another", async () => {
      await using service = await openTestService(dialect);
      const { database, keysDir, filesDir } = service.config;
      if (database.dialect === "sqlite") return assert.fail("one process owns the file");
      const shared = { DATABASE_URL: database.url, SHEAF_KEYS_DIR: keysDir, SHEAF_FILES_DIR: filesDir };
      await using twin = await openTestService(dialect, shared);
      const organization = await service.organization("Twins");
      await using watcher = await byToken(twin, organization.administrator);
      const corpus = corpusOf(service, organization);
      const document = await corpus.accepted(await corpus.makeAgent());
      await watcher.sees(document, "ready");
    });
});
