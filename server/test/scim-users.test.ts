/** Provisioning of users by SCIM, with the request sequences that Okta and Entra ID send. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createUserOfProvider } from "../src/features/identity/users.service.ts";
import { admitMember } from "../src/features/organizations/members.service.ts";
import { lockOrganization } from "../src/features/organizations/organizations.service.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { credentialOf, password } from "./helpers/people.ts";
import { filterBy, patch, providerOf, provisionedHouse, refused, userSchema } from "./helpers/scim.ts";
import { failed, memberWith, signOnOver, verified } from "./helpers/sign-on.ts";

describeOverDatabases("users of SCIM", (dialect) => {
  const at = signOnOver(dialect);
  const { signOn, browse } = at;

  test("a user is provisioned, renamed, deactivated and reactivated with the requests of Okta", async () => {
    const { here, scim } = await provisionedHouse(at);
    const userName = `Grace@${here.domain}`;
    const none = await scim.send("GET", `/Users${filterBy("userName", userName)}&startIndex=1&count=100`);
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
    assert.equal(
      (await scim.send("GET", `/Users${filterBy("userName", userName.toUpperCase())}`)).body.totalResults,
      1,
    );
    assert.equal((await scim.send("GET", `/Users${filterBy("externalId", "00u1")}`)).body.Resources[0].id, id);
    assert.equal((await scim.send("GET", `/Users${filterBy("externalId", "00U1")}`)).body.totalResults, 0);
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

    // Okta deactivates users with a PATCH operation that has no path, and never deletes them.
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

  test("a user is provisioned, changed, deactivated and deleted with the requests of Entra ID", async () => {
    const { here, scim } = await provisionedHouse(at);
    const upn = `ada.l@tenant.onmicrosoft.com`;
    const mail = `ada.lovelace@${here.domain}`;
    assert.equal((await scim.send("GET", `/Users${filterBy("userName", newId())}`)).body.totalResults, 0);
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
    // Entra ID first deactivates a user, with the boolean as text, and later deletes the user.
    const off = await scim.send("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "False" }));
    assert.deepEqual([off.status, off.body.active], [200, false]);
    assert.equal((await session.send("GET", "/v2/agents")).status, 401);
    assert.equal((await scim.send("DELETE", `/Users/${id}`)).status, 204);
    refused(await scim.send("GET", `/Users/${id}`), 404);
    refused(await scim.send("DELETE", `/Users/${id}`), 404);
    const rows = await at.service.db.selectFrom("agents").select("name").where("name", "=", "Mine").execute();
    assert.ok(rows.length > 0, "what they made is kept");
    // The address can be given to a new person, who gets nothing that the earlier user owned.
    const again = await scim.send("POST", "/Users", { userName: upn, emails: [{ value: `ada.byron@${here.domain}` }] });
    assert.equal(again.status, 201);
    assert.notEqual(again.body.id, id);
    const other = browse(await signOn(here, verified(`ada.byron@${here.domain}`)));
    assert.ok(!JSON.stringify((await other.send("GET", "/v2/agents")).body).includes("Mine"));
  });

  test("deletion ends sessions and credentials at once", async () => {
    const { here, scim } = await provisionedHouse(at);
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

  test("an invitation to the former address of a user can no longer be accepted", async () => {
    const { here, scim } = await provisionedHouse(at);
    const email = `maiden@${here.domain}`;
    const invited = await here.ada.send("POST", "/v2/organization/invitations", { email, role: "administrator" });
    const { id } = (await scim.send("POST", "/Users", { userName: email })).body;
    assert.equal((await scim.send("PUT", `/Users/${id}`, { userName: `married@${here.domain}` })).status, 200);
    const accept = { token: invited.body.data.token, name: "Grace", password };
    const accepted = await at.service.client("").send("POST", "/v2/invitations/accept", accept);
    assert.deepEqual([accepted.status, accepted.body.code], [404, "invitation_not_found"]);
  });

  test("accepting an invitation while the same user is being created results in one member", async () => {
    const { here, scim } = await provisionedHouse(at);
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
    const found = (await scim.send("GET", `/Users${filterBy("userName", email)}`)).body.Resources;
    assert.deepEqual(
      found.map(({ id }: { id: string }) => id),
      [created],
    );
  });

  test("users are listed in pages", async () => {
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
