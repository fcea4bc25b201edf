/** SCIM as a protocol: tokens, errors, limits, and input that no identity provider sends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { anything, hostileText } from "./helpers/hostile-text.ts";
import { credentialOf, join } from "./helpers/people.ts";
import { type Provider, patch, providerOf, provisionerOf, refused, scimSender, userSchema } from "./helpers/scim.ts";
import { openTestService } from "./helpers/service.ts";
import { signOnOver } from "./helpers/sign-on.ts";
import { everyRow } from "./helpers/stored-rows.ts";

const tokens = "/v2/organization/sign-on/scim-tokens";

describeOverDatabases("the protocol of SCIM", (dialect) => {
  const at = signOnOver(dialect);

  test("a token is shown once, is used, and is refused once revoked", async () => {
    const { organization, token, tokenId, send } = await providerOf(at.service);
    const { administrator } = organization;
    const list = async () => (await administrator.send("GET", tokens)).body.data;
    assert.deepEqual(
      (await list()).map(({ id, name, last_used_at }: { [name: string]: string }) => [id, name, last_used_at]),
      [[tokenId, "IdP", null]],
    );
    assert.equal((await send("GET", "/Users")).status, 200);
    assert.ok(Date.now() - Date.parse((await list())[0].last_used_at) < 60_000);
    assert.ok(!JSON.stringify(await everyRow(at.service.db)).includes(token));
    const shown = await administrator.send("GET", "/v2/organization/sign-on");
    assert.equal(shown.body.data.scim_url, "https://sheaf.example.com/scim/v2");

    const stranger = await providerOf(at.service);
    const foreign = await stranger.organization.administrator.send("DELETE", `${tokens}/${tokenId}`);
    assert.equal(foreign.status, 404);
    assert.equal((await administrator.send("DELETE", `${tokens}/${tokenId}`)).status, 200);
    assert.equal((await administrator.send("DELETE", `${tokens}/${tokenId}`)).status, 404);
    const gone = await send("GET", "/Users");
    refused(gone, 401);
    assert.equal(gone.headers.get("www-authenticate"), 'Bearer realm="Sheaf SCIM"');
    assert.deepEqual(await list(), []);
    const log = (await administrator.send("GET", "/v2/organization/audit")).body.data;
    assert.deepEqual(
      log
        .filter(({ target }: { target: string }) => target === tokenId)
        .map(({ action, detail }: { action: string; detail: { name: string } }) => [action, detail.name]),
      [
        ["scim_token.created", "IdP"],
        ["scim_token.revoked", "IdP"],
      ],
    );
  });

  test("an organization has at most ten tokens", async () => {
    const organization = await at.service.organization(`Tokens ${newId()}`);
    const create = () => organization.administrator.send("POST", tokens, { name: "T" });
    for (let number = 0; number < 10; number++) assert.equal((await create()).status, 201);
    assert.deepEqual([(await create()).status, (await create()).body.code], [409, "conflict"]);
  });

  test("SCIM tokens and other tokens are not accepted in place of each other", async () => {
    const { organization, token, send } = await providerOf(at.service);
    assert.equal((await at.service.client(token).send("GET", "/v2/agents")).status, 401);
    const ada = await join(at.service, organization, "administrator");
    const { token: access } = await credentialOf(at.service, ada);
    for (const wrong of ["", access, "scim_", `${token}x`, token.toUpperCase(), "\u00e9", "x".repeat(9_000)])
      refused(await scimSender(at.service, wrong)("GET", "/Users"), 401);
    refused(await scimSender(at.service, "")("GET", "/Users", undefined, { cookie: ada.cookie }), 401);
    refused(await send("GET", "/Users", undefined, { "x-api-key": access }), 401);
    // SCIM works even if the API is switched off, so that members can still be deprovisioned.
    await organization.administrator.send("PATCH", "/v2/organization", { api_enabled: false });
    assert.equal((await send("GET", "/Users")).status, 200);
  });

  test("the service describes itself", async () => {
    const { send } = await providerOf(at.service);
    const { body: config } = await send("GET", "/ServiceProviderConfig");
    assert.deepEqual([config.patch.supported, config.bulk.supported, config.filter.maxResults], [true, false, 100]);
    for (const [list, ids] of [
      ["/ResourceTypes", ["User", "Group"]],
      ["/Schemas", [userSchema, userSchema.replace("User", "Group")]],
    ] as const) {
      const { body } = await send("GET", list);
      assert.deepEqual([body.totalResults, body.Resources.map(({ id }: { id: string }) => id)], [2, ids]);
      for (const resource of body.Resources)
        assert.deepEqual((await send("GET", `${list}/${resource.id}`)).body, resource);
      refused(await send("GET", `${list}/Robot`), 404);
    }
    const { attributes } = (await send("GET", `/Schemas/${userSchema}`)).body;
    const { body: user } = await send("GET", "/Users?count=1");
    const described = new Set(attributes.map(({ name }: { name: string }) => name));
    for (const name of Object.keys(user.Resources[0]))
      assert.ok(described.has(name) || ["schemas", "id", "meta"].includes(name), name);
    for (const [method, path] of [
      ["GET", "/Me"],
      ["POST", "/Bulk"],
      ["DELETE", "/Users"],
      ["PUT", "/Schemas"],
    ] as const)
      refused(await send(method, path, method === "POST" ? {} : undefined), 404);
  });

  test("filters and paths that are not supported are refused", async () => {
    const { send, domain } = await providerOf(at.service);
    for (const filter of [
      "userName",
      "userName eq",
      "userName eq x",
      'userName co "x"',
      'userName eq "x" and active eq true',
      '(userName eq "x")',
      "active eq true",
      'title eq "x"',
      'constructor eq "x"',
      '"x" eq userName',
      'userName eq "\\u0000"',
      'userName eq "\\ud800"',
      `userName eq "${"x".repeat(1_001)}"`,
      `${"[".repeat(500)}${"]".repeat(500)} eq "x"`,
    ])
      refused(await send("GET", `/Users?filter=${encodeURIComponent(filter)}`), 400, "invalidFilter");
    refused(await send("GET", "/Users?filter=a&filter=b"), 400, "invalidValue");
    const found = async (filter: string) =>
      (await send("GET", `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults;
    const { id } = (await send("POST", "/Users", { userName: `a"b@x`, emails: [{ value: `ab@${domain}` }] })).body;
    assert.equal(await found('userName eq "a\\"b@x"'), 1);
    assert.equal(await found(`  USERNAME   EQ   "A\\"B@X"  `), 1);
    assert.equal(await found(`${userSchema}:userName eq "a\\"b@x"`), 1);
    assert.equal(await found(`emails.value eq "AB@${domain}"`), 1);
    assert.equal(await found(`id eq "${id}"`), 1);
    assert.equal(await found(`userName eq "' or 1=1 --"`), 0);

    const change = (operation: object) => send("PATCH", `/Users/${id}`, patch(operation));
    for (const [operation, scimType] of [
      [{ op: "replace", path: "", value: 1 }, "invalidPath"],
      [{ op: "replace", path: "name.", value: 1 }, "invalidPath"],
      [{ op: "replace", path: "name.a.b", value: 1 }, "invalidPath"],
      [{ op: "replace", path: "emails[", value: 1 }, "invalidPath"],
      [{ op: "replace", path: "emails[type].value", value: 1 }, "invalidPath"],
      [{ op: "replace", path: 7, value: 1 }, "invalidPath"],
      [{ op: "replace", path: "x".repeat(1_001), value: 1 }, "invalidPath"],
      [{ op: "replace", path: "meta", value: {} }, "mutability"],
      [{ op: "replace", path: "active", value: "maybe" }, "invalidValue"],
      [{ op: "replace", path: "active", value: null }, "invalidValue"],
      [{ op: "remove", path: "active" }, "invalidValue"],
      [{ op: "remove", path: "userName" }, "invalidValue"],
      [{ op: "replace", path: "userName", value: "x".repeat(501) }, "invalidValue"],
      [{ op: "replace", path: "name", value: "Ada" }, "invalidValue"],
      [{ op: "replace", path: "emails", value: [{ value: "x" }] }, "invalidValue"],
      [{ op: "replace", value: "x" }, "invalidSyntax"],
    ] as const)
      refused(await change(operation), 400, scimType);
    for (const operation of [
      { op: "replace", path: "emails[primary eq true].value", value: `ab@${domain}` },
      { op: "replace", path: 'emails[type eq "home"].value', value: "elsewhere@example.org" },
      { op: "remove", path: "emails" },
      { op: "remove", path: "externalId" },
      { op: "add", path: 'phoneNumbers[type eq "work"].value', value: "1" },
    ])
      assert.equal((await change(operation)).status, 200, JSON.stringify(operation));
    assert.deepEqual((await send("GET", `/Users/${id}`)).body.emails[0].value, `ab@${domain}`);
  });

  test("bodies that are not JSON, too large or of another type are refused", async () => {
    const { send } = await providerOf(at.service);
    for (const body of ["", "[]", "null", "{", '{"a":1,"a":2}', '"x"', "[".repeat(100_000)])
      refused(await send("POST", "/Users", body), 400, "invalidSyntax");
    refused(await send("POST", "/Users", { userName: "x".repeat(1_048_577) }), 400, "invalidSyntax");
    refused(await send("POST", "/Users", "{}", { "content-type": "text/plain" }), 400, "invalidSyntax");
    refused(await send("POST", "/Users", {}, { "content-type": "application/json" }), 400, "invalidValue");
    const operations = Array.from({ length: 1_001 }, () => ({ op: "add", path: "title", value: "x" }));
    refused(await send("PATCH", `/Users/${newId()}`, patch(...operations)), 400, "tooMany");
    refused(await send("PATCH", `/Users/${newId()}`, {}), 400, "invalidSyntax");
    refused(await send("GET", `/Users?attributes=${"x,".repeat(501)}`), 400, "invalidValue");
  });

  test("random requests never cause an internal error", async () => {
    const scim = await providerOf(at.service);
    const { send, domain } = scim;
    const user = (await send("POST", "/Users", { userName: `grace@${domain}` })).body;
    const group = (await send("POST", "/Groups", { displayName: "G", members: [{ value: user.id }] })).body;
    const ids = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(user.id, group.id) },
      { weight: 1, arbitrary: fc.constantFrom(newId(), "x", "%00") },
    );
    const texts = fc.oneof(hostileText, fc.constantFrom(`x@${domain}`, "True", "", user.id), fc.string());
    const value = fc.oneof(
      { weight: 2, arbitrary: anything },
      { weight: 4, arbitrary: texts },
      { weight: 1, arbitrary: fc.boolean() },
      fc.array(fc.record({ value: fc.oneof(texts, ids), type: fc.oneof(texts, anything), primary: anything })),
    );
    const names = fc.constantFrom(
      ...["userName", "externalId", "displayName", "name", "name.givenName", "emails", "active", "members", "id"],
      ...["emails.value", 'emails[type eq "work"].value', "members[value eq", `members[value eq "${user.id}"]`],
      ...[`${userSchema}:active`, "__proto__", "title"],
    );
    // Most resources are almost valid, because such requests reach the database.
    const valid = fc.constantFrom(
      ...[{ userName: `grace@${domain}` }, { userName: "x", emails: [{ value: `x@${domain}` }] }],
      ...[{ displayName: "G" }, { displayName: "H", members: [{ value: user.id }] }, {}],
    );
    const resource = fc
      .tuple(valid, fc.dictionary(fc.oneof(names, hostileText), value, { maxKeys: 2 }))
      .map(([base, further]) => ({ ...base, ...further }));
    const operation = fc.oneof(
      {
        weight: 20,
        arbitrary: fc.record(
          {
            op: fc.constantFrom("add", "replace", "remove", "Replace"),
            path: fc.oneof({ weight: 8, arbitrary: names }, texts, anything),
            value: fc.oneof(value, resource),
          },
          { requiredKeys: ["op"] },
        ),
      },
      { weight: 1, arbitrary: anything },
    );
    const body = (method: string) =>
      fc.oneof(
        {
          weight: 20,
          arbitrary:
            method === "PATCH"
              ? fc.record({ Operations: fc.array(operation, { minLength: 1, maxLength: 3 }) })
              : resource,
        },
        { weight: 1, arbitrary: anything },
      );
    const query = fc.dictionary(
      fc.constantFrom("filter", "startIndex", "count", "attributes", "excludedAttributes"),
      fc.oneof(
        texts,
        fc.integer().map(String),
        texts.map((text) => `userName eq ${JSON.stringify(text)}`),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom("GET", "POST", "PUT", "PATCH", "PATCH")
          .chain((method) => fc.tuple(fc.constant(method), body(method))),
        fc.constantFrom("Users", "Groups"),
        ids,
        query,
        async ([method, json], kind, id, parameters) => {
          const where = method === "POST" ? `/${kind}` : `/${kind}/${id}`;
          const search = new URLSearchParams(method === "GET" ? parameters : {});
          const isList = method === "GET" && id === user.id;
          const wanted = isList ? `/${kind}?${search}` : `${where}?${search}`;
          const answer = await send(method, wanted, method === "GET" ? undefined : (JSON.stringify(json) ?? "null"));
          assert.ok(answer.status < 500, `${method} ${wanted}: ${JSON.stringify(answer.body)}`);
        },
      ),
      { numRuns: 400 },
    );
    assert.equal((await send("GET", "/Users")).status, 200);
  });
});

describeOverDatabases("limits of SCIM", (dialect) => {
  test("requests per minute are limited by token, and wrong tokens by address", async () => {
    await using service = await openTestService(dialect, { SHEAF_RATE_LIMIT: "30", SHEAF_ADDRESS_RATE_LIMIT: "20" });
    const organization = await service.organization("Limits");
    const scim: Provider["send"] = (await provisionerOf(service, organization)).send;
    const first = await scim("GET", "/Users");
    assert.equal(first.headers.get("ratelimit-policy"), '"credential";q=30;w=60');
    assert.match(first.body.Resources[0].meta.location, /^http:\/\/127\.0\.0\.1:\d+\/scim\/v2\/Users\//);
    for (let number = 1; number < 30; number++) assert.equal((await scim("GET", "/Users?count=0")).status, 200);
    const limited = await scim("GET", "/Users");
    refused(limited, 429);
    assert.ok(Number(limited.headers.get("retry-after")) >= 1);
    const guess = () => scimSender(service, "scim_guess")("GET", "/Users");
    for (let number = 0; number < 4; number++) refused(await guess(), 401);
    refused(await guess(), 429);
  });
});
