/** Provisioning of users by SCIM, in the sequences of Okta and Entra ID. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createUserOfProvider } from "../src/features/identity/users.service.ts";
import { admitMember } from "../src/features/organizations/members.service.ts";
import { lockOrganization } from "../src/features/organizations/organizations.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { browserOf, cookieOf, credentialOf, join, password } from "./helpers/people.ts";
import { patch, providerOf, provisionerOf, refused, userSchema } from "./helpers/scim.ts";
import { failed, memberWith, signOnOver, verified } from "./helpers/sign-on.ts";

describeOverDatabases("users of SCIM", (dialect) => {
  const at = signOnOver(dialect);
  const { house, signOn, browse } = at;

  /** An organization with sign-on and a SCIM token. */
  async function provisioned() {
    const here = await house();
    return { here, scim: await provisionerOf(at.service, here.organization) };
  }

  const filter = (attribute: string, value: string) =>
    `?filter=${encodeURIComponent(`${attribute} eq ${JSON.stringify(value)}`)}`;

  test("the life of a user in the sequence of Okta", async () => {
    const { here, scim } = await provisioned();
    const userName = `Grace@${here.domain}`;
    const none = await scim.send("GET", `/Users${filter("userName", userName)}&startIndex=1&count=100`);
    assert.deepEqual([none.status, none.body.totalResults, none.body.Resources], [200, 0, []]);
    const created = await scim.send("POST", "/Users", {
      schemas: [userSchema],
      userName,
      name: { givenName: "Grace", familyName: "Hopper" },
      emails: [{ primary: true, value: userName, type: "work" }],
      displayName: "Grace Hopper",
      locale: "en-US",
      externalId: "00u1",
      groups: [],
      password: "ignored",
      active: true,
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { id } = created.body;
    assert.equal(created.headers.get("location"), `https://sheaf.example.com/scim/v2/Users/${id}`);
    assert.equal(created.body.meta.location, created.headers.get("location"));
    assert.deepEqual((await scim.send("GET", `/Users/${id}`)).body, created.body);
    assert.equal((await scim.send("GET", `/Users${filter("userName", userName.toUpperCase())}`)).body.totalResults, 1);
    assert.equal((await scim.send("GET", `/Users${filter("externalId", "00u1")}`)).body.Resources[0].id, id);
    assert.equal((await scim.send("GET", `/Users${filter("externalId", "00U1")}`)).body.totalResults, 0);
    refused(await scim.send("POST", "/Users", { userName: userName.toLowerCase() }), 409, "uniqueness");
    const member = await memberWith(here, userName.toLowerCase());
    assert.deepEqual(
      [member?.id, member?.name, member?.role, member?.status],
      [id, "Grace Hopper", "member", "active"],
    );

    // The user signs on, and is renamed.
    const account = verified(userName.toLowerCase());
    const session = browse(await signOn(here, account));
    assert.equal((await session.send("GET", "/v2/agents")).status, 200);
    const renamed = { ...created.body, displayName: "Grace B. Hopper", externalId: "00u2" };
    const put = await scim.send("PUT", `/Users/${id}`, renamed);
    assert.deepEqual([put.status, put.body.displayName, put.body.externalId], [200, "Grace B. Hopper", "00u2"]);
    assert.equal((await memberWith(here, userName.toLowerCase()))?.name, "Grace B. Hopper");

    // Okta deactivates without a path, and never deletes.
    const credential = await credentialOf(at.service, session);
    assert.equal((await credential.send("GET", "/v2/organization")).status, 200);
    const off = await scim.send("PATCH", `/Users/${id}`, patch({ op: "replace", value: { active: false } }));
    assert.deepEqual([off.status, off.body.active], [200, false]);
    assert.equal((await session.send("GET", "/v2/agents")).status, 401, "the session has ended");
    assert.equal((await credential.send("GET", "/v2/organization")).status, 401);
    failed(await signOn(here, account), "no_member");
    const on = await scim.send("PATCH", `/Users/${id}`, patch({ op: "replace", value: { active: true } }));
    assert.equal(on.body.active, true);
    assert.equal((await session.send("GET", "/v2/agents")).status, 401, "the old session stays ended");
    assert.equal((await browse(await signOn(here, account)).send("GET", "/v2/agents")).status, 200);
    assert.equal((await credential.send("GET", "/v2/organization")).status, 200);

    const log = (await here.ada.send("GET", "/v2/organization/audit")).body.data;
    const entries = log.filter(({ target }: { target: string }) => target === id);
    assert.deepEqual(
      entries.map(({ action, detail }: { action: string; detail: { status?: string } }) => [action, detail.status]),
      [
        ["member.provisioned", undefined],
        ["sign_on.connected", undefined],
        ["member.changed", undefined],
        ["member.changed", "disabled"],
        ["member.changed", "active"],
      ],
    );
    assert.equal(entries[0].actor.operator, `scim ${scim.tokenId}`);
    assert.equal(entries[0].address, "127.0.0.1");
    assert.match(entries[0].request_id, /^[0-9a-f-]{36}$/);
  });

  test("the life of a user in the sequence of Entra ID", async () => {
    const { here, scim } = await provisioned();
    const upn = `ada.l@tenant.onmicrosoft.com`;
    const mail = `ada.lovelace@${here.domain}`;
    assert.equal((await scim.send("GET", `/Users${filter("userName", newId())}`)).body.totalResults, 0);
    const created = await scim.send("POST", "/Users", {
      schemas: [userSchema, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
      externalId: "ada.l",
      userName: upn,
      active: true,
      displayName: "Ada",
      emails: [
        { type: "home", value: "ada@home.example" },
        { type: "work", value: mail },
      ],
      meta: { resourceType: "User" },
      name: { formatted: "Ada Lovelace", familyName: "Lovelace", givenName: "Ada" },
      roles: [],
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Analytics" },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { id } = created.body;
    assert.deepEqual(created.body.emails, [{ value: mail, type: "work", primary: true }]);
    const changed = await scim.send(
      "PATCH",
      `/Users/${id}`,
      patch(
        { op: "Replace", path: 'emails[type eq "work"].value', value: `ada.byron@${here.domain}` },
        { op: "Add", path: "name.familyName", value: "Byron" },
        { op: "Replace", path: `${userSchema}:displayName`, value: "Ada Byron" },
        {
          op: "Replace",
          path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
          value: "Engines",
        },
        { op: "Replace", path: "title", value: "Countess" },
        { op: "Replace", value: { "name.givenName": "Augusta", externalId: "ada.b" } },
      ),
    );
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { displayName, name, emails, externalId, userName } = changed.body;
    assert.deepEqual(
      { displayName, name, emails, externalId, userName },
      {
        displayName: "Ada Byron",
        name: { formatted: "Ada Lovelace", givenName: "Augusta", familyName: "Byron" },
        emails: [{ value: `ada.byron@${here.domain}`, type: "work", primary: true }],
        externalId: "ada.b",
        userName: upn,
      },
    );
    const session = browse(await signOn(here, verified(`ada.byron@${here.domain}`)));
    const made = await session.send("POST", "/v2/agents", { name: "Mine", type: "PERSONAL" });
    assert.equal(made.status, 201);
    // Soft deletion with a boolean as text, then deletion.
    const off = await scim.send("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "False" }));
    assert.deepEqual([off.status, off.body.active], [200, false]);
    assert.equal((await session.send("GET", "/v2/agents")).status, 401);
    assert.equal((await scim.send("DELETE", `/Users/${id}`)).status, 204);
    refused(await scim.send("GET", `/Users/${id}`), 404);
    refused(await scim.send("DELETE", `/Users/${id}`), 404);
    const rows = await at.service.db.selectFrom("agents").select("name").where("name", "=", "Mine").execute();
    assert.ok(rows.length > 0, "what they made is kept");
    // The address can be given to a new person, who gets nothing of the earlier one.
    const again = await scim.send("POST", "/Users", { userName: upn, emails: [{ value: `ada.byron@${here.domain}` }] });
    assert.equal(again.status, 201);
    assert.notEqual(again.body.id, id);
    const other = browse(await signOn(here, verified(`ada.byron@${here.domain}`)));
    assert.ok(!JSON.stringify((await other.send("GET", "/v2/agents")).body).includes("Mine"));
  });

  test("deletion ends sessions and credentials at once", async () => {
    const { here, scim } = await provisioned();
    const email = `grace@${here.domain}`;
    const invited = await here.ada.send("POST", "/v2/organization/invitations", { email });
    const { id } = (await scim.send("POST", "/Users", { userName: email })).body;
    const session = browse(await signOn(here, verified(email)));
    const credential = await credentialOf(at.service, session);
    assert.equal((await credential.send("GET", "/v2/organization")).status, 200);
    assert.equal((await scim.send("DELETE", `/Users/${id}`)).status, 204);
    assert.equal((await session.send("GET", "/v2/agents")).status, 401);
    assert.equal((await credential.send("GET", "/v2/organization")).status, 401);
    assert.equal(await memberWith(here, email), undefined);
    const acceptance = { token: invited.body.data.token, name: "Grace", password };
    const accepted = await at.service.client("").send("POST", "/v2/invitations/accept", acceptance);
    assert.deepEqual([accepted.status, accepted.body.code], [404, "invitation_not_found"]);
  });

  test("an invitation to a former address does not bring a leaver back", async () => {
    const { here, scim } = await provisioned();
    const email = `maiden@${here.domain}`;
    const invited = await here.ada.send("POST", "/v2/organization/invitations", { email, role: "administrator" });
    const { id } = (await scim.send("POST", "/Users", { userName: email })).body;
    assert.equal((await scim.send("PUT", `/Users/${id}`, { userName: `married@${here.domain}` })).status, 200);
    const accept = { token: invited.body.data.token, name: "Grace", password };
    const accepted = await at.service.client("").send("POST", "/v2/invitations/accept", accept);
    assert.deepEqual([accepted.status, accepted.body.code], [404, "invitation_not_found"]);
  });

  test("an invitation and a creation at the same time make one member", async () => {
    const { here, scim } = await provisioned();
    const email = `grace@${here.domain}`;
    const invited = await here.ada.send("POST", "/v2/organization/invitations", { email });
    const accept = { token: invited.body.data.token, name: "Grace", password };
    // The creation has inserted the member, but has not committed when the invitation is accepted.
    const { accepted, created } = await at.service.db.transaction().execute(async (transaction) => {
      await lockOrganization(transaction, here.organization.id);
      const userId = await createUserOfProvider(transaction, { name: "Grace", address: email });
      const member = await admitMember(transaction, here.organization.id, userId);
      const answer = at.service.client("").send("POST", "/v2/invitations/accept", accept);
      await setTimeout(600);
      return { accepted: answer, created: member.id };
    });
    assert.equal((await accepted).status, 404);
    const found = (await scim.send("GET", `/Users${filter("userName", email)}`)).body.Resources;
    assert.deepEqual(
      found.map(({ id }: { id: string }) => id),
      [created],
    );
  });

  test("access is taken away also if the address cannot be changed", async () => {
    const { here, scim } = await provisioned();
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
      // Giving access back with such an address is refused.
      const on = await scim.send("PATCH", path, patch(emails, { op: "replace", path: "active", value: true }));
      assert.ok([400, 409].includes(on.status));
      assert.equal((await scim.send("GET", path)).body.active, false);
    }
    assert.equal((await bob.send("GET", "/v2/agents")).status, 401);
  });

  test("a member whose address is the user name of another can be changed", async () => {
    const { here, scim } = await provisioned();
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
    // Deactivation with a name that is taken leaves the name.
    const both = await scim.send("PUT", path, { userName: upn, active: false });
    assert.deepEqual([both.status, both.body?.userName, both.body?.active], [200, "bob", false]);
  });

  test("a session keeps its access to other organizations", async () => {
    const [{ here, scim }, there] = [await provisioned(), await at.service.organization(`Elsewhere ${newId()}`)];
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
    // If it gives access to nothing else, it ends.
    const carol = await join(at.service, here.organization, "member", { email: `carol@${here.domain}` });
    assert.equal((await scim.send("DELETE", `/Users/${carol.memberId}`)).status, 204);
    assert.equal((await carol.send("GET", "/v2/session")).status, 401);
  });

  test("an existing member is found by address, and keeps password, address and name", async () => {
    const { here, scim } = await provisioned();
    const email = `bob@${here.domain}`;
    const bob = await join(at.service, here.organization, "member", { email, name: "Bob" });
    const found = (await scim.send("GET", `/Users${filter("userName", email)}`)).body.Resources;
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
    // An omitted `active` gives no access back.
    await scim.send("PATCH", path, patch({ op: "replace", path: "active", value: false }));
    assert.equal((await scim.send("PUT", path, { userName: email })).body.active, false);
    const session = browserOf(at.service, cookieOf(signedIn));
    assert.equal((await session.send("GET", "/v2/agents")).status, 401);
  });

  test("the last administrator and the break-glass administrator stay", async () => {
    const { here, scim } = await provisioned();
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
    // Of two who are deactivated at the same time, one stays.
    const second = await join(at.service, lonely.organization, "administrator");
    const both = await Promise.all([memberId, second.memberId].map((id) => lonely.send("PATCH", `/Users/${id}`, off)));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await here.configure({ enforced: true })).status, 200);
    const kept = await scim.send("PATCH", `/Users/${here.ada.memberId}`, off);
    refused(kept, 409);
    assert.match(kept.body.detail, /can sign in if the provider fails/);
  });

  test("addresses of other domains and organizations cannot be taken", async () => {
    const [{ here, scim }, there] = [await provisioned(), await providerOf(at.service)];
    const victim = await join(at.service, there.organization, "member", { email: `victim@${there.domain}` });
    for (const email of [`victim@${there.domain}`, "eve@example.org", `x@sub.${here.domain}`])
      for (const body of [{ userName: email }, { userName: "x", emails: [{ value: email }] }])
        refused(await scim.send("POST", "/Users", body), 400, "invalidValue");
    refused(await scim.send("POST", "/Users", { userName: "no address" }), 400, "invalidValue");
    const { id } = (await scim.send("POST", "/Users", { userName: `grace@${here.domain}` })).body;
    const move = (value: string) => patch({ op: "replace", path: "emails", value: [{ value }] });
    refused(await scim.send("PATCH", `/Users/${id}`, move(`victim@${there.domain}`)), 400, "invalidValue");
    refused(await scim.send("PATCH", `/Users/${id}`, move(here.adaEmail)), 409, "uniqueness");

    // A user of another organization with an address of the domain is not used: a new one is created.
    const email = `same@${here.domain}`;
    const elsewhere = await join(at.service, there.organization, "member", { email });
    const created = await scim.send("POST", "/Users", { userName: email });
    assert.equal(created.status, 201);
    const users = await at.service.db.selectFrom("users").select("id").where("address", "=", email).execute();
    assert.equal(users.length, 2);
    assert.equal((await scim.send("DELETE", `/Users/${created.body.id}`)).status, 204);
    assert.equal((await elsewhere.send("GET", "/v2/agents")).status, 200);

    // Ids of another organization are unknown ids.
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
      (await scim.send("GET", `/Users${filter("userName", `victim@${there.domain}`)}`)).body.totalResults,
      0,
    );
    assert.equal((await scim.send("GET", `/Users${filter("id", victim.memberId)}`)).body.totalResults, 0);
    assert.equal((await victim.send("GET", "/v2/agents")).status, 200);
  });

  test("lists come in pages", async () => {
    const scim = await providerOf(at.service);
    for (let number = 1; number <= 6; number++)
      assert.equal((await scim.send("POST", "/Users", { userName: `user-${number}@${scim.domain}` })).status, 201);
    const ids: string[] = [];
    for (let startIndex = 1; ; startIndex += 3) {
      const { body } = await scim.send("GET", `/Users?startIndex=${startIndex}&count=3`);
      assert.deepEqual([body.totalResults, body.startIndex], [7, startIndex]);
      assert.equal(body.itemsPerPage, body.Resources.length);
      if (body.Resources.length === 0) break;
      ids.push(...body.Resources.map(({ id }: { id: string }) => id));
    }
    assert.deepEqual([ids.length, new Set(ids).size], [7, 7]);
    const shown = async (query: string) => {
      const { status, body } = await scim.send("GET", `/Users?${query}`);
      return [status, body.startIndex, body.itemsPerPage];
    };
    assert.deepEqual(await shown("count=0"), [200, 1, 0]);
    assert.deepEqual(await shown("count=-5&startIndex=-1"), [200, 1, 0]);
    assert.deepEqual(await shown("count=100000"), [200, 1, 7]);
    assert.deepEqual(await shown("startIndex=999999999999999"), [200, 1_000_000_000, 0]);
    for (const query of ["count=x", "startIndex=1.5", "count=1&count=2", "startIndex="])
      refused(await scim.send("GET", `/Users?${query}`), 400, "invalidValue");
    const { Resources } = (await scim.send("GET", "/Users?attributes=userName,emails.value&count=1")).body;
    assert.deepEqual(Object.keys(Resources[0]).sort(), ["emails", "id", "schemas", "userName"]);
    const without = (await scim.send("GET", "/Users?excludedAttributes=name,EMAILS&count=1")).body.Resources[0];
    assert.ok(!("name" in without) && !("emails" in without) && "userName" in without);
  });
});
