/** Sessions opened by sign-on: separation of organizations, and what ends a session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteOldSessions } from "../src/features/identity/sessions.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openIdentityProvider, responseOf } from "./helpers/identity-provider.ts";
import { cookieOf, join, password } from "./helpers/people.ts";
import { members, signOnOver, verified } from "./helpers/sign-on.ts";

describeOverDatabases("sessions of sign-on", (dialect) => {
  const at = signOnOver(dialect);
  const { house, start, complete, signOn, passwordSignIn, browse } = at;

  test("accounts of other organizations are neither used nor revealed", async () => {
    const [here, there] = [await house(), await house()];
    // Eve administers `here`, including its provider. Victor has accounts in both organizations.
    const email = `victor@${here.domain}`;
    const victor = await join(at.service, there.organization, "administrator", { email });
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
    const victor = await join(at.service, here.organization, "member", { email });
    const invited = await there.ada.send("POST", "/v2/organization/invitations", { email, role: "administrator" });
    const accept = { token: invited.body.data.token, password };
    assert.equal((await victor.send("POST", "/v2/invitations/accept", accept)).status, 200);
    const signedOn = await signOn(here, verified(email));
    const eve = browse(signedOn);
    assert.deepEqual(signedOn.body.data.organizations.length, 1);
    const choose = await eve.send("PATCH", "/v2/session", { organization_id: there.organization.id });
    assert.deepEqual([choose.status, choose.body.code], [404, "organization_not_found"]);

    // Requests that could change the account, and thereby give access to the other organization,
    // are refused.
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
    const other = await at.service.db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", signedOn.body.data.user.id)
      .where("sign_on_organization_id", "is", null)
      .executeTakeFirstOrThrow();
    assert.equal((await eve.send("DELETE", `/v2/sessions/${other.id}`)).status, 404);
    // An invitation to a third organization creates a separate account.
    const third = await at.service.organization(`Third ${newId()}`);
    const again = await third.administrator.send("POST", "/v2/organization/invitations", { email });
    const joined = await eve.send("POST", "/v2/invitations/accept", {
      token: again.body.data.token,
      password: "a password of Eve",
    });
    assert.notEqual(joined.body.data.user.id, signedOn.body.data.user.id);
    // The password still gives access to the other organization, but not to the one with sign-on.
    const byPassword = await passwordSignIn(email);
    assert.deepEqual(
      byPassword.body.data.organizations.map((each: { organization_id: string }) => each.organization_id),
      [there.organization.id],
    );
  });

  test("changing the issuer or turning sign-on off ends the provider's sessions and connections", async () => {
    const here = await house();
    const account = verified(`grace@${here.domain}`);
    const first = browse(await signOn(here, account));
    await using other = await openIdentityProvider();
    other.register((await here.ada.send("GET", "/v2/organization/sign-on")).body.data.redirect_uri);
    assert.equal((await here.configure({ issuer: other.issuer })).status, 200);
    assert.equal((await first.send("GET", "/v2/agents")).status, 401);
    // The new provider connects the member again by the verified address.
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
      at.service.db
        .updateTable("sessions")
        .set({ created_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
        .where("user_id", "=", user.id)
        .execute();
    await age(11.9);
    assert.equal((await browse(signedOn).send("GET", "/v2/agents")).status, 200);
    await age(12.1);
    assert.equal((await browse(signedOn).send("GET", "/v2/agents")).status, 401);
    await deleteOldSessions(at.service.db);
  });
});
