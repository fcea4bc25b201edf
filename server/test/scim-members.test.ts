/**
 * Limits of what SCIM may change: members with their own account, administrators, and addresses.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { browserOf, cookieOf, join, password } from "./helpers/people.ts";
import { filterBy, patch, providerOf, provisionedHouse, refused } from "./helpers/scim.ts";
import { memberWith, signOnOver } from "./helpers/sign-on.ts";

describeOverDatabases("members and SCIM", (dialect) => {
  const at = signOnOver(dialect);

  test("access is revoked even if the same request contains a change of address that is refused", async () => {
    const { here, scim } = await provisionedHouse(at);
    const email = `bob@${here.domain}`;
    const bob = await join(at.service, here.organization, "member", { email });
    const grace = (await scim.send("POST", "/Users", { userName: `grace@${here.domain}` })).body;
    for (const [id, before, value] of [
      [bob.memberId, email, `robert@${here.domain}`],
      [grace.id, `grace@${here.domain}`, "grace@example.org"],
      [grace.id, `grace@${here.domain}`, here.adaEmail],
    ] as const) {
      const path = `/Users/${id}`;
      await scim.send("PATCH", path, patch({ op: "replace", path: "active", value: true }));
      const emails = { op: "replace", path: 'emails[type eq "work"].value', value };
      const off = await scim.send("PATCH", path, patch(emails, { op: "replace", path: "active", value: false }));
      assert.deepEqual([off.status, off.body?.active, off.body?.emails[0].value], [200, false, before]);
      // Reactivating the member with an address that cannot be set is refused.
      const on = await scim.send("PATCH", path, patch(emails, { op: "replace", path: "active", value: true }));
      assert.ok([400, 409].includes(on.status));
      assert.equal((await scim.send("GET", path)).body.active, false);
    }
    assert.equal((await bob.send("GET", "/v2/agents")).status, 401);
  });

  test("a member whose address is the user name of another member can be changed", async () => {
    const { here, scim } = await provisionedHouse(at);
    const upn = `grace@tenant.example`;
    const other = await scim.send("POST", "/Users", { userName: upn, emails: [{ value: `grace@${here.domain}` }] });
    assert.equal(other.status, 201);
    const bob = await join(at.service, here.organization, "member", { email: upn });
    const path = `/Users/${bob.memberId}`;
    refused(await scim.send("PUT", path, { userName: upn, externalId: "7" }), 409, "uniqueness");
    const off = await scim.send("PATCH", path, patch({ op: "replace", path: "active", value: false }));
    assert.deepEqual([off.status, off.body?.active], [200, false]);
    assert.equal((await bob.send("GET", "/v2/agents")).status, 401);
    const named = { userName: "bob", externalId: "7", active: true };
    assert.deepEqual((({ userName, active }) => [userName, active])((await scim.send("PUT", path, named)).body), [
      "bob",
      true,
    ]);
    // If a deactivation also sets a user name that is taken, the member keeps the old user name.
    const both = await scim.send("PUT", path, { userName: upn, active: false });
    assert.deepEqual([both.status, both.body?.userName, both.body?.active], [200, "bob", false]);
  });

  test("when a member is deactivated, the session keeps its access to other organizations", async () => {
    const [{ here, scim }, there] = [await provisionedHouse(at), await at.service.organization(`Elsewhere ${newId()}`)];
    const email = `bob@${here.domain}`;
    await join(at.service, there, "member", { email });
    const bob = await join(at.service, here.organization, "member", { email });
    const own = { organization_id: here.organization.id };
    assert.equal((await bob.send("PATCH", "/v2/session", own)).status, 200);
    const off = await scim.send("PATCH", `/Users/${bob.memberId}`, patch({ op: "replace", value: { active: false } }));
    assert.equal(off.status, 200);
    assert.equal((await bob.send("GET", "/v2/agents")).status, 403, "no organization is chosen");
    assert.equal((await bob.send("PATCH", "/v2/session", own)).status, 404);
    assert.equal((await bob.send("PATCH", "/v2/session", { organization_id: there.id })).status, 200);
    assert.equal((await bob.send("GET", "/v2/agents")).status, 200);
    // A session that gives access to no other organization ends.
    const carol = await join(at.service, here.organization, "member", { email: `carol@${here.domain}` });
    assert.equal((await scim.send("DELETE", `/Users/${carol.memberId}`)).status, 204);
    assert.equal((await carol.send("GET", "/v2/session")).status, 401);
  });

  test("an existing member is found by address, and keeps password, address and name", async () => {
    const { here, scim } = await provisionedHouse(at);
    const email = `bob@${here.domain}`;
    const bob = await join(at.service, here.organization, "member", { email, name: "Bob" });
    const found = (await scim.send("GET", `/Users${filterBy("userName", email)}`)).body.Resources;
    assert.deepEqual([found.length, found[0].id, found[0].displayName], [1, bob.memberId, "Bob"]);
    const path = `/Users/${bob.memberId}`;
    const put = await scim.send("PUT", path, { userName: email, externalId: "7", displayName: "Robert" });
    assert.deepEqual([put.status, put.body.displayName, put.body.active], [200, "Robert", true]);
    assert.equal((await memberWith(here, email))?.name, "Bob", "the account may be in use elsewhere");
    refused(await scim.send("PUT", path, { userName: `robert@${here.domain}` }), 400, "mutability");
    const email2 = patch({ op: "replace", path: "emails", value: [{ value: `robert@${here.domain}` }] });
    refused(await scim.send("PATCH", path, email2), 400, "mutability");
    const signedIn = await at.service.client("").send("POST", "/v2/session", { email, password });
    assert.equal(signedIn.status, 200);
    // A request without `active` does not reactivate the member.
    await scim.send("PATCH", path, patch({ op: "replace", path: "active", value: false }));
    assert.equal((await scim.send("PUT", path, { userName: email })).body.active, false);
    const session = browserOf(at.service, cookieOf(signedIn));
    assert.equal((await session.send("GET", "/v2/agents")).status, 401);
  });

  test("the last administrator and the break-glass administrator cannot be deactivated", async () => {
    const { here, scim } = await provisionedHouse(at);
    const lonely = await providerOf(at.service);
    const { memberId } = lonely.organization.administrator;
    const off = patch({ op: "replace", path: "active", value: false });
    for (const answer of [
      await lonely.send("PATCH", `/Users/${memberId}`, off),
      await lonely.send("DELETE", `/Users/${memberId}`),
    ]) {
      refused(answer, 409);
      assert.match(answer.body.detail, /last active administrator/);
    }
    assert.equal((await lonely.send("GET", `/Users/${memberId}`)).body.active, true);
    // If two administrators are deactivated at the same time, one of them stays active.
    const second = await join(at.service, lonely.organization, "administrator");
    const both = await Promise.all([memberId, second.memberId].map((id) => lonely.send("PATCH", `/Users/${id}`, off)));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await here.configure({ enforced: true })).status, 200);
    const kept = await scim.send("PATCH", `/Users/${here.ada.memberId}`, off);
    refused(kept, 409);
    assert.match(kept.body.detail, /can sign in if the provider fails/);
  });

  test("addresses of other domains and organizations cannot be taken", async () => {
    const [{ here, scim }, there] = [await provisionedHouse(at), await providerOf(at.service)];
    const victim = await join(at.service, there.organization, "member", { email: `victim@${there.domain}` });
    for (const email of [`victim@${there.domain}`, "eve@example.org", `x@sub.${here.domain}`])
      for (const body of [{ userName: email }, { userName: "x", emails: [{ value: email }] }])
        refused(await scim.send("POST", "/Users", body), 400, "invalidValue");
    refused(await scim.send("POST", "/Users", { userName: "no address" }), 400, "invalidValue");
    const { id } = (await scim.send("POST", "/Users", { userName: `grace@${here.domain}` })).body;
    const move = (value: string) => patch({ op: "replace", path: "emails", value: [{ value }] });
    refused(await scim.send("PATCH", `/Users/${id}`, move(`victim@${there.domain}`)), 400, "invalidValue");
    refused(await scim.send("PATCH", `/Users/${id}`, move(here.adaEmail)), 409, "uniqueness");

    // A user of another organization whose address is in the domain is not reused: a new user is
    // created.
    const email = `same@${here.domain}`;
    const elsewhere = await join(at.service, there.organization, "member", { email });
    const created = await scim.send("POST", "/Users", { userName: email });
    assert.equal(created.status, 201);
    const users = await at.service.db.selectFrom("users").select("id").where("address", "=", email).execute();
    assert.equal(users.length, 2);
    assert.equal((await scim.send("DELETE", `/Users/${created.body.id}`)).status, 204);
    assert.equal((await elsewhere.send("GET", "/v2/agents")).status, 200);

    // Ids of another organization are treated like unknown ids.
    const before = (await there.send("GET", `/Users/${victim.memberId}`)).body;
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", { userName: `victim@${here.domain}` }],
      ["PATCH", patch({ op: "replace", path: "active", value: false })],
      ["DELETE", undefined],
    ] as const) {
      const [theirs, unknown] = [
        await scim.send(method, `/Users/${victim.memberId}`, body),
        await scim.send(method, `/Users/${newId()}`, body),
      ];
      refused(theirs, 404);
      assert.deepEqual(theirs.body, unknown.body);
    }
    assert.deepEqual((await there.send("GET", `/Users/${victim.memberId}`)).body, before);
    assert.equal(
      (await scim.send("GET", `/Users${filterBy("userName", `victim@${there.domain}`)}`)).body.totalResults,
      0,
    );
    assert.equal((await scim.send("GET", `/Users${filterBy("id", victim.memberId)}`)).body.totalResults, 0);
    assert.equal((await victim.send("GET", "/v2/agents")).status, 200);
  });
});
