/** Users, sessions, members, groups and credentials, over HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resetPassword } from "../src/features/identity/users.service.ts";
import { createOrganization } from "../src/features/organizations/organizations.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Browser, browserOf, cookieOf, join, type Person, password, peopleOver } from "./helpers/people.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

const json = { "content-type": "application/json" };

describeOverDatabases("identity", (dialect) => {
  const parts = peopleOver(dialect);
  const emailOf = async (person: Person): Promise<string> =>
    (await person.send("GET", "/v2/session")).body.data.user.email;
  const signIn = (email: string, secret = password, headers = {}) =>
    parts.service.client("").send("POST", "/v2/session", { email, password: secret }, headers);

  test("signing in creates a new session each time; signing out ends it on the server", async () => {
    const email = await emailOf(parts.bob);
    const [first, second] = [await signIn(email), await signIn(email.toUpperCase())];
    assert.equal(first.status, 200);
    const [set = ""] = first.headers.getSetCookie();
    for (const attribute of ["__Host-sheaf_session=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax"])
      assert.ok(set.includes(attribute), attribute);
    assert.equal(first.headers.get("cache-control"), "no-store");
    assert.notEqual(cookieOf(first), cookieOf(second));
    assert.equal(first.body.data.organization_id, parts.organization.id);
    const here = browserOf(parts.service, cookieOf(first));
    assert.equal((await here.send("GET", "/v2/session")).body.data.user.email, email);
    const out = await here.send("DELETE", "/v2/session");
    assert.match(out.headers.getSetCookie()[0] ?? "", /Max-Age=0/);
    assert.equal((await here.send("GET", "/v2/session")).status, 401);
    assert.equal((await here.send("GET", "/v2/agents")).status, 401);
    assert.equal((await browserOf(parts.service, cookieOf(second)).send("GET", "/v2/session")).status, 200);
  });

  test("a wrong password, an unknown address and a forged cookie are refused alike", async () => {
    const wrong = await signIn(await emailOf(parts.bob), "something else");
    const unknown = await signIn("nobody@example.com");
    assert.deepEqual([wrong.status, wrong.body], [401, unknown.body]);
    const [name, value = ""] = parts.bob.cookie.split("=");
    for (const forged of [`${name}=${value.slice(0, -9)}AAAAAA%3D`, `${name}=`, `${name}=a.b`, "other=1"])
      assert.equal((await browserOf(parts.service, forged).send("GET", "/v2/agents")).status, 401, forged);
    const token = parts.organization.administrator.token;
    assert.equal((await browserOf(parts.service, `${name}=${token}`).send("GET", "/v2/agents")).status, 401);
    assert.equal((await parts.service.client(decodeURIComponent(value)).send("GET", "/v2/agents")).status, 401);
  });

  test("every installation creates its own keys, and its first administrator has no password", async () => {
    await using fresh = await openTestService(dialect);
    const keysOf = ({ keys: { tokens: _, ...keys } }: TestService) =>
      Object.values(keys).map((key) => (typeof key === "string" ? key : Buffer.from(key).toString("hex")));
    const all = [...keysOf(parts.service), ...keysOf(fresh)];
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

  test("cross-site requests are refused", async () => {
    const agent = { name: "Forged", type: "EXTRACTOR" };
    const others = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: parts.service.url },
    ];
    for (const headers of others) {
      assert.equal((await parts.ada.send("POST", "/v2/agents", agent, headers)).status, 403, JSON.stringify(headers));
      assert.equal((await signIn(await emailOf(parts.ada), password, headers)).status, 403);
      assert.equal((await parts.ada.send("DELETE", "/v2/session", undefined, headers)).status, 403);
    }
    for (const headers of [{ origin: parts.service.url }, { "sec-fetch-site": "same-origin" }]) {
      const { status, body } = await parts.ada.send("POST", "/v2/agents", agent, headers);
      assert.equal(status, 201);
      await parts.ada.send("DELETE", `/v2/agents/${body.data.reference}`);
    }
  });

  test("changing the password ends every other session", async () => {
    const eve = await join(parts.service, parts.organization, "member");
    const email = await emailOf(eve);
    const other = browserOf(parts.service, cookieOf(await signIn(email)));
    const change = (current_password: string) =>
      eve.send("PUT", "/v2/session/password", { current_password, new_password: "another good one" });
    assert.equal((await change("wrong password")).status, 401);
    const changed = await change(password);
    assert.equal(changed.status, 200);
    assert.equal((await other.send("GET", "/v2/session")).status, 401);
    assert.equal((await eve.send("GET", "/v2/session")).status, 401);
    assert.equal((await browserOf(parts.service, cookieOf(changed)).send("GET", "/v2/agents")).status, 200);
    assert.equal((await signIn(email)).status, 401);
    assert.equal((await signIn(email, "another good one")).status, 200);
    const stored = await parts.service.db.selectFrom("accounts").select("password").execute();
    for (const row of stored) assert.match(row.password ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("an invitation is accepted once, by the holder of its token, and can be cancelled", async () => {
    const invite = (body: object) =>
      parts.organization.administrator.send("POST", "/v2/organization/invitations", body);
    const accept = (token: string, secret = password) =>
      parts.service.client("").send("POST", "/v2/invitations/accept", { token, password: secret });
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
    assert.ok((await parts.ada.send("GET", "/v2/organization/invitations")).body.data.length > 0);
    assert.equal((await parts.ada.send("DELETE", path)).status, 200);
    assert.equal((await parts.ada.send("DELETE", path)).status, 404);
    assert.equal((await accept(withdrawn.body.data.token)).status, 404);
    assert.deepEqual((await parts.ada.send("GET", "/v2/organization/invitations")).body.data, []);

    // A user who already has an account in another organization joins with the password of that
    // account.
    const second = await parts.service.organization("Second");
    const again = await second.administrator.send("POST", "/v2/organization/invitations", { email });
    const both = await accept(again.body.data.token);
    assert.equal(both.body.data.organizations.length, 2);
    const person = browserOf(parts.service, cookieOf(both));
    const choose = (organization_id: string) => person.send("PATCH", "/v2/session", { organization_id });
    assert.equal((await choose(second.id)).body.data.organization_id, second.id);
    assert.equal((await person.send("GET", "/v2/organization")).body.data.name, "Second");
    assert.equal((await choose(newId())).status, 404);
    const foreign = await parts.service.organization("Foreign");
    assert.equal((await choose(foreign.id)).status, 404);
  });

  test("if another organization already created an account for the invited address, the invitation creates a separate one", async () => {
    const email = `${newId()}@example.com`;
    const [first, second] = [await parts.service.organization("Taker"), await parts.service.organization("Owner's")];
    const taken = await join(parts.service, first, "member", { email, name: "Not the owner" });
    const invited = await second.administrator.send("POST", "/v2/organization/invitations", { email });
    const accept = { token: invited.body.data.token, name: "The owner", password: "nobody else knows it" };
    const accepted = await parts.service.client("").send("POST", "/v2/invitations/accept", accept);
    const organizationsOf = ({ body }: { body: { data: { organizations: { name: string }[] } } }) =>
      body.data.organizations.map(({ name }) => name);
    assert.deepEqual([accepted.status, accepted.body.data.user.name], [200, "The owner"]);
    assert.deepEqual(organizationsOf(accepted), ["Owner's"]);
    assert.deepEqual(organizationsOf(await taken.send("GET", "/v2/session")), ["Taker"]);
    assert.deepEqual(organizationsOf(await signIn(email)), ["Taker"]);
    assert.deepEqual(organizationsOf(await signIn(email, accept.password)), ["Owner's"]);

    // A signed-in user joins with the account of the session; the password in the request is
    // ignored.
    const third = await parts.service.organization("Third");
    const more = await third.administrator.send("POST", "/v2/organization/invitations", { email });
    const owner = browserOf(parts.service, cookieOf(accepted));
    const joined = await owner.send("POST", "/v2/invitations/accept", {
      ...accept,
      token: more.body.data.token,
      password: "another password, not needed",
    });
    assert.deepEqual(organizationsOf(joined).sort(), ["Owner's", "Third"]);
    assert.equal(joined.body.data.user.id, accepted.body.data.user.id);

    // If the operator creates an organization for an email address, an existing account is used
    // only if the operator created it.
    const by = { operator: "test" };
    const made = await createOrganization(
      parts.service.db,
      { name: "Fourth", administrator: { name: "A", email } },
      by,
    );
    const members = await parts.service.db
      .selectFrom("members")
      .select("user_id")
      .where("organization_id", "=", made.id)
      .execute();
    const { user_id } = members[0] ?? {};
    assert.ok(user_id !== accepted.body.data.user.id && user_id !== taken.memberId);
    assert.deepEqual(organizationsOf(await taken.send("GET", "/v2/session")), ["Taker"]);
    await assert.rejects(resetPassword(parts.service.db, email, "chosen by the operator"), /Several users have/);
    await resetPassword(parts.service.db, user_id ?? "", "chosen by the operator");
    assert.deepEqual(organizationsOf(await signIn(email, "chosen by the operator")), ["Fourth"]);
    const fifth = { name: "Fifth", administrator: { name: "A", email } };
    await createOrganization(parts.service.db, fifth, by);
    assert.deepEqual(organizationsOf(await signIn(email, "chosen by the operator")), ["Fourth", "Fifth"]);
  });

  test("after a member is disabled, the next request by session or by credential is refused", async () => {
    const carl = await join(parts.service, parts.organization, "administrator");
    const made = await carl.send("POST", "/v2/organization/credentials", { name: "Import" });
    const { client_id, client_secret } = made.body.data;
    const issued = (await (await tokenOf(client_id, client_secret)).json()) as { access_token: string };
    const token = issued.access_token;
    const byToken = () => parts.service.client(token).send("GET", "/v2/agents");
    assert.deepEqual([(await byToken()).status, (await carl.send("GET", "/v2/agents")).status], [200, 200]);
    const path = `/v2/organization/members/${carl.memberId}`;
    assert.equal((await parts.ada.send("PATCH", path, { status: "disabled" })).body.data.status, "disabled");
    assert.deepEqual([(await byToken()).status, (await carl.send("GET", "/v2/agents")).status], [401, 403]);
    assert.equal((await tokenOf(client_id, client_secret)).status, 401);
    await parts.ada.send("PATCH", path, { status: "active", role: "member" });
    assert.equal((await byToken()).status, 403);
    assert.equal((await parts.service.client(token).send("GET", "/v2/organization/usage")).status, 200);
    assert.equal((await parts.ada.send("DELETE", path)).status, 200);
    assert.equal((await byToken()).status, 401);
    assert.equal((await parts.ada.send("DELETE", path)).status, 404);
  });
  const tokenOf = (id: string, secret: string) =>
    fetch(`${parts.service.url}/v2/token?client_id=${id}&client_secret=${encodeURIComponent(secret)}`);

  test("an organization always keeps an active administrator, even if two remove each other at the same time", async () => {
    const small = await parts.service.organization("Small");
    const other = await join(parts.service, small, "administrator");
    const remove = (by: Pick<Browser, "send">, id: string) => by.send("DELETE", `/v2/organization/members/${id}`);
    const ends = await Promise.all([
      remove(small.administrator, other.memberId),
      remove(other, small.administrator.memberId),
    ]);
    // The slower request is refused for one of two reasons: its sender is no longer a member, or it
    // would remove the last administrator.
    assert.equal(ends.filter(({ status }) => status === 200).length, 1);
    const left = ends[0]?.status === 200 ? small.administrator : other;
    const self = left === other ? other.memberId : small.administrator.memberId;
    assert.equal((await remove(left, self)).status, 409);
    for (const change of [{ role: "member" }, { status: "disabled" }])
      assert.equal((await left.send("PATCH", `/v2/organization/members/${self}`, change)).status, 409);
  });

  test("credentials belong to members: the member and administrators can create, list, use and revoke them", async () => {
    const made = await parts.bob.send("POST", "/v2/organization/credentials", { name: "Bob's" });
    assert.equal(made.status, 201);
    const { client_id, client_secret, last_used_at, member_id } = made.body.data;
    assert.deepEqual([last_used_at, member_id], [null, parts.bob.memberId]);
    assert.equal((await tokenOf(client_id, client_secret)).status, 200);
    const listed = async (by: Person) =>
      (await by.send("GET", "/v2/organization/credentials")).body.data as Record<string, string>[];
    const [mine, ...more] = await listed(parts.bob);
    assert.deepEqual([mine?.client_id, mine?.revoked_at, more], [client_id, null, []]);
    assert.ok(Date.now() - Date.parse(mine?.last_used_at ?? "") < 60_000);
    assert.ok((await listed(parts.ada)).length > 1);
    assert.ok(!JSON.stringify(await listed(parts.ada)).includes(client_secret));
    const { clientId } = parts.organization.administrator;
    assert.equal((await parts.bob.send("DELETE", `/v2/organization/credentials/${clientId}`)).status, 404);
    assert.equal((await parts.ada.send("DELETE", `/v2/organization/credentials/${client_id}`)).status, 200);
    assert.equal((await parts.ada.send("DELETE", `/v2/organization/credentials/${client_id}`)).status, 404);
    assert.equal((await tokenOf(client_id, client_secret)).status, 401);
    assert.notEqual((await listed(parts.bob))[0]?.revoked_at, null);
  });

  test("an expired credential and its tokens are refused", async () => {
    const make = (expires_at?: string) =>
      parts.ada.send("POST", "/v2/organization/credentials", { name: "Soon", expires_at });
    assert.equal((await make("2020-01-01T00:00:00Z")).status, 422);
    assert.equal((await make("tomorrow")).status, 422);
    assert.equal((await make()).body.data.expires_at, null);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { client_id, client_secret, expires_at } = (await make(expiresAt)).body.data;
    assert.equal(expires_at, expiresAt);
    const { access_token } = (await (await tokenOf(client_id, client_secret)).json()) as { access_token: string };
    const { send } = parts.service.client(access_token);
    assert.equal((await send("GET", "/v2/organization/usage")).status, 200);
    await parts.service.db
      .updateTable("credentials")
      .set({ expires_at: new Date(Date.now() - 1).toISOString() })
      .where("id", "=", client_id)
      .execute();
    assert.equal((await send("GET", "/v2/organization/usage")).status, 401);
    const refused = await tokenOf(client_id, client_secret);
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [401, "invalid_client"]);
  });

  test("switching off API access refuses tokens but not the web application", async () => {
    const off = await parts.service.organization("Off");
    const person = await join(parts.service, off, "administrator");
    const switched = await off.administrator.send("PATCH", "/v2/organization", { api_enabled: false });
    assert.equal(switched.body.data.api_enabled, false);
    assert.equal((await off.administrator.send("GET", "/v2/agents")).status, 403);
    assert.equal((await person.send("GET", "/v2/agents")).status, 200);
    await person.send("PATCH", "/v2/organization", { api_enabled: true, name: "On" });
    assert.equal((await off.administrator.send("GET", "/v2/organization")).body.data.name, "On");
  });

  test("group names are unique, and a group contains only members of its organization", async () => {
    const make = (body: object) => parts.ada.send("POST", "/v2/organization/groups", body);
    const made = await make({ name: "Law", member_ids: [parts.bob.memberId, parts.bob.memberId] });
    assert.deepEqual(made.body.data.member_ids, [parts.bob.memberId]);
    assert.equal((await make({ name: "Law" })).status, 409);
    const foreign = await parts.service.organization("Elsewhere");
    assert.equal((await make({ name: "X", member_ids: [foreign.administrator.memberId] })).status, 404);
    const path = `/v2/organization/groups/${made.body.data.id}`;
    const changed = await parts.ada.send("PATCH", path, { name: "Lawyers", member_ids: [] });
    assert.deepEqual([changed.body.data.name, changed.body.data.member_ids], ["Lawyers", []]);
    const other = await make({ name: "Sales" });
    assert.equal((await parts.ada.send("PATCH", path, { name: "Sales" })).status, 409);
    assert.equal((await parts.bob.send("GET", "/v2/organization/groups")).status, 403);
    assert.equal((await foreign.administrator.send("DELETE", path)).status, 404);
    for (const { id } of [made.body.data, other.body.data])
      assert.equal((await parts.ada.send("DELETE", `/v2/organization/groups/${id}`)).status, 200);
    assert.deepEqual((await parts.ada.send("GET", "/v2/organization/groups")).body.data, []);
  });

  test("actions of users are in the audit log", async () => {
    const rows = await parts.service.db
      .selectFrom("audit_entries")
      .select(["action", "address", "user_id"])
      .where("organization_id", "=", parts.organization.id)
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
    ])
      assert.ok(actions.has(action), action);
    assert.ok(actions.has("session.refused"));
    for (const { action, address, user_id } of rows)
      if (action === "session.refused") assert.deepEqual([address, user_id], ["127.0.0.1", null]);
      else if (action !== "organization.created" && address !== null)
        assert.ok(address === "127.0.0.1" && user_id, action);
  });

  test("a sign-in whose body is not JSON sets no cookie", async () => {
    const answer = await fetch(`${parts.service.url}/v2/session`, {
      method: "POST",
      body: "a=b",
      headers: { ...json },
    });
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [422, []]);
  });
});
