/** Settings of sign-on: role and groups, enforcement, domains and the client secret. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addDomain, removeDomain } from "../src/features/sign-on/domains.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { client, openIdentityProvider } from "./helpers/identity-provider.ts";
import { join, password } from "./helpers/people.ts";
import { memberWith, signOnOver, verified } from "./helpers/sign-on.ts";
import { everyRow } from "./helpers/stored-rows.ts";

describeOverDatabases("settings of sign-on", (dialect) => {
  const at = signOnOver(dialect);
  const { nobody, house, start, signOn, passwordSignIn, browse } = at;

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
    const bob = await join(at.service, here.organization, "member", { email: bobEmail });
    const guest = await join(at.service, here.organization, "member", { email: `guest-${newId()}@example.com` });
    const noPassword = await here.organization.administrator.send("PUT", "/v2/organization/sign-on", {
      issuer: at.provider.issuer,
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

    // Accepting an invitation creates the member, who must then sign in with the provider.
    const invited = await here.ada.send("POST", "/v2/organization/invitations", { email: `carol@${here.domain}` });
    const accepted = await nobody("POST", "/v2/invitations/accept", { token: invited.body.data.token, password });
    assert.deepEqual([accepted.status, accepted.body.code], [403, "sign_on_required"]);

    // The break-glass administrator cannot be demoted, disabled or removed.
    const second = await join(at.service, here.organization, "administrator", { email: `dan-${newId()}@example.com` });
    const path = `/v2/organization/members/${here.ada.memberId}`;
    for (const [method, body] of [
      ["PATCH", { role: "member" }],
      ["PATCH", { status: "disabled" }],
      ["DELETE", undefined],
    ] as const)
      assert.equal((await second.send(method, path, body)).status, 409, method);
    // Without the domain, sign-on is no longer enforced, and its addresses lead to no provider.
    await removeDomain(at.service.db, here.organization.id, here.domain);
    assert.equal((await start(bobEmail)).body.data.url, null);
  });

  test("a domain belongs to one organization", async () => {
    const [here, there] = [await house(), await house()];
    await assert.rejects(
      addDomain(at.service.db, there.organization.id, here.domain.toUpperCase()),
      /belongs to the organ/,
    );
    await assert.rejects(addDomain(at.service.db, here.organization.id, here.domain), /already has/);
    await assert.rejects(removeDomain(at.service.db, there.organization.id, here.domain), /does not have/);
    for (const text of ["", "com", "a b.com", "%.com", "-a.com", "a@b.com", "*.com", "127.0.0.1"])
      await assert.rejects(addDomain(at.service.db, here.organization.id, text), /is not a domain/, text);
    assert.equal(
      await addDomain(at.service.db, here.organization.id, ` Bücher-${newId()}.Example `).then((d) =>
        d.startsWith("xn--"),
      ),
      true,
    );
  });

  test("the client secret is stored encrypted, never shown, and not sent to a new provider", async () => {
    const here = await house();
    const shown = await here.ada.send("GET", "/v2/organization/sign-on");
    assert.ok(!JSON.stringify(shown.body).includes(client.secret));
    assert.ok(!JSON.stringify(await everyRow(at.service.db)).includes(client.secret));
    const { client_secret: _, ...kept } = {
      issuer: at.provider.issuer,
      client_id: client.id,
      client_secret: undefined,
    };
    assert.equal((await here.ada.send("PUT", "/v2/organization/sign-on", kept)).status, 200);
    await using other = await openIdentityProvider();
    for (const change of [{ issuer: other.issuer }, { client_id: "other" }]) {
      const answer = await here.ada.send("PUT", "/v2/organization/sign-on", { ...kept, ...change });
      assert.deepEqual([answer.status, answer.body.detail.issues[0].path], [422, "/client_secret"]);
    }
    const log = (await here.ada.send("GET", "/v2/organization/audit?action=sign_on.configured")).body.data;
    assert.ok(!JSON.stringify(log).includes(client.secret));
  });
});
