/** SCIM groups, and the roles and groups that the sign-on mapping derives from them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { groupSchema, type Provider, patch, providerOf, provisionerOf, refused } from "./helpers/scim.ts";
import { type House, memberWith, signOnOver, verified } from "./helpers/sign-on.ts";

type Send = Provider["send"];
const idsOf = (body: { members: { value: string }[] }) => body.members.map(({ value }) => value).sort();
const valuesOf = (ids: readonly string[]) => ids.map((value) => ({ value }));

describeOverDatabases("groups of SCIM", (dialect) => {
  const at = signOnOver(dialect);
  const { house, signOn } = at;

  async function users(send: Send, domain: string, ...names: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) ids.push((await send("POST", "/Users", { userName: `${name}@${domain}` })).body.id);
    return ids;
  }

  test("groups are created, found, changed and deleted", async () => {
    const { send, domain } = await providerOf(at.service);
    const [ada = "", bob = "", eve = ""] = await users(send, domain, "ada", "bob", "eve");
    const created = await send("POST", "/Groups", {
      schemas: [groupSchema],
      externalId: "g-1",
      displayName: "Accounting",
      members: valuesOf([ada.toUpperCase(), bob, bob]),
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { id } = created.body;
    const path = `/Groups/${id}`;
    assert.deepEqual(idsOf(created.body), [ada, bob].sort());
    assert.equal(created.headers.get("location"), `https://sheaf.example.com/scim/v2/Groups/${id}`);
    assert.deepEqual((await send("GET", path)).body, created.body);
    assert.deepEqual((await send("GET", `/Users/${ada}`)).body.groups, [
      { value: id, $ref: `https://sheaf.example.com/scim/v2/Groups/${id}`, display: "Accounting" },
    ]);
    refused(await send("POST", "/Groups", { displayName: "Accounting" }), 409, "uniqueness");

    // Entra ID looks up a group without its members.
    const query = `filter=${encodeURIComponent('displayName eq "Accounting"')}&excludedAttributes=members`;
    const found = (await send("GET", `/Groups?${query}`)).body;
    assert.deepEqual([found.totalResults, found.Resources[0].id, "members" in found.Resources[0]], [1, id, false]);
    assert.ok(!("members" in (await send("GET", `${path}?excludedAttributes=members`)).body));
    const other = `/Groups?filter=${encodeURIComponent('displayName eq "accounting"')}`;
    assert.equal((await send("GET", other)).body.totalResults, 0, "values of the mapping are case-sensitive");

    const change = async (...operations: object[]) => {
      const answer = await send("PATCH", path, patch(...operations));
      assert.equal(answer.status, 204, JSON.stringify(answer.body));
      return (await send("GET", path)).body;
    };
    assert.deepEqual(
      idsOf(await change({ op: "Add", path: "members", value: valuesOf([eve, ada]) })),
      [ada, bob, eve].sort(),
    );
    assert.deepEqual(idsOf(await change({ op: "remove", path: `members[value eq "${bob}"]` })), [ada, eve].sort());
    assert.deepEqual(idsOf(await change({ op: "Remove", path: "members", value: valuesOf([eve, newId()]) })), [ada]);
    assert.deepEqual(idsOf(await change({ op: "add", value: { members: valuesOf([bob]) } })), [ada, bob].sort());
    assert.deepEqual(idsOf(await change({ op: "replace", path: "members", value: valuesOf([eve]) })), [eve]);
    const renamed = await change({ op: "replace", value: { id, displayName: "Books" } });
    assert.deepEqual([renamed.displayName, renamed.externalId, idsOf(renamed)], ["Books", "g-1", [eve]]);
    assert.deepEqual(idsOf(await change({ op: "remove", path: "members" })), []);
    const shown = await send("PATCH", `${path}?attributes=displayName`, patch({ op: "remove", path: "members" }));
    assert.deepEqual([shown.status, shown.body.displayName, "members" in shown.body], [200, "Books", false]);

    const put = await send("PUT", path, { displayName: "Books", members: valuesOf([ada]) });
    assert.deepEqual([put.status, idsOf(put.body), "externalId" in put.body], [200, [ada], false]);
    assert.equal((await send("DELETE", `/Users/${ada}`)).status, 204);
    assert.deepEqual(idsOf((await send("GET", path)).body), []);
    assert.equal((await send("DELETE", path)).status, 204);
    refused(await send("GET", path), 404);
    refused(await send("DELETE", path), 404);
  });

  test("a PATCH with an invalid operation is refused, and changes nothing", async () => {
    const { send, domain } = await providerOf(at.service);
    const [ada = ""] = await users(send, domain, "ada");
    const { id } = (await send("POST", "/Groups", { displayName: "A", members: valuesOf([ada]) })).body;
    await send("POST", "/Groups", { displayName: "B" });
    const before = (await send("GET", `/Groups/${id}`)).body;
    const many = Array.from({ length: 2_001 }, () => ({ value: newId() }));
    for (const [operation, scimType, status = 400] of [
      [{ op: "add", path: "members", value: valuesOf([newId()]) }, "invalidValue"],
      [{ op: "add", path: "members", value: [{ value: "x" }] }, "invalidValue"],
      [{ op: "add", path: "members", value: [{}] }, "invalidValue"],
      [{ op: "add", path: "members", value: many }, "tooMany"],
      [{ op: "replace", path: `members[value eq "${ada}"]`, value: {} }, "invalidPath"],
      [{ op: "remove", path: 'members[display eq "x"]' }, "invalidPath"],
      [{ op: "remove", path: "members[value eq" }, "invalidPath"],
      [{ op: "remove", path: "members[value ne 1]" }, "invalidPath"],
      [{ op: "remove" }, "invalidPath"],
      [{ op: "move", path: "members" }, "invalidSyntax"],
      [{ op: "add", path: "members" }, "invalidSyntax"],
      [{ op: "replace", path: "id", value: newId() }, "mutability"],
      [{ op: "replace", path: "displayName", value: "" }, "invalidValue"],
      [{ op: "replace", path: "displayName", value: "nul\u0000" }, "invalidValue"],
      [{ op: "remove", path: "displayName" }, "invalidValue"],
      [{ op: "replace", path: "displayName", value: "B" }, "uniqueness", 409],
    ] as const)
      refused(
        await send("PATCH", `/Groups/${id}`, patch({ op: "remove", path: "members" }, operation)),
        status,
        scimType,
      );
    assert.deepEqual((await send("GET", `/Groups/${id}`)).body, before);
  });

  test("groups and users of another organization are unknown", async () => {
    const [mine, theirs] = [await providerOf(at.service), await providerOf(at.service)];
    const [victim = ""] = await users(theirs.send, theirs.domain, "victim");
    const group = (await theirs.send("POST", "/Groups", { displayName: "Theirs", members: valuesOf([victim]) })).body;
    const own = (await mine.send("POST", "/Groups", { displayName: "Theirs" })).body;
    for (const id of [victim, newId()])
      refused(
        await mine.send("PATCH", `/Groups/${own.id}`, patch({ op: "add", path: "members", value: valuesOf([id]) })),
        400,
        "invalidValue",
      );
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", { displayName: "Mine" }],
      ["PATCH", patch({ op: "remove", path: "members" })],
      ["DELETE", undefined],
    ] as const)
      refused(await mine.send(method, `/Groups/${group.id}`, body), 404);
    assert.deepEqual((await theirs.send("GET", `/Groups/${group.id}`)).body, group);
    assert.equal((await mine.send("GET", "/Groups")).body.totalResults, 1);
  });

  const mapping = {
    groups_claim: "groups",
    scope: "openid email profile groups",
    administrator_value: "bosses",
    groups: [
      { value: "books", group: "Accounting" },
      { value: "law", group: "Legal" },
    ],
  };
  async function mapped() {
    const here = await house();
    const scim = await provisionerOf(at.service, here.organization);
    for (const name of ["Accounting", "Legal"]) await here.ada.send("POST", "/v2/organization/groups", { name });
    return { here, ...scim };
  }
  const standing = async (here: House, email: string) => {
    const member = await memberWith(here, email);
    const groups = (await here.ada.send("GET", "/v2/organization/groups")).body.data as {
      name: string;
      member_ids: string[];
    }[];
    return [member?.role, ...groups.filter((each) => each.member_ids.includes(member?.id ?? "")).map((g) => g.name)];
  };

  test("as soon as a group is pushed, its members get the role and groups of the sign-on mapping", async () => {
    const { here, send } = await mapped();
    assert.equal((await here.configure(mapping)).status, 200);
    const email = `grace@${here.domain}`;
    const [grace = ""] = await users(send, here.domain, "grace");
    const push = async (displayName: string, members: string[]) =>
      (await send("POST", "/Groups", { displayName, members: valuesOf(members) })).body.id as string;
    const books = await push("books", [grace]);
    const bosses = await push("bosses", [grace]);
    await push("everybody", [grace]);
    assert.deepEqual(await standing(here, email), ["administrator", "Accounting"]);
    const remove = patch({ op: "remove", path: `members[value eq "${grace}"]` });
    await send("PATCH", `/Groups/${bosses}`, remove);
    assert.deepEqual(await standing(here, email), ["member", "Accounting"]);
    await send("PATCH", `/Groups/${books}`, patch({ op: "replace", path: "displayName", value: "law" }));
    assert.deepEqual(await standing(here, email), ["member", "Legal"]);
    await send("DELETE", `/Groups/${books}`);
    assert.deepEqual(await standing(here, email), ["member"]);
    const log = (await here.ada.send("GET", "/v2/organization/audit?action=member.changed")).body.data;
    assert.deepEqual(
      log.map(({ detail }: { detail: object }) => detail),
      [
        { by: "scim", groups_added: ["Accounting"] },
        { by: "scim", role: "administrator" },
        { by: "scim", role: "member" },
        { by: "scim", groups_added: ["Legal"], groups_removed: ["Accounting"] },
        { by: "scim", groups_removed: ["Legal"] },
      ],
    );
    const groups = (await here.ada.send("GET", "/v2/organization/audit?action=scim_group.created")).body.data;
    assert.deepEqual(groups[0].detail, { name: "books", members_added: 1, members_removed: 0 });
  });

  test("a new mapping applies to the groups that were pushed before", async () => {
    const { here, send } = await mapped();
    const [grace = ""] = await users(send, here.domain, "grace");
    await send("POST", "/Groups", { displayName: "books", members: valuesOf([grace]) });
    assert.deepEqual(await standing(here, `grace@${here.domain}`), ["member"]);
    assert.equal((await here.configure({ ...mapping, groups_claim: null })).status, 200);
    assert.deepEqual(await standing(here, `grace@${here.domain}`), ["member", "Accounting"]);
  });

  test("at sign-in, the groups claim counts only for groups that were not pushed", async () => {
    const { here, send } = await mapped();
    assert.equal((await here.configure(mapping)).status, 200);
    const email = `grace@${here.domain}`;
    await users(send, here.domain, "grace");
    await send("POST", "/Groups", { displayName: "books" });
    await signOn(here, verified(email, { groups: ["books", "law"] }));
    assert.deepEqual(await standing(here, email), ["member", "Legal"]);
  });

  test("the last administrator keeps the role", async () => {
    const { here, send } = await mapped();
    assert.equal((await here.configure(mapping)).status, 200);
    const { id } = (await send("POST", "/Groups", { displayName: "bosses" })).body;
    const all = (await send("GET", "/Users")).body.Resources.map((user: { id: string }) => user.id);
    const path = `/Groups/${id}`;
    assert.equal((await send("PUT", path, { displayName: "bosses", members: valuesOf(all) })).status, 200);
    assert.equal((await send("PUT", path, { displayName: "bosses", members: [] })).status, 200);
    const roles = await at.service.db
      .selectFrom("members")
      .select("role")
      .where("organization_id", "=", here.organization.id)
      .where("role", "=", "administrator")
      .execute();
    assert.equal(roles.length, 1);
  });

  const roleOf = async (member: string) =>
    (await at.service.db.selectFrom("members").select("role").where("id", "=", member).executeTakeFirst())?.role;

  test("one request can replace the only administrator by another member", async () => {
    const { here, send } = await mapped();
    // Takes the administrator role from everybody who does not have it through a pushed group.
    assert.equal((await here.configure({ ...mapping, administrator_value: null })).status, 200);
    const [grace = "", heidi = ""] = await users(send, here.domain, "grace", "heidi");
    const { id } = (await send("POST", "/Groups", { displayName: "bosses", members: valuesOf([grace]) })).body;
    assert.equal((await here.configure(mapping)).status, 200);
    await at.service.db
      .updateTable("members")
      .set({ role: "member" })
      .where("organization_id", "=", here.organization.id)
      .where("id", "!=", grace)
      .execute();
    for (const [wanted, former] of [
      [heidi, grace],
      [grace, heidi],
    ] as const) {
      await send("PUT", `/Groups/${id}`, { displayName: "bosses", members: valuesOf([wanted]) });
      assert.deepEqual([await roleOf(wanted), await roleOf(former)], ["administrator", "member"]);
    }
  });

  test("a deactivated administrator who is removed from the group loses the role", async () => {
    const { here, send } = await mapped();
    assert.equal((await here.configure(mapping)).status, 200);
    const [grace = ""] = await users(send, here.domain, "grace");
    const { id } = (await send("POST", "/Groups", { displayName: "bosses", members: valuesOf([grace]) })).body;
    // Leaves only one other administrator, who stays active.
    await at.service.db
      .updateTable("members")
      .set({ role: "member" })
      .where("organization_id", "=", here.organization.id)
      .where("id", "not in", [grace, here.ada.memberId])
      .execute();
    const active = (value: boolean) =>
      send("PATCH", `/Users/${grace}`, patch({ op: "replace", path: "active", value }));
    assert.equal((await active(false)).status, 200);
    await send("PATCH", `/Groups/${id}`, patch({ op: "remove", path: `members[value eq "${grace}"]` }));
    assert.equal((await active(true)).status, 200);
    assert.equal(await roleOf(grace), "member");
  });

  test("a page of groups ends before it has too many members", async () => {
    const { organization, send, domain } = await providerOf(at.service);
    const { db } = at.service;
    await users(send, domain, "ada");
    const ids: string[] = [];
    for (const displayName of ["A", "B", "C"]) ids.push((await send("POST", "/Groups", { displayName })).body.id);
    // Inserts the members directly, because they are more than a single request may name.
    const time = new Date().toISOString();
    for (let part = 0; part < 30; part++) {
      const people = Array.from({ length: 1_000 }, () => ({ id: newId(), user: newId() }));
      await db
        .insertInto("users")
        .values(
          people.map(({ user }) => ({
            ...{ id: user, email: user, name: "U", address: `${user}@${domain}`, email_verified: false },
            ...{ created_at: time, updated_at: time },
          })),
        )
        .execute();
      await db
        .insertInto("members")
        .values(
          people.map(({ id, user }) => ({
            ...{ id, user_id: user, organization_id: organization.id, role: "member" as const },
            ...{ status: "active" as const, created_at: time },
          })),
        )
        .execute();
      for (const group_id of ids)
        await db
          .insertInto("scim_group_members")
          .values(people.map(({ id }) => ({ group_id, member_id: id })))
          .execute();
    }
    const shown = async (query: string) => {
      const { body } = await send("GET", `/Groups?${query}`);
      return [body.totalResults, body.itemsPerPage, body.Resources.map((group: { id: string }) => group.id)];
    };
    assert.deepEqual(await shown(""), [3, 1, [ids[0]]]);
    assert.deepEqual(await shown("startIndex=2"), [3, 1, [ids[1]]]);
    assert.deepEqual(await shown("excludedAttributes=members"), [3, 3, ids]);
  });
});
