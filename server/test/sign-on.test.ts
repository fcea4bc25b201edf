/** Sign-on with a real provider: the accounts that it accepts, and the members that they become. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeEmail } from "../src/features/identity/users.service.ts";
import { findProvider } from "../src/features/sign-on/sign-on.repo.ts";
import { memberOf } from "../src/features/sign-on/sign-on-member.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Account, openIdentityProvider, responseOf } from "./helpers/identity-provider.ts";
import { cookieOf, join } from "./helpers/people.ts";
import type { Answer } from "./helpers/service.ts";
import { failed, members, memberWith, signOnOver, verified } from "./helpers/sign-on.ts";

describeOverDatabases("sign-on", (dialect) => {
  const at = signOnOver(dialect);
  const { nobody, house, start, complete, signOn, passwordSignIn, browse } = at;

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
    at.provider.account = account;
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

  test("unverified addresses, addresses of other domains and ambiguous addresses are refused", async () => {
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
    // The lower case of the Kelvin sign is k. The other addresses could be parsed in two ways.
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

  test("a member is connected to an account by the address; a second account with that address is refused", async () => {
    const here = await house();
    const email = `bob@${here.domain}`;
    const bob = await join(at.service, here.organization, "member", { email });
    failed(await signOn(here, verified(email, { email_verified: false })), "unverified_address");
    const signedOn = await signOn(here, verified(email));
    assert.equal(signedOn.status, 200);
    const me = (await nobody("GET", "/v2/session", undefined, { cookie: cookieOf(signedOn) })).body.data.user.id;
    assert.equal((await memberWith(here, email))?.id, bob.memberId);
    failed(await signOn(here, verified(email)), "another_account");
    assert.ok(me);
  });

  test("when a provider's account is connected, a password that was set through an invitation stops working", async () => {
    const here = await house();
    const email = `bob@${here.domain}`;
    // Somebody else accepted the invitation and chose a password before the invited person signed
    // on.
    const stranger = await join(at.service, here.organization, "member", { email });
    assert.equal((await stranger.send("GET", "/v2/agents")).status, 200);
    const signedOn = await signOn(here, verified(email));
    assert.equal((await stranger.send("GET", "/v2/agents")).status, 401, "the open session");
    assert.deepEqual((await passwordSignIn(email)).body.code, "sign_on_required");
    assert.equal((await browse(signedOn).send("GET", "/v2/agents")).status, 200);
    // By setting the address, the operator vouches for the account, so its password works again.
    await changeEmail(at.service.db, signedOn.body.data.user.id, email);
    assert.equal((await passwordSignIn(email)).status, 200);
  });

  test("an address verified by Google is accepted only if Google manages its domain", async () => {
    const here = await house();
    const row = await findProvider(at.service.db, here.organization.id);
    assert.ok(row);
    const google = { ...row, issuer: "https://accounts.google.com" };
    const claims = { sub: newId(), email: `grace@${here.domain}`, email_verified: true };
    const source = { address: "127.0.0.1", requestId: newId() };
    for (const hd of [undefined, "gmail.com"])
      await assert.rejects(memberOf(at.service.db, google, { ...claims, hd }, source), { code: "sign_on_failed" });
    const userId = await memberOf(at.service.db, google, { ...claims, hd: here.domain }, source);
    assert.equal(await memberOf(at.service.db, google, claims, source), userId, "later sign-ins");
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
    // A new invitation creates a new member, to whom the provider's account is then connected.
    const again = await join(at.service, here.organization, "member", { email: String(second.email) });
    const returned = await signOn(here, second);
    assert.equal(returned.status, 200);
    assert.equal((await memberWith(here, String(second.email)))?.id, again.memberId);
    assert.equal((await signOn(here, second)).body.data.user.id, returned.body.data.user.id);
  });

  test("the response to an email address depends only on its domain", async () => {
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
});
