/** Which changes of state are reported to whom, as server-sent events over real HTTP. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, sampleBase64 as file } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { join, type Person } from "./helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { byCookie, byToken, makeAgent, upload, type Watcher } from "./helpers/state-watcher.ts";

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

  test("a document is reported to all members, without its name, and not to another organization", async () => {
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

    const agent = await makeAgent(ada, { name: "Shared", type: "DOCUMENTALIST" });
    const document = await upload(ada, agent, "topsecretname.pdf");
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

    // An event for the other organization's own document proves that its stream works.
    const theirs = corpusOf(service, other);
    const their = await theirs.accepted(await theirs.makeAgent());
    await outside.sees(their, "ready");
    assert.deepEqual([...new Set(outside.states.map(({ reference }) => reference))], [their]);
    await one.until(() => true);
    assert.ok(!JSON.stringify([one.events, two.events, three.events]).includes(their));
  });

  test("a document that cannot be read gets the status error", async () => {
    await using watcher = await byCookie(service, bob);
    const agent = await makeAgent(ada, { name: "Broken", type: "DOCUMENTALIST" });
    const answer = await ada.send("POST", `/v2/agents/${agent}/documents`, { filename: "a.pdf", file: "AAAA" });
    await watcher.sees(answer.body.data.document_reference, "error");
  });

  test("documents of personal agents and groups are reported to those who can see them at that moment", async () => {
    await using watching = new AsyncDisposableStack();
    const [one, two, api] = [
      watching.use(await byCookie(service, ada)),
      watching.use(await byCookie(service, bob)),
      watching.use(await byToken(service, organization.administrator)),
    ];
    const own = await makeAgent(bob, { name: "Own", type: "PERSONAL" });
    const personal = await upload(bob, own, "own.pdf");
    await two.sees(personal, "ready");

    const group = await ada.send("POST", "/v2/organization/groups", { name: newId(), member_ids: [] });
    const agent = await makeAgent(ada, { name: "Grouped", type: "DOCUMENTALIST" });
    const open = await upload(ada, agent, "open.pdf");
    await two.sees(open, "ready");
    const access = { visibility: "group", group_id: group.body.data.id };
    assert.equal((await ada.send("PUT", `/v2/agents/${agent}/access`, access)).status, 200);
    const closed = await upload(ada, agent, "closed.pdf");
    await one.sees(closed, "ready");
    await api.sees(closed, "ready");
    const visible = await makeAgent(ada, { name: "Visible", type: "DOCUMENTALIST" });
    await two.sees(await upload(ada, visible, "last.pdf"), "ready");
    assert.deepEqual(two.statesOf(closed), []);
    assert.deepEqual([one.statesOf(personal), api.statesOf(personal)], [[], []]);
  });

  test("operations are reported to the user who started them, or to API clients if started through the API", async () => {
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
    // Filters by type: administrators also see the kept classifications of others, which have the
    // same ids as the operations.
    const operations = ({ states }: Watcher, id: string) =>
      states.filter(({ type, reference }) => type === "classification" && reference === id);
    assert.deepEqual([operations(one, ofBob), operations(one, ofApi)], [[], []]);
    assert.deepEqual([operations(two, ofApi), operations(two, ofAda), operations(api, ofBob)], [[], [], []]);
  });

  test("a kept extraction is reported when it is made, reviewed and deleted", async () => {
    await using watching = new AsyncDisposableStack();
    const [one, two] = [watching.use(await byCookie(service, ada)), watching.use(await byCookie(service, bob))];
    const params = [{ name: "total", format: "number", description: "Total amount", items: [] }];
    const agent = await makeAgent(ada, { name: "Kept", type: "EXTRACTOR", configuration: { params } });
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
    const extractor = await makeAgent(ada, { name: "Gone", type: "EXTRACTOR", configuration: { params } });
    const body = { filename: "a.pdf", file, keep: true };
    const kept = (await ada.send("POST", `/v2/extractor/${extractor}`, body)).body.metadata.extraction_id;
    const corpus = await makeAgent(ada, { name: "Gone too", type: "DOCUMENTALIST" });
    const documents = [await upload(ada, corpus, "a.pdf"), await upload(ada, corpus, "b.pdf")];
    await one.sees(documents[1] as string, "ready");
    for (const agent of [extractor, corpus])
      assert.equal((await ada.send("DELETE", `/v2/agents/${agent}`)).status, 200);
    for (const watcher of [one, two, api])
      for (const id of [kept, ...documents, extractor, corpus]) await watcher.sees(id, "deleted");
    const gone = two.states.find(({ reference, status }) => reference === documents[0] && status === "deleted");
    assert.deepEqual([gone?.type, gone?.agent_reference], ["document", corpus]);
    assert.equal(two.states.find(({ reference }) => reference === corpus)?.type, "agent");

    // Deletes a personal agent, a group's agent, and then an agent that everybody sees. Once the
    // last deletion is reported, no earlier report can be missing.
    const own = await makeAgent(bob, { name: "Own", type: "PERSONAL" });
    const member = await join(service, organization, "member");
    const three = watching.use(await byCookie(service, member));
    const members = { name: newId(), member_ids: [bob.memberId] };
    const group = await ada.send("POST", "/v2/organization/groups", members);
    const grouped = await makeAgent(ada, { name: "Grouped", type: "DOCUMENTALIST" });
    const access = { visibility: "group", group_id: group.body.data.id };
    assert.equal((await ada.send("PUT", `/v2/agents/${grouped}/access`, access)).status, 200);
    const last = await makeAgent(ada, { name: "Last", type: "DOCUMENTALIST" });
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
    // Replaces the URL with a forbidden address, so that the attempt fails at once.
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
    const agent = await makeAgent(ada, { name: "After", type: "DOCUMENTALIST" });
    const document = await upload(ada, agent, "after.pdf");
    await two.sees(document, "ready");
    assert.deepEqual(two.statesOf(id), []);
  });
});
