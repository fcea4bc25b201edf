/** Users, sessions, members, groups and what each may see, over HTTP. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const password = "correct horse battery";
const json = { "content-type": "application/json" };

/** A browser in which somebody has signed in. */
interface Browser {
  cookie: string;
  memberId: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

describeOverDatabases("identity", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let ada: Browser;
  let bob: Browser;

  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("People");
    ada = await join(organization, "administrator");
    bob = await join(organization, "member");
  });
  after(() => service[Symbol.asyncDispose]());

  const browser = (cookie: string, memberId = ""): Browser => ({
    cookie,
    memberId,
    send: (method, path, body, headers) => service.client("").send(method, path, body, { cookie, ...headers }),
  });
  const cookieOf = ({ headers }: Answer): string => (headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";

  async function join(into: TestOrganization, role: string): Promise<Browser> {
    const email = `${newId()}@example.com`;
    const invited = await into.administrator.send("POST", "/v2/organization/invitations", { email, role });
    assert.equal(invited.status, 201);
    const accept = { token: invited.body.data.token, name: role, password };
    const accepted = await service.client("").send("POST", "/v2/invitations/accept", accept);
    assert.equal(accepted.status, 200);
    const members = await into.administrator.send("GET", "/v2/organization/members");
    const member = members.body.data.find((each: { email: string }) => each.email === email);
    assert.deepEqual([member.role, member.status], [role, "active"]);
    return browser(cookieOf(accepted), member.id);
  }
  const emailOf = async (person: Browser): Promise<string> =>
    (await person.send("GET", "/v2/session")).body.data.user.email;
  const signIn = (email: string, secret = password, headers = {}) =>
    service.client("").send("POST", "/v2/session", { email, password: secret }, headers);

  test("signing in makes a new session each time; signing out ends it on the server", async () => {
    const email = await emailOf(bob);
    const [first, second] = [await signIn(email), await signIn(email.toUpperCase())];
    assert.equal(first.status, 200);
    const [set = ""] = first.headers.getSetCookie();
    for (const attribute of ["__Host-sheaf_session=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"])
      assert.ok(set.includes(attribute), attribute);
    assert.equal(first.headers.get("cache-control"), "no-store");
    assert.notEqual(cookieOf(first), cookieOf(second));
    assert.equal(first.body.data.organization_id, organization.id);
    const here = browser(cookieOf(first));
    assert.equal((await here.send("GET", "/v2/session")).body.data.user.email, email);
    const out = await here.send("DELETE", "/v2/session");
    assert.match(out.headers.getSetCookie()[0] ?? "", /Max-Age=0/);
    assert.equal((await here.send("GET", "/v2/session")).status, 401);
    assert.equal((await here.send("GET", "/v2/agents")).status, 401);
    assert.equal((await browser(cookieOf(second)).send("GET", "/v2/session")).status, 200);
  });

  test("a wrong password, an unknown address and a forged cookie are refused alike", async () => {
    const wrong = await signIn(await emailOf(bob), "something else");
    const unknown = await signIn("nobody@example.com");
    assert.deepEqual([wrong.status, wrong.body], [401, unknown.body]);
    const [name, value = ""] = bob.cookie.split("=");
    for (const forged of [`${name}=${value.slice(0, -9)}AAAAAA%3D`, `${name}=`, `${name}=a.b`, "other=1"])
      assert.equal((await browser(forged).send("GET", "/v2/agents")).status, 401, forged);
    const token = organization.administrator.token;
    assert.equal((await browser(`${name}=${token}`).send("GET", "/v2/agents")).status, 401);
    assert.equal((await service.client(decodeURIComponent(value)).send("GET", "/v2/agents")).status, 401);
  });

  test("every installation makes keys of its own, and no password signs its first administrator in", async () => {
    await using fresh = await openTestService(dialect);
    const keysOf = ({ keys }: TestService) =>
      Object.values(keys).map((key) => (typeof key === "string" ? key : Buffer.from(key).toString("hex")));
    const all = [...keysOf(service), ...keysOf(fresh)];
    assert.deepEqual([all.length, new Set(all).size], [10, 10]);
    const [first, ...more] = await fresh.db.selectFrom("users").selectAll().execute();
    assert.deepEqual(more, []);
    assert.deepEqual(await fresh.db.selectFrom("accounts").selectAll().execute(), [], "there is no password");
    for (const guess of [" ", "password", "administrator", "Administrator", first?.email]) {
      const body = { email: first?.email, password: guess };
      const { status, headers } = await fresh.client("").send("POST", "/v2/session", body);
      assert.deepEqual([status, headers.getSetCookie()], [401, []], guess);
    }
  });

  test("what another site has a browser send is refused", async () => {
    const agent = { name: "Forged", type: "EXTRACTOR" };
    const others = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: service.url },
    ];
    for (const headers of others) {
      assert.equal((await ada.send("POST", "/v2/agents", agent, headers)).status, 403, JSON.stringify(headers));
      assert.equal((await signIn(await emailOf(ada), password, headers)).status, 403);
      assert.equal((await ada.send("DELETE", "/v2/session", undefined, headers)).status, 403);
    }
    for (const headers of [{ origin: service.url }, { "sec-fetch-site": "same-origin" }]) {
      const { status, body } = await ada.send("POST", "/v2/agents", agent, headers);
      assert.equal(status, 201);
      await ada.send("DELETE", `/v2/agents/${body.data.reference}`);
    }
  });

  test("a new password ends every other session", async () => {
    const eve = await join(organization, "member");
    const email = await emailOf(eve);
    const other = browser(cookieOf(await signIn(email)));
    const change = (current_password: string) =>
      eve.send("PUT", "/v2/session/password", { current_password, new_password: "another good one" });
    assert.equal((await change("wrong password")).status, 401);
    const changed = await change(password);
    assert.equal(changed.status, 200);
    assert.equal((await other.send("GET", "/v2/session")).status, 401);
    assert.equal((await eve.send("GET", "/v2/session")).status, 401);
    assert.equal((await browser(cookieOf(changed)).send("GET", "/v2/agents")).status, 200);
    assert.equal((await signIn(email)).status, 401);
    assert.equal((await signIn(email, "another good one")).status, 200);
    const stored = await service.db.selectFrom("accounts").select("password").execute();
    for (const row of stored) assert.match(row.password ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("an invitation is accepted once, by who has its token, and can be taken back", async () => {
    const invite = (body: object) => organization.administrator.send("POST", "/v2/organization/invitations", body);
    const accept = (token: string, secret = password) =>
      service.client("").send("POST", "/v2/invitations/accept", { token, password: secret });
    const email = `${newId()}@example.com`;
    const [earlier, later] = [await invite({ email }), await invite({ email })];
    assert.equal((await accept(earlier.body.data.token)).status, 404);
    const ends = await Promise.all([1, 2, 3].map(() => accept(later.body.data.token)));
    assert.deepEqual(ends.map(({ status }) => status).sort(), [200, 404, 404]);
    assert.equal((await invite({ email })).status, 409);
    assert.equal((await invite({ email: "not an address" })).status, 422);
    assert.equal((await accept("inv_unknown")).status, 404);

    const withdrawn = await invite({ email: `${newId()}@example.com` });
    const path = `/v2/organization/invitations/${withdrawn.body.data.id}`;
    assert.ok((await ada.send("GET", "/v2/organization/invitations")).body.data.length > 0);
    assert.equal((await ada.send("DELETE", path)).status, 200);
    assert.equal((await ada.send("DELETE", path)).status, 404);
    assert.equal((await accept(withdrawn.body.data.token)).status, 404);
    assert.deepEqual((await ada.send("GET", "/v2/organization/invitations")).body.data, []);

    // Whoever is a user already needs their own password: an invitation is no way to choose it anew.
    const second = await service.organization("Second");
    const again = await second.administrator.send("POST", "/v2/organization/invitations", { email });
    assert.equal((await accept(again.body.data.token, "somebody else's")).status, 401);
    const both = await accept(again.body.data.token);
    assert.equal(both.body.data.organizations.length, 2);
    const person = browser(cookieOf(both));
    const choose = (organization_id: string) => person.send("PATCH", "/v2/session", { organization_id });
    assert.equal((await choose(second.id)).body.data.organization_id, second.id);
    assert.equal((await person.send("GET", "/v2/organization")).body.data.name, "Second");
    assert.equal((await choose(newId())).status, 404);
    const foreign = await service.organization("Foreign");
    assert.equal((await choose(foreign.id)).status, 404);
    // Of a user whom the operator made, and who has no password yet, it can't be chosen either.
    const nameless = await service.db
      .selectFrom("users")
      .select("email")
      .where("id", "=", organization.administrator.userId)
      .executeTakeFirstOrThrow();
    const trap = await second.administrator.send("POST", "/v2/organization/invitations", { email: nameless.email });
    assert.equal((await accept(trap.body.data.token)).status, 401);
  });

  test("a disabled member is refused at the next request, by session and by credential", async () => {
    const carl = await join(organization, "administrator");
    const made = await carl.send("POST", "/v2/organization/credentials", { name: "Import" });
    const { client_id, client_secret } = made.body.data;
    const issued = (await (await tokenOf(client_id, client_secret)).json()) as { access_token: string };
    const token = issued.access_token;
    const byToken = () => service.client(token).send("GET", "/v2/agents");
    assert.deepEqual([(await byToken()).status, (await carl.send("GET", "/v2/agents")).status], [200, 200]);
    const path = `/v2/organization/members/${carl.memberId}`;
    assert.equal((await ada.send("PATCH", path, { status: "disabled" })).body.data.status, "disabled");
    assert.deepEqual([(await byToken()).status, (await carl.send("GET", "/v2/agents")).status], [401, 403]);
    assert.equal((await tokenOf(client_id, client_secret)).status, 401);
    await ada.send("PATCH", path, { status: "active", role: "member" });
    assert.equal((await byToken()).status, 403);
    assert.equal((await service.client(token).send("GET", "/v2/organization/usage")).status, 200);
    assert.equal((await ada.send("DELETE", path)).status, 200);
    assert.equal((await byToken()).status, 401);
    assert.equal((await ada.send("DELETE", path)).status, 404);
  });
  const tokenOf = (id: string, secret: string) =>
    fetch(`${service.url}/v2/token?client_id=${id}&client_secret=${encodeURIComponent(secret)}`);

  test("the last active administrator stays one, also when two remove each other at once", async () => {
    const small = await service.organization("Small");
    const other = await join(small, "administrator");
    const remove = (by: { send: Browser["send"] }, id: string) => by.send("DELETE", `/v2/organization/members/${id}`);
    const ends = await Promise.all([
      remove(small.administrator, other.memberId),
      remove(other, small.administrator.memberId),
    ]);
    // The slower one was removed before its request, or would have removed the last.
    assert.equal(ends.filter(({ status }) => status === 200).length, 1);
    const left = ends[0]?.status === 200 ? small.administrator : other;
    const self = left === other ? other.memberId : small.administrator.memberId;
    assert.equal((await remove(left, self)).status, 409);
    for (const change of [{ role: "member" }, { status: "disabled" }])
      assert.equal((await left.send("PATCH", `/v2/organization/members/${self}`, change)).status, 409);
  });

  test("credentials belong to members: made, listed, used and revoked by them or an administrator", async () => {
    const made = await bob.send("POST", "/v2/organization/credentials", { name: "Bob's" });
    assert.equal(made.status, 201);
    const { client_id, client_secret, last_used_at, member_id } = made.body.data;
    assert.deepEqual([last_used_at, member_id], [null, bob.memberId]);
    assert.equal((await tokenOf(client_id, client_secret)).status, 200);
    const listed = async (by: Browser) =>
      (await by.send("GET", "/v2/organization/credentials")).body.data as Record<string, string>[];
    const [mine, ...more] = await listed(bob);
    assert.deepEqual([mine?.client_id, mine?.revoked_at, more], [client_id, null, []]);
    assert.ok(Date.now() - Date.parse(mine?.last_used_at ?? "") < 60_000);
    assert.ok((await listed(ada)).length > 1);
    assert.ok(!JSON.stringify(await listed(ada)).includes(client_secret));
    const { clientId } = organization.administrator;
    assert.equal((await bob.send("DELETE", `/v2/organization/credentials/${clientId}`)).status, 404);
    assert.equal((await ada.send("DELETE", `/v2/organization/credentials/${client_id}`)).status, 200);
    assert.equal((await ada.send("DELETE", `/v2/organization/credentials/${client_id}`)).status, 404);
    assert.equal((await tokenOf(client_id, client_secret)).status, 401);
    assert.notEqual((await listed(bob))[0]?.revoked_at, null);
  });

  test("API access that is switched off refuses tokens and leaves the web application", async () => {
    const off = await service.organization("Off");
    const person = await join(off, "administrator");
    const switched = await off.administrator.send("PATCH", "/v2/organization", { api_enabled: false });
    assert.equal(switched.body.data.api_enabled, false);
    assert.equal((await off.administrator.send("GET", "/v2/agents")).status, 403);
    assert.equal((await person.send("GET", "/v2/agents")).status, 200);
    await person.send("PATCH", "/v2/organization", { api_enabled: true, name: "On" });
    assert.equal((await off.administrator.send("GET", "/v2/organization")).body.data.name, "On");
  });

  test("groups: a name once, members of the organization only", async () => {
    const make = (body: object) => ada.send("POST", "/v2/organization/groups", body);
    const made = await make({ name: "Law", member_ids: [bob.memberId, bob.memberId] });
    assert.deepEqual(made.body.data.member_ids, [bob.memberId]);
    assert.equal((await make({ name: "Law" })).status, 409);
    const foreign = await service.organization("Elsewhere");
    assert.equal((await make({ name: "X", member_ids: [foreign.administrator.memberId] })).status, 404);
    const path = `/v2/organization/groups/${made.body.data.id}`;
    const changed = await ada.send("PATCH", path, { name: "Lawyers", member_ids: [] });
    assert.deepEqual([changed.body.data.name, changed.body.data.member_ids], ["Lawyers", []]);
    const other = await make({ name: "Sales" });
    assert.equal((await ada.send("PATCH", path, { name: "Sales" })).status, 409);
    assert.equal((await bob.send("GET", "/v2/organization/groups")).status, 403);
    assert.equal((await foreign.administrator.send("DELETE", path)).status, 404);
    for (const { id } of [made.body.data, other.body.data])
      assert.equal((await ada.send("DELETE", `/v2/organization/groups/${id}`)).status, 200);
    assert.deepEqual((await ada.send("GET", "/v2/organization/groups")).body.data, []);
  });

  test("who sees an agent: in lists, by its reference, in questions", async () => {
    const inGroup = await join(organization, "member");
    const group = await ada.send("POST", "/v2/organization/groups", { name: "Few", member_ids: [inGroup.memberId] });
    const api = organization.administrator;
    const agent = (await ada.send("POST", "/v2/agents", { name: "Shown", type: "DOCUMENTALIST" })).body.data.reference;
    const sees = async (by: { send: Browser["send"] }) => {
      const list = (await by.send("GET", "/v2/agents")).body.data as { reference: string }[];
      const one = (await by.send("GET", `/v2/agents/${agent}`)).status;
      const asked = (await by.send("POST", `/v2/knowledge/${agent}`, { query: "What?" })).status;
      assert.equal(
        list.some(({ reference }) => reference === agent),
        one === 200,
      );
      return [one, asked];
    };
    const asked = async () => (await service.client("").send("POST", `/v2/public/${agent}`, { query: "What?" })).status;
    const set = async (access: object) => (await ada.send("PUT", `/v2/agents/${agent}/access`, access)).status;
    const table = async () => [await sees(api), await sees(ada), await sees(bob), await sees(inGroup), await asked()];
    const [yes, no] = [
      [200, 200],
      [404, 404],
    ];
    assert.deepEqual(await table(), [yes, yes, yes, yes, 404]);
    assert.equal(await set({ visibility: "public" }), 200);
    assert.deepEqual(await table(), [yes, yes, yes, yes, 200]);
    assert.equal(await set({ visibility: "group", group_id: group.body.data.id }), 200);
    // The API lists what groups see, and asks only what everybody sees.
    assert.deepEqual(await table(), [[200, 404], yes, no, yes, 404]);
    assert.equal(await set({ visibility: "private" }), 200);
    assert.deepEqual(await table(), [no, yes, no, no, 404]);
    assert.equal((await bob.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" })).status, 404);
    assert.equal((await ada.send("GET", `/v2/agents/${agent}/access`)).body.data.visibility, "private");

    assert.equal(await set({ visibility: "organization" }), 200);
    assert.equal((await bob.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" })).status, 403);
    for (const refused of [{ visibility: "group" }, { visibility: "public", group_id: group.body.data.id }])
      assert.equal(await set(refused), 422);
    assert.equal(await set({ visibility: "group", group_id: newId() }), 404);
    for (const [method, path, body] of [
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", "", undefined],
      ["POST", "/documents", { filename: "a.pdf", file: "AAAA" }],
      ["DELETE", `/documents/${newId()}`, undefined],
    ] as const)
      assert.equal((await bob.send(method, `/v2/agents/${agent}${path}`, body)).status, 403, method + path);
    assert.equal((await bob.send("GET", `/v2/agents/${agent}/documents`)).status, 200);
    assert.equal((await bob.send("POST", "/v2/agents", { name: "No", type: "EXTRACTOR" })).status, 403);
    await ada.send("DELETE", `/v2/agents/${agent}`);
  });

  test("a personal agent is its owner's, in the web application; what is uploaded there is not told", async () => {
    const made = await bob.send("POST", "/v2/agents", { name: "Bob's own", type: "PERSONAL" });
    assert.deepEqual([made.status, made.body.data.type], [201, "PERSONAL"]);
    const path = `/v2/agents/${made.body.data.reference}`;
    for (const other of [ada, organization.administrator]) {
      assert.equal((await other.send("GET", path)).status, 404);
      assert.equal((await other.send("DELETE", path)).status, 404);
    }
    const uploaded = await bob.send("POST", `${path}/documents`, { filename: "a.pdf", file: "AAAA" });
    assert.equal(uploaded.status, 202);
    const row = await service.db.selectFrom("documents").selectAll().executeTakeFirstOrThrow();
    assert.equal(row.channel, "app");
    const asked = await bob.send("POST", `/v2/knowledge/${made.body.data.reference}`, { query: "What?" });
    assert.equal(asked.status, 200);
    assert.equal((await bob.send("PATCH", path, { name: "Renamed" })).body.data.name, "Renamed");
    // Shown to all, it is read by the API and written by nobody but its owner.
    assert.equal((await bob.send("PUT", `${path}/access`, { visibility: "organization" })).status, 200);
    const api = organization.administrator;
    assert.equal((await api.send("GET", path)).body.data.type, "PERSONAL");
    assert.equal((await api.send("PATCH", path, { name: "Taken" })).body.code, "invalid_agent_type");
    assert.equal((await ada.send("DELETE", path)).status, 403);
    assert.equal(
      (await api.send("POST", "/v2/agents", { name: "P", type: "PERSONAL" })).body.code,
      "invalid_agent_type",
    );
    assert.equal((await bob.send("DELETE", path)).status, 200);
  });

  test("threads and operations of a user are theirs; usage is metered by channel", async () => {
    const agent = (await ada.send("POST", "/v2/agents", { name: "Shared", type: "DOCUMENTALIST" })).body.data.reference;
    await ada.send("PUT", `/v2/agents/${agent}/access`, { visibility: "public" });
    const api = organization.administrator;
    const anybody = service.client("");
    const ask = (by: { send: Browser["send"] }, thread_id?: string) =>
      by.send("POST", `/v2/${by === anybody ? "public" : "knowledge"}/${agent}`, {
        query: "What?",
        ...(thread_id && { thread_id }),
      });
    const askers = [api, ada, bob, anybody];
    for (const [first, asker] of askers.entries()) {
      const { thread_id } = (await ask(asker)).body.metadata;
      for (const [second, other] of askers.entries())
        assert.equal((await ask(other, thread_id)).status, first === second ? 200 : 404, `${first} ${second}`);
    }
    const channels = await service.db
      .selectFrom("usage_entries")
      .select("channel")
      .where("organization_id", "=", organization.id)
      .distinct()
      .execute();
    assert.deepEqual(channels.map(({ channel }) => channel).sort(), ["api", "app", "public"]);
    const file = { filename: "a.pdf", file: "AAAA" };
    const { classification_id } = (await bob.send("POST", "/v2/classification/async", file)).body;
    const found = async (by: { send: Browser["send"] }) =>
      (await by.send("GET", `/v2/classification/async/${classification_id}`)).status;
    assert.deepEqual([await found(bob), await found(ada), await found(api)], [200, 404, 404]);
  });

  test("what people do is in the audit log", async () => {
    const rows = await service.db
      .selectFrom("audit_entries")
      .select(["action", "address", "user_id"])
      .where("organization_id", "=", organization.id)
      .execute();
    const actions = new Set(rows.map(({ action }) => action));
    for (const action of [
      "session.created",
      "session.ended",
      "password.changed",
      "invitation.created",
      "invitation.accepted",
      "invitation.canceled",
      "member.changed",
      "member.removed",
      "credential.created",
      "credential.revoked",
      "group.created",
      "group.deleted",
      "agent.access_changed",
    ])
      assert.ok(actions.has(action), action);
    for (const { action, address, user_id } of rows)
      if (action !== "organization.created" && address !== null) assert.ok(address === "127.0.0.1" && user_id, action);
  });

  test("a request whose body is no JSON gets no cookie", async () => {
    const answer = await fetch(`${service.url}/v2/session`, { method: "POST", body: "a=b", headers: { ...json } });
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [422, []]);
  });
});
