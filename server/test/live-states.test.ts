/** Changes of state as server-sent events over real HTTP, between organizations and processes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEventJson, StateChangeJson } from "@sheaf/contract/live-states.ts";
import { deleteOldStateChanges, recordStateChange } from "../src/features/live-states/state-changes.service.ts";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, sampleBase64 as file } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { liveEventsOf } from "./helpers/events.ts";
import { credentialOf, join, type Person } from "./helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

/** Longer than a heartbeat, after which every stream has been confirmed. */
const patienceMs = 20_000;

/** A client that reads the stream until it is closed. */
class Watcher implements AsyncDisposable {
  readonly events: LiveEventJson[] = [];
  readonly #controller = new AbortController();
  readonly #ended: Promise<void>;

  constructor(read: (signal: AbortSignal) => Promise<Response>) {
    this.#ended = this.#read(read).catch((error: unknown) => {
      if (!this.#controller.signal.aborted) throw error;
    });
    this.#ended.catch(() => {});
  }

  static async open(service: TestService, headers: Record<string, string>): Promise<Watcher> {
    const watcher = new Watcher((signal) => fetch(`${service.url}/v2/events`, { headers, signal }));
    await watcher.until(({ length }) => length > 0);
    assert.deepEqual(watcher.events[0], { event: "resync", data: {} });
    return watcher;
  }

  get states(): StateChangeJson[] {
    return this.events.flatMap((each) => (each.event === "state" ? each.data : []));
  }

  /** Returns the states of one object in the order in which they were reported, without repetitions. */
  statesOf(reference: string): string[] {
    const all = this.states.filter((each) => each.reference === reference).map(({ status }) => status);
    return all.filter((status, index) => status !== all[index - 1]);
  }

  async until(isDone: (events: LiveEventJson[]) => boolean): Promise<void> {
    for (const deadline = performance.now() + patienceMs; !isDone(this.events); ) {
      assert.ok(performance.now() < deadline, `no such event among ${JSON.stringify(this.events)}`);
      await Promise.race([sleep(20), this.#ended]);
    }
  }

  sees = (reference: string, status: string): Promise<void> =>
    this.until(() => this.statesOf(reference).includes(status));

  /** Resolves when the service has ended the stream. Returns the code of the last event. */
  async end(): Promise<string | undefined> {
    await Promise.race([this.#ended, sleep(patienceMs).then(() => assert.fail("the stream goes on"))]);
    const last = this.events.at(-1);
    return last?.event === "error" ? last.data.code : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#controller.abort();
    await this.#ended;
  }

  async #read(read: (signal: AbortSignal) => Promise<Response>): Promise<void> {
    for await (const event of liveEventsOf(await read(this.#controller.signal))) this.events.push(event);
  }
}

const byCookie = (service: TestService, { cookie }: Person) => Watcher.open(service, { cookie });
const byToken = (service: TestService, { token }: { token: string }) => Watcher.open(service, { "x-api-key": token });

describeOverDatabases("live states", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let other: TestOrganization;
  let ada: Person;
  let bob: Person;

  before(async () => {
    service = await openTestService(dialect, { SHEAF_RATE_LIMIT: "0" });
    organization = await service.organization("Watched");
    other = await service.organization("Other");
    ada = await join(service, organization, "administrator");
    bob = await join(service, organization, "member");
  });
  after(() => service?.[Symbol.asyncDispose]());

  const made = async (by: Pick<Person, "send">, body: object): Promise<string> =>
    (await by.send("POST", "/v2/agents", body)).body.data.reference;
  const uploaded = async (by: Pick<Person, "send">, agent: string, filename: string): Promise<string> => {
    const answer = await by.send("POST", `/v2/agents/${agent}/documents`, { filename, file });
    assert.equal(answer.status, 202);
    return answer.body.data.document_reference;
  };

  test("all members learn of a document, without its name, and the other organization does not", async () => {
    await using watching = new AsyncDisposableStack();
    const response = await fetch(`${service.url}/v2/events`, { headers: { cookie: ada.cookie } });
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("x-accel-buffering"), "no");
    await response.body?.cancel();
    const [one, two, three] = [
      watching.use(await byCookie(service, ada)),
      watching.use(await byCookie(service, bob)),
      watching.use(await byToken(service, organization.administrator)),
    ];
    const outside = watching.use(await byToken(service, other.administrator));

    const agent = await made(ada, { name: "Shared", type: "DOCUMENTALIST" });
    const document = await uploaded(ada, agent, "topsecretname.pdf");
    for (const watcher of [one, two, three]) {
      await watcher.sees(document, "ready");
      const { type, agent_reference } = watcher.states.find(({ reference }) => reference === document) ?? {};
      assert.deepEqual({ type, agent_reference }, { type: "document", agent_reference: agent });
    }
    assert.equal((await ada.send("DELETE", `/v2/agents/${agent}/documents/${document}`)).status, 200);
    for (const watcher of [one, two, three]) {
      await watcher.sees(document, "deleted");
      assert.ok(["pending ready deleted", "ready deleted"].includes(watcher.statesOf(document).join(" ")));
      assert.doesNotMatch(JSON.stringify(watcher.events), /topsecret/);
    }

    // An event of its own proves that the stream of the other organization works.
    const theirs = corpusOf(service, other);
    const their = await theirs.accepted(await theirs.makeAgent());
    await outside.sees(their, "ready");
    assert.deepEqual([...new Set(outside.states.map(({ reference }) => reference))], [their]);
    await one.until(() => true);
    assert.ok(!JSON.stringify([one.events, two.events, three.events]).includes(their));
  });

  test("a file that cannot be read ends in error", async () => {
    await using watcher = await byCookie(service, bob);
    const agent = await made(ada, { name: "Broken", type: "DOCUMENTALIST" });
    const answer = await ada.send("POST", `/v2/agents/${agent}/documents`, { filename: "a.pdf", file: "AAAA" });
    await watcher.sees(answer.body.data.document_reference, "error");
  });

  test("documents of personal agents and of groups are reported to those who see them at that moment", async () => {
    await using watching = new AsyncDisposableStack();
    const [one, two, api] = [
      watching.use(await byCookie(service, ada)),
      watching.use(await byCookie(service, bob)),
      watching.use(await byToken(service, organization.administrator)),
    ];
    const own = await made(bob, { name: "Own", type: "PERSONAL" });
    const personal = await uploaded(bob, own, "own.pdf");
    await two.sees(personal, "ready");

    const group = await ada.send("POST", "/v2/organization/groups", { name: newId(), member_ids: [] });
    const agent = await made(ada, { name: "Grouped", type: "DOCUMENTALIST" });
    const open = await uploaded(ada, agent, "open.pdf");
    await two.sees(open, "ready");
    const access = { visibility: "group", group_id: group.body.data.id };
    assert.equal((await ada.send("PUT", `/v2/agents/${agent}/access`, access)).status, 200);
    const closed = await uploaded(ada, agent, "closed.pdf");
    await one.sees(closed, "ready");
    await api.sees(closed, "ready");
    const visible = await made(ada, { name: "Visible", type: "DOCUMENTALIST" });
    await two.sees(await uploaded(ada, visible, "last.pdf"), "ready");
    assert.deepEqual(two.statesOf(closed), []);
    assert.deepEqual([one.statesOf(personal), api.statesOf(personal)], [[], []]);
  });

  test("operations are reported to the user who started them, and those of the API to the API", async () => {
    await using watching = new AsyncDisposableStack();
    const [one, two, api] = [
      watching.use(await byCookie(service, ada)),
      watching.use(await byCookie(service, bob)),
      watching.use(await byToken(service, organization.administrator)),
    ];
    const classify = async (by: Pick<Person, "send">): Promise<string> => {
      const answer = await by.send("POST", "/v2/classification/async", { filename: "a.pdf", file });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.classification_id;
    };
    const [ofBob, ofApi] = [await classify(bob), await classify(organization.administrator)];
    await two.sees(ofBob, "success");
    await api.sees(ofApi, "success");
    const { type, agent_reference } = two.states.find(({ reference }) => reference === ofBob) ?? {};
    assert.deepEqual({ type, agent_reference }, { type: "classification", agent_reference: null });
    const ofAda = await classify(ada);
    await one.sees(ofAda, "success");
    // Administrators see the kept classifications of others, which have the same ids.
    const operations = ({ states }: Watcher, id: string) =>
      states.filter(({ type, reference }) => type === "classification" && reference === id);
    assert.deepEqual([operations(one, ofBob), operations(one, ofApi)], [[], []]);
    assert.deepEqual([operations(two, ofApi), operations(two, ofAda), operations(api, ofBob)], [[], [], []]);
  });

  test("a kept extraction is reported when it is made, reviewed and deleted", async () => {
    await using watching = new AsyncDisposableStack();
    const [one, two] = [watching.use(await byCookie(service, ada)), watching.use(await byCookie(service, bob))];
    const params = [{ name: "total", format: "number", description: "Total amount", items: [] }];
    const agent = await made(ada, { name: "Kept", type: "EXTRACTOR", configuration: { params } });
    const keep = async (path: string, body: object) =>
      (await ada.send("POST", path, { filename: "a.pdf", file, keep: true, ...body })).body.metadata.extraction_id;
    const shared = await keep(`/v2/extractor/${agent}`, {});
    await one.sees(shared, "to_review");
    await two.sees(shared, "to_review");
    const reviewed = await ada.send("PATCH", `/v2/extractions/${shared}`, { status: "reviewed", version: 1 });
    assert.equal(reviewed.status, 200, JSON.stringify(reviewed.body));
    await two.sees(shared, "reviewed");
    assert.equal((await ada.send("DELETE", `/v2/extractions/${shared}`)).status, 200);
    await two.sees(shared, "deleted");

    const ownOnly = await keep("/v2/extractor", { params });
    await one.sees(ownOnly, "to_review");
    const last = await keep(`/v2/extractor/${agent}`, {});
    await two.sees(last, "to_review");
    assert.deepEqual(two.statesOf(ownOnly), []);
  });

  test("when an agent is deleted, its documents and extractions are reported to those who saw it", async () => {
    await using watching = new AsyncDisposableStack();
    const [one, two, api] = [
      watching.use(await byCookie(service, ada)),
      watching.use(await byCookie(service, bob)),
      watching.use(await byToken(service, organization.administrator)),
    ];
    const outside = watching.use(await byToken(service, other.administrator));
    const params = [{ name: "total", format: "number", description: "Total amount", items: [] }];
    const extractor = await made(ada, { name: "Gone", type: "EXTRACTOR", configuration: { params } });
    const body = { filename: "a.pdf", file, keep: true };
    const kept = (await ada.send("POST", `/v2/extractor/${extractor}`, body)).body.metadata.extraction_id;
    const corpus = await made(ada, { name: "Gone too", type: "DOCUMENTALIST" });
    const documents = [await uploaded(ada, corpus, "a.pdf"), await uploaded(ada, corpus, "b.pdf")];
    await one.sees(documents[1] as string, "ready");
    for (const agent of [extractor, corpus])
      assert.equal((await ada.send("DELETE", `/v2/agents/${agent}`)).status, 200);
    for (const watcher of [one, two, api])
      for (const id of [kept, ...documents, extractor, corpus]) await watcher.sees(id, "deleted");
    const gone = two.states.find(({ reference, status }) => reference === documents[0] && status === "deleted");
    assert.deepEqual([gone?.type, gone?.agent_reference], ["document", corpus]);
    assert.equal(two.states.find(({ reference }) => reference === corpus)?.type, "agent");

    // Personal agents and those of groups, after which an open one proves that nothing is missing.
    const own = await made(bob, { name: "Own", type: "PERSONAL" });
    const member = await join(service, organization, "member");
    const three = watching.use(await byCookie(service, member));
    const members = { name: newId(), member_ids: [bob.memberId] };
    const group = await ada.send("POST", "/v2/organization/groups", members);
    const grouped = await made(ada, { name: "Grouped", type: "DOCUMENTALIST" });
    const access = { visibility: "group", group_id: group.body.data.id };
    assert.equal((await ada.send("PUT", `/v2/agents/${grouped}/access`, access)).status, 200);
    const last = await made(ada, { name: "Last", type: "DOCUMENTALIST" });
    assert.equal((await bob.send("DELETE", `/v2/agents/${own}`)).status, 200);
    for (const agent of [grouped, last]) assert.equal((await ada.send("DELETE", `/v2/agents/${agent}`)).status, 200);
    for (const watcher of [one, two, three, api]) await watcher.sees(last, "deleted");
    const seen = (id: string) => [one, two, three, api].map((watcher) => watcher.statesOf(id).length);
    assert.deepEqual(
      [seen(own), seen(grouped)],
      [
        [0, 1, 0, 0],
        [1, 1, 0, 1],
      ],
    );
    assert.deepEqual(outside.states, []);
  });

  test("a kept classification is reported to its user and administrators", async () => {
    await using watching = new AsyncDisposableStack();
    const member = await join(service, organization, "member");
    const [one, two, three] = [
      watching.use(await byCookie(service, ada)),
      watching.use(await byCookie(service, bob)),
      watching.use(await byCookie(service, member)),
    ];
    const started = await bob.send("POST", "/v2/classification/async", { filename: "a.pdf", file });
    const id = started.body.classification_id as string;
    const statesOf = (watcher: Watcher) =>
      watcher.states.filter(({ type, reference }) => type === "kept_classification" && reference === id);
    const sees = (watcher: Watcher, status: string) =>
      watcher.until(() => statesOf(watcher).some((each) => each.status === status));
    for (const watcher of [one, two]) await sees(watcher, "original");
    const { data } = (await bob.send("GET", `/v2/classifications/${id}`)).body;
    const put = { segments: [{ start: 1, end: data.pages, label: "letter", title: "" }], version: data.version };
    assert.equal((await bob.send("PUT", `/v2/classifications/${id}/segments`, put)).status, 200);
    for (const watcher of [one, two]) await sees(watcher, "corrected");
    assert.equal((await ada.send("DELETE", `/v2/classifications/${id}`)).status, 200);
    for (const watcher of [one, two]) await sees(watcher, "deleted");
    assert.deepEqual(statesOf(three), []);
  });

  test("deliveries are reported to administrators when they are queued, attempted and ended", async () => {
    await using watching = new AsyncDisposableStack();
    const [one, two, api] = [
      watching.use(await byCookie(service, ada)),
      watching.use(await byCookie(service, bob)),
      watching.use(await byToken(service, organization.administrator)),
    ];
    const event = "document.ingestion_completed";
    const path = `/v2/organization/webhooks/${event}`;
    // A forbidden address: the attempt fails at once.
    assert.equal((await ada.send("PUT", path, { url: "https://example.com/hook" })).status, 201);
    await service.db.updateTable("webhooks").set({ url: "https://127.0.0.1:1/hook" }).execute();
    const tested = await ada.send("POST", `${path}/test`);
    assert.equal(tested.status, 202, JSON.stringify(tested.body));
    const id = tested.body.data.id as string;
    for (const watcher of [one, api]) {
      await watcher.sees(id, "failed");
      assert.equal(watcher.states.find(({ reference }) => reference === id)?.type, "delivery");
    }
    const replayed = await ada.send("POST", `/v2/organization/deliveries/${id}/replay`);
    assert.equal(replayed.status, 202, JSON.stringify(replayed.body));
    const failures = () => one.states.filter(({ reference, status }) => reference === id && status === "failed");
    await one.until(() => failures().length === 2);
    assert.equal((await ada.send("DELETE", path)).status, 200);
    const agent = await made(ada, { name: "After", type: "DOCUMENTALIST" });
    const document = await uploaded(ada, agent, "after.pdf");
    await two.sees(document, "ready");
    assert.deepEqual(two.statesOf(id), []);
  });

  test("a stream ends with its session, membership or credential, and does not extend the session", async () => {
    const agent = await made(ada, { name: "Ends", type: "DOCUMENTALIST" });
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
    // More than a day old: the next use would extend it.
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
    const document = await uploaded(ada, agent, "after.pdf");
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

  test("without any event, heartbeats are sent and a stream ends when access is lost", async () => {
    await using quiet = await byCookie(service, bob);
    const leaver = await join(service, organization, "member");
    await using watcher = await byCookie(service, leaver);
    await ada.send("DELETE", `/v2/organization/members/${leaver.memberId}`);
    assert.equal(await watcher.end(), "forbidden");
    await quiet.until((events) => events.some(({ event }) => event === "heartbeat"));
  });

  test("a user may have ten streams, and another when one is closed", async () => {
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

  test("changes that appear in another order than their numbers are all reported", async () => {
    const agent = await made(ada, { name: "Order", type: "DOCUMENTALIST" });
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

  test("many changes at once are one resync, and old changes are deleted", async () => {
    const agent = await made(ada, { name: "Many", type: "DOCUMENTALIST" });
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
    const document = await uploaded(ada, agent, "next.pdf");
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
