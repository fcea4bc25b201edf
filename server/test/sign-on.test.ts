/** Sign-on with a real provider: members, groups, roles, enforcement, and separation of organizations. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { deleteOldSessions } from "../src/features/identity/sessions.service.ts";
import { changeEmail } from "../src/features/identity/users.service.ts";
import { addDomain, removeDomain } from "../src/features/sign-on/domains.service.ts";
import { findProvider } from "../src/features/sign-on/sign-on.repo.ts";
import { memberOf } from "../src/features/sign-on/sign-on-member.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import {
  type Account,
  client,
  type IdentityProvider,
  openIdentityProvider,
  responseOf,
} from "./helpers/identity-provider.ts";
import { type Browser, browserOf, cookieOf, join, password } from "./helpers/people.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";
import { everyRow } from "./helpers/stored-rows.ts";

describeOverDatabases("sign-on", (dialect) => {
  let service: TestService;
  let provider: IdentityProvider;
  before(async () => {
    provider = await openIdentityProvider();
    service = await openTestService(dialect, {
      SHEAF_PUBLIC_URL: "https://sheaf.example.com",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
      SHEAF_OUTBOUND_HTTP: "on",
      SHEAF_ADDRESS_RATE_LIMIT: "0",
    });
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });
  afterEach(() => {
    provider.account = undefined;
  });

  const nobody: TestOrganization["administrator"]["send"] = (...request) => service.client("").send(...request);

  interface House {
    organization: TestOrganization;
    domain: string;
    /** Administrator with a password. */
    ada: Browser & { memberId: string };
    adaEmail: string;
    configure(changes?: object): Promise<Answer>;
  }

  /** An organization with a domain and the provider. */
  async function house(changes: object = {}): Promise<House> {
    const organization = await service.organization(`House ${newId()}`);
    const domain = `${newId()}.example.com`;
    await addDomain(service.db, organization.id, domain);
    const adaEmail = `ada@${domain}`;
    const ada = await join(service, organization, "administrator", { email: adaEmail, name: "Ada" });
    const { redirect_uri } = (await ada.send("GET", "/v2/organization/sign-on")).body.data;
    provider.register(redirect_uri);
    const configure = (further: object = {}) =>
      ada.send("PUT", "/v2/organization/sign-on", {
        issuer: provider.issuer,
        client_id: client.id,
        client_secret: client.secret,
        ...changes,
        ...further,
      });
    const configured = await configure();
    assert.equal(configured.status, 200, JSON.stringify(configured.body));
    return { organization, domain, ada, adaEmail, configure };
  }

  const start = (email: string) => nobody("POST", "/v2/session/sign-on", { email });
  const complete = (organizationId: string, response: string, cookie: string) =>
    nobody("POST", "/v2/session/sign-on/complete", { organization_id: organizationId, response }, { cookie });

  /** Signs in as an account of the provider. */
  async function signOn(
    { organization, domain }: Pick<House, "organization" | "domain">,
    account: Account | undefined,
  ) {
    provider.account = account;
    const started = await start(`anybody@${domain}`);
    assert.equal(started.status, 200, JSON.stringify(started.body));
    return complete(organization.id, await responseOf(started.body.data.url), cookieOf(started));
  }

  const verified = (email: string, further: Partial<Account> = {}): Account => ({
    sub: newId(),
    email,
    email_verified: true,
    name: "Grace Hopper",
    ...further,
  });
  const failed = ({ status, body, headers }: Answer, reason: string) =>
    assert.deepEqual(
      [status, body.code, body.detail?.reason, headers.getSetCookie()],
      [401, "sign_on_failed", reason, []],
    );
  const members = async ({ organization }: Pick<House, "organization">) =>
    (await organization.administrator.send("GET", "/v2/organization/members")).body.data as {
      id: string;
      email: string;
      role: string;
      status: string;
      name: string;
    }[];
  const memberWith = async (at: Pick<House, "organization">, email: string) =>
    (await members(at)).find((each) => each.email === email);
  const passwordSignIn = (email: string) => nobody("POST", "/v2/session", { email, password });
  const browse = (answer: Answer) => browserOf(service, cookieOf(answer));

  test("the first sign-in creates a member; later ones find it by the account, not by the address", async () => {
    const here = await house();
    const account = verified(`Grace@${here.domain}`);
    const first = await signOn(here, account);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const { user, organizations, sign_on, organization_id } = first.body.data;
    assert.deepEqual(
      [user.email, user.name, user.has_password, sign_on, organization_id, organizations.length],
      [`grace@${here.domain}`, "Grace Hopper", false, true, here.organization.id, 1],
    );
    const [session = "", attempt = ""] = first.headers.getSetCookie();
    for (const flag of [/^__Host-sheaf_session=/, /HttpOnly/, /Secure/, /SameSite=Lax/, /Path=\//])
      assert.match(session, flag);
    assert.match(attempt, /^__Host-sheaf_sign_on=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/);
    assert.equal((await browse(first).send("GET", "/v2/agents")).status, 200);
    assert.equal((await memberWith(here, user.email))?.role, "member");

    const renamed = await signOn(here, { ...account, email: `g@elsewhere.example`, email_verified: false });
    assert.deepEqual([renamed.status, renamed.body.data.user.id], [200, user.id]);
    const log = (await here.ada.send("GET", "/v2/organization/audit")).body.data;
    const about = log
      .filter(({ action }: { action: string }) => action.startsWith("sign_on.") || action === "session.created")
      .map(({ action, detail }: { action: string; detail: Record<string, unknown> }) => [action, detail.by ?? null])
      .slice(1);
    assert.deepEqual(about, [
      ["sign_on.configured", null],
      ["sign_on.connected", null],
      ["session.created", "sign-on"],
      ["session.created", "sign-on"],
    ]);
  });

  test("several concurrent first sign-ins create one member", async () => {
    const here = await house();
    const account = verified(`grace@${here.domain}`);
    provider.account = account;
    const started = await Promise.all([1, 2, 3].map(() => start(`grace@${here.domain}`)));
    const responses = await Promise.all(started.map(({ body }) => responseOf(body.data.url)));
    const answers = await Promise.all(
      started.map((each, index) => complete(here.organization.id, responses[index] ?? "", cookieOf(each))),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal((await members(here)).filter(({ email }) => email === account.email).length, 1);
  });

  test("claims at the userinfo endpoint are used if the ID token has none", async () => {
    await using other = await openIdentityProvider({ inIdToken: false });
    const here = await house();
    other.register((await here.ada.send("GET", "/v2/organization/sign-on")).body.data.redirect_uri);
    assert.equal((await here.configure({ issuer: other.issuer })).status, 200);
    other.account = verified(`grace@${here.domain}`);
    const started = await start(`grace@${here.domain}`);
    const answer = await complete(here.organization.id, await responseOf(started.body.data.url), cookieOf(started));
    assert.deepEqual([answer.status, answer.body.data?.user.email], [200, `grace@${here.domain}`]);
  });

  test("addresses that are unverified, foreign or not plain are refused", async () => {
    const [here, there] = [await house(), await house()];
    const unverified: Partial<Account>[] = [
      { email_verified: false },
      { email_verified: "true" },
      { email_verified: undefined },
      { email: undefined },
    ];
    for (const change of unverified)
      failed(await signOn(here, { ...verified(`grace@${here.domain}`), ...change }), "unverified_address");
    const foreign = [`grace@${there.domain}`, "grace@example.com", `grace@sub.${here.domain}`, `grace@x${here.domain}`];
    for (const email of foreign) failed(await signOn(here, verified(email)), "foreign_domain");
    // The Kelvin sign has the lower case k; the other addresses could be parsed in two ways.
    const odd = [
      `\u212Aate@${here.domain}`,
      `a@${there.domain}@${here.domain}`,
      `a b@${here.domain}`,
      `a@${here.domain}\n`,
    ];
    for (const email of odd) failed(await signOn(here, verified(email)), "unverified_address");
    assert.equal((await members(here)).length, 2);
    const log = (await here.ada.send("GET", "/v2/organization/audit?action=sign_on.refused")).body.data;
    assert.equal(log.length, unverified.length + foreign.length + odd.length);
    failed(await signOn(here, undefined), "refused_by_provider");
  });

  test("a member is connected by the address, once; a second account with it is refused", async () => {
    const here = await house();
    const email = `bob@${here.domain}`;
    const bob = await join(service, here.organization, "member", { email });
    failed(await signOn(here, verified(email, { email_verified: false })), "unverified_address");
    const signedOn = await signOn(here, verified(email));
    assert.equal(signedOn.status, 200);
    const me = (await nobody("GET", "/v2/session", undefined, { cookie: cookieOf(signedOn) })).body.data.user.id;
    assert.equal((await memberWith(here, email))?.id, bob.memberId);
    failed(await signOn(here, verified(email)), "another_account");
    assert.ok(me);
  });

  test("the password of an account that only an invitation vouches for ends with the connection", async () => {
    const here = await house();
    const email = `bob@${here.domain}`;
    // Somebody got the invitation and chose the password before its addressee signed on.
    const stranger = await join(service, here.organization, "member", { email });
    assert.equal((await stranger.send("GET", "/v2/agents")).status, 200);
    const signedOn = await signOn(here, verified(email));
    assert.equal((await stranger.send("GET", "/v2/agents")).status, 401, "the open session");
    assert.deepEqual((await passwordSignIn(email)).body.code, "sign_on_required");
    assert.equal((await browse(signedOn).send("GET", "/v2/agents")).status, 200);
    // The operator vouches for the password.
    await changeEmail(service.db, signedOn.body.data.user.id, email);
    assert.equal((await passwordSignIn(email)).status, 200);
  });

  test("an address of Google counts only if Google manages its domain", async () => {
    const here = await house();
    const row = await findProvider(service.db, here.organization.id);
    assert.ok(row);
    const google = { ...row, issuer: "https://accounts.google.com" };
    const claims = { sub: newId(), email: `grace@${here.domain}`, email_verified: true };
    const source = { address: "127.0.0.1", requestId: newId() };
    for (const hd of [undefined, "gmail.com"])
      await assert.rejects(memberOf(service.db, google, { ...claims, hd }, source), { code: "sign_on_failed" });
    const userId = await memberOf(service.db, google, { ...claims, hd: here.domain }, source);
    assert.equal(await memberOf(service.db, google, claims, source), userId, "later sign-ins");
  });

  test("accounts of other organizations are neither used nor revealed", async () => {
    const [here, there] = [await house(), await house()];
    // Eve administers `here`, including its provider. Victor has accounts in both organizations.
    const email = `victor@${here.domain}`;
    const victor = await join(service, there.organization, "administrator", { email });
    const created = await signOn(here, verified(email));
    assert.equal(created.status, 200);
    const theirs = (await victor.send("GET", "/v2/session")).body.data;
    assert.notEqual(created.body.data.user.id, theirs.user.id);
    assert.deepEqual(
      created.body.data.organizations.map((each: { organization_id: string }) => each.organization_id),
      [here.organization.id],
    );
    assert.equal((await victor.send("GET", "/v2/agents")).status, 200);
    assert.equal((await passwordSignIn(email)).status, 200);
  });

  test("a session opened by a provider gives access to its organization alone", async () => {
    const [here, there] = [await house(), await house()];
    const email = `victor@${here.domain}`;
    const victor = await join(service, here.organization, "member", { email });
    const invited = await there.ada.send("POST", "/v2/organization/invitations", { email, role: "administrator" });
    const accept = { token: invited.body.data.token, password };
    assert.equal((await victor.send("POST", "/v2/invitations/accept", accept)).status, 200);
    const signedOn = await signOn(here, verified(email));
    const eve = browse(signedOn);
    assert.deepEqual(signedOn.body.data.organizations.length, 1);
    const choose = await eve.send("PATCH", "/v2/session", { organization_id: there.organization.id });
    assert.deepEqual([choose.status, choose.body.code], [404, "organization_not_found"]);

    // What could change the account, and so give access to the other organization, is refused.
    const changes: [string, string, unknown][] = [
      ["PUT", "/v2/session/password", { current_password: password, new_password: "another horse battery" }],
      ["PUT", "/v2/session/password", { new_password: "another horse battery" }],
      ["POST", "/v2/session/totp", { password }],
      ["DELETE", "/v2/session/totp", { password }],
      ["POST", "/v2/session/passkeys/start", { password }],
      ["GET", "/v2/session/passkeys", undefined],
    ];
    for (const [method, path, body] of changes) {
      const { status, body: told } = await eve.send(method, path, body);
      assert.deepEqual([status, told.code], [403, "forbidden"], `${method} ${path}`);
    }
    // Sessions of the other organization are neither listed nor ended.
    const own = (await eve.send("GET", "/v2/sessions")).body.data;
    assert.deepEqual(
      own.map(({ is_current }: { is_current: boolean }) => is_current),
      [true],
    );
    const other = await service.db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", signedOn.body.data.user.id)
      .where("sign_on_organization_id", "is", null)
      .executeTakeFirstOrThrow();
    assert.equal((await eve.send("DELETE", `/v2/sessions/${other.id}`)).status, 404);
    // An invitation of another organization makes another account.
    const third = await service.organization(`Third ${newId()}`);
    const again = await third.administrator.send("POST", "/v2/organization/invitations", { email });
    const joined = await eve.send("POST", "/v2/invitations/accept", {
      token: again.body.data.token,
      password: "a password of Eve",
    });
    assert.notEqual(joined.body.data.user.id, signedOn.body.data.user.id);
    // The password still opens the other organization, but not the one that signs on.
    const byPassword = await passwordSignIn(email);
    assert.deepEqual(
      byPassword.body.data.organizations.map((each: { organization_id: string }) => each.organization_id),
      [there.organization.id],
    );
  });

  test("role and groups follow the provider at each sign-in", async () => {
    const mapping = {
      scope: "openid email profile groups",
      groups_claim: "groups",
      administrator_value: "bosses",
      groups: [
        { value: "books", group: "Accounting" },
        { value: "ledgers", group: "Accounting" },
        { value: "law", group: "Legal" },
      ],
    };
    const here = await house();
    const group = async (name: string) =>
      (await here.ada.send("POST", "/v2/organization/groups", { name })).body.data.id as string;
    const unknown = await here.configure(mapping);
    assert.deepEqual([unknown.status, unknown.body.detail.issues[0].path], [422, "/groups/0/group"]);
    await group("Accounting");
    await group("Legal");
    await group("By hand");
    assert.equal((await here.configure(mapping)).status, 200);
    const account = verified(`grace@${here.domain}`, { groups: ["bosses", "ledgers", "law", "unknown"] });
    const groupsOf = async () => {
      const id = (await memberWith(here, String(account.email)))?.id ?? "";
      const groups = (await here.ada.send("GET", "/v2/organization/groups")).body.data;
      return groups
        .filter(({ member_ids }: { member_ids: string[] }) => member_ids.includes(id))
        .map(({ name }: { name: string }) => name);
    };
    const first = await signOn(here, account);
    assert.equal(first.body.data.organizations[0].role, "administrator");
    assert.deepEqual(await groupsOf(), ["Accounting", "Legal"]);
    const member = await memberWith(here, String(account.email));
    const groups = (await here.ada.send("GET", "/v2/organization/groups")).body.data;
    const byHand = groups.find(({ name }: { name: string }) => name === "By hand").id;
    await here.ada.send("PATCH", `/v2/organization/groups/${byHand}`, { member_ids: [member?.id] });

    const second = await signOn(here, { ...account, groups: ["books"] });
    assert.equal(second.body.data.organizations[0].role, "member");
    assert.deepEqual(await groupsOf(), ["Accounting", "By hand"]);
    assert.equal((await browse(first).send("GET", "/v2/organization/members")).status, 403, "the earlier session");
    await signOn(here, { ...account, groups: undefined });
    assert.deepEqual(await groupsOf(), ["By hand"], "a missing claim has no values");
    const log = (await here.ada.send("GET", "/v2/organization/audit?action=member.changed")).body.data;
    assert.deepEqual(
      log.map(({ detail }: { detail: object }) => detail),
      [
        { by: "sign-on", role: "administrator", groups_added: ["Accounting", "Legal"] },
        { by: "sign-on", role: "member", groups_removed: ["Legal"] },
        { by: "sign-on", groups_removed: ["Accounting"] },
      ],
    );
  });

  test("enforced sign-on refuses passwords, except that of the break-glass administrator", async () => {
    const here = await house();
    const bobEmail = `bob@${here.domain}`;
    const bob = await join(service, here.organization, "member", { email: bobEmail });
    const guest = await join(service, here.organization, "member", { email: `guest-${newId()}@example.com` });
    const noPassword = await here.organization.administrator.send("PUT", "/v2/organization/sign-on", {
      issuer: provider.issuer,
      client_id: client.id,
      enforced: true,
    });
    assert.equal(noPassword.body.detail.issues[0].path, "/break_glass_member_id");
    const notAdministrator = await here.configure({ enforced: true, break_glass_member_id: bob.memberId });
    assert.equal(notAdministrator.body.detail.issues[0].path, "/break_glass_member_id");
    const enforced = await here.configure({ enforced: true });
    assert.equal(enforced.body.data.provider.break_glass_member_id, here.ada.memberId);

    assert.equal((await bob.send("GET", "/v2/agents")).status, 401, "the open session");
    assert.equal((await bob.send("GET", "/v2/session")).status, 401);
    const refused = await passwordSignIn(bobEmail);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.headers.getSetCookie()],
      [403, "sign_on_required", []],
    );
    const wrong = { email: bobEmail, password: "a wrong password" };
    assert.equal(
      (await nobody("POST", "/v2/session", wrong)).body.code,
      "unauthorized",
      "says nothing without the password",
    );
    assert.equal((await guest.send("GET", "/v2/agents")).status, 200, "of another domain");
    assert.equal((await passwordSignIn(here.adaEmail)).status, 200);
    const signedOn = await signOn(here, verified(bobEmail));
    assert.equal((await browse(signedOn).send("GET", "/v2/agents")).status, 200);

    // An invitation creates the member, who then signs on.
    const invited = await here.ada.send("POST", "/v2/organization/invitations", { email: `carol@${here.domain}` });
    const accepted = await nobody("POST", "/v2/invitations/accept", { token: invited.body.data.token, password });
    assert.deepEqual([accepted.status, accepted.body.code], [403, "sign_on_required"]);

    // The break-glass administrator cannot be lost.
    const second = await join(service, here.organization, "administrator", { email: `dan-${newId()}@example.com` });
    const path = `/v2/organization/members/${here.ada.memberId}`;
    for (const [method, body] of [
      ["PATCH", { role: "member" }],
      ["PATCH", { status: "disabled" }],
      ["DELETE", undefined],
    ] as const)
      assert.equal((await second.send(method, path, body)).status, 409, method);
    // Without the domain nothing is enforced, and nothing is discovered.
    await removeDomain(service.db, here.organization.id, here.domain);
    assert.equal((await start(bobEmail)).body.data.url, null);
  });

  test("a disabled or removed member does not return by signing in", async () => {
    const here = await house();
    const [first, second] = [verified(`a@${here.domain}`), verified(`b@${here.domain}`)];
    for (const account of [first, second]) assert.equal((await signOn(here, account)).status, 200);
    const [a, b] = [await memberWith(here, String(first.email)), await memberWith(here, String(second.email))];
    await here.ada.send("PATCH", `/v2/organization/members/${a?.id}`, { status: "disabled" });
    await here.ada.send("DELETE", `/v2/organization/members/${b?.id}`);
    failed(await signOn(here, first), "no_member");
    failed(await signOn(here, second), "no_member");
    // A new invitation makes another member, with whom the account of the provider is connected.
    const again = await join(service, here.organization, "member", { email: String(second.email) });
    const returned = await signOn(here, second);
    assert.equal(returned.status, 200);
    assert.equal((await memberWith(here, String(second.email)))?.id, again.memberId);
    assert.equal((await signOn(here, second)).body.data.user.id, returned.body.data.user.id);
  });

  test("the response to an address depends on its domain alone", async () => {
    const here = await house();
    const known = await start(here.adaEmail);
    const unknown = await start(`nobody@${here.domain}`);
    const shapeOf = ({ status, body, headers }: Answer) => {
      const url = new URL(body.data.url);
      return [status, url.origin, url.pathname, [...url.searchParams.keys()], headers.getSetCookie().length];
    };
    assert.deepEqual(shapeOf(known), shapeOf(unknown));
    for (const email of ["ada@example.org", "nonsense", `ada@sub.${here.domain}`, "ada@%"]) {
      const answer = await start(email);
      assert.deepEqual([answer.status, answer.body.data.url, answer.headers.getSetCookie()], [200, null, []], email);
    }
    assert.deepEqual((await nobody("GET", "/v2/session/sign-on")).body.data, { available: true });
    const url = new URL(known.body.data.url).searchParams;
    assert.deepEqual(
      [url.get("response_type"), url.get("code_challenge_method"), url.get("redirect_uri")],
      ["code", "S256", `https://sheaf.example.com/sign-on/${here.organization.id}`],
    );
    const cross = { "sec-fetch-site": "cross-site" };
    assert.equal((await nobody("POST", "/v2/session/sign-on", { email: here.adaEmail }, cross)).status, 403);
  });

  test("a domain belongs to one organization", async () => {
    const [here, there] = [await house(), await house()];
    await assert.rejects(
      addDomain(service.db, there.organization.id, here.domain.toUpperCase()),
      /belongs to the organ/,
    );
    await assert.rejects(addDomain(service.db, here.organization.id, here.domain), /already has/);
    await assert.rejects(removeDomain(service.db, there.organization.id, here.domain), /does not have/);
    for (const text of ["", "com", "a b.com", "%.com", "-a.com", "a@b.com", "*.com", "127.0.0.1"])
      await assert.rejects(addDomain(service.db, here.organization.id, text), /is not a domain/, text);
    assert.equal(
      await addDomain(service.db, here.organization.id, ` Bücher-${newId()}.Example `).then((d) =>
        d.startsWith("xn--"),
      ),
      true,
    );
  });

  test("the client secret is stored encrypted, never shown, and sent to no new provider", async () => {
    const here = await house();
    const shown = await here.ada.send("GET", "/v2/organization/sign-on");
    assert.ok(!JSON.stringify(shown.body).includes(client.secret));
    assert.ok(!JSON.stringify(await everyRow(service.db)).includes(client.secret));
    const { client_secret: _, ...kept } = { issuer: provider.issuer, client_id: client.id, client_secret: undefined };
    assert.equal((await here.ada.send("PUT", "/v2/organization/sign-on", kept)).status, 200);
    await using other = await openIdentityProvider();
    for (const change of [{ issuer: other.issuer }, { client_id: "other" }]) {
      const answer = await here.ada.send("PUT", "/v2/organization/sign-on", { ...kept, ...change });
      assert.deepEqual([answer.status, answer.body.detail.issues[0].path], [422, "/client_secret"]);
    }
    const log = (await here.ada.send("GET", "/v2/organization/audit?action=sign_on.configured")).body.data;
    assert.ok(!JSON.stringify(log).includes(client.secret));
  });

  test("a new issuer, and turning sign-on off, end its sessions and connections", async () => {
    const here = await house();
    const account = verified(`grace@${here.domain}`);
    const first = browse(await signOn(here, account));
    await using other = await openIdentityProvider();
    other.register((await here.ada.send("GET", "/v2/organization/sign-on")).body.data.redirect_uri);
    assert.equal((await here.configure({ issuer: other.issuer })).status, 200);
    assert.equal((await first.send("GET", "/v2/agents")).status, 401);
    // The new provider connects the member again, by its verified address.
    other.account = verified(String(account.email));
    const started = await start(`grace@${here.domain}`);
    const again = await complete(here.organization.id, await responseOf(started.body.data.url), cookieOf(started));
    assert.equal(again.status, 200);
    const before = (await members(here)).length;
    assert.equal((await here.ada.send("DELETE", "/v2/organization/sign-on")).status, 200);
    assert.equal((await here.ada.send("DELETE", "/v2/organization/sign-on")).status, 404);
    assert.equal((await browse(again).send("GET", "/v2/agents")).status, 401);
    assert.equal((await members(here)).length, before);
    assert.equal((await start(`grace@${here.domain}`)).body.data.url, null);
  });

  test("a session opened by sign-on ends after 12 hours", async () => {
    const here = await house();
    const signedOn = await signOn(here, verified(`grace@${here.domain}`));
    const { expires_at, user } = signedOn.body.data;
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 12 * 3_600_000) < 60_000, expires_at);
    const age = (hours: number) =>
      service.db
        .updateTable("sessions")
        .set({ created_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
        .where("user_id", "=", user.id)
        .execute();
    await age(11.9);
    assert.equal((await browse(signedOn).send("GET", "/v2/agents")).status, 200);
    await age(12.1);
    assert.equal((await browse(signedOn).send("GET", "/v2/agents")).status, 401);
    await deleteOldSessions(service.db);
  });
});
