/** Tokens and authentication, over HTTP on both databases. */
import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import { SignJWT } from "jose";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

describeOverDatabases("tokens", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Token House");
  });
  after(() => service[Symbol.asyncDispose]());

  const query = (parameters: Record<string, string>) => `/v2/token?${new URLSearchParams(parameters)}`;
  const anonymous = () => service.client("");
  const credentials = () => {
    const { clientId, clientSecret } = organization.administrator;
    return { client_id: clientId, client_secret: clientSecret };
  };

  test("GET /v2/token returns a valid token, without an envelope", async () => {
    const answer = await anonymous().send("GET", query(credentials()));
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ["access_token", "token_type", "expires_in"]);
    assert.equal(answer.body.token_type, "x-api-key");
    assert.equal(answer.body.expires_in, "3600");
    assert.equal((await service.client(answer.body.access_token).send("GET", "/v2/agents")).status, 200);
  });

  test("responses with a token must not be cached; they leak no referrer, and never redirect with the secret", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const right = new URLSearchParams({ grant_type: "client_credentials", ...credentials() });
    const wrong = new URLSearchParams({ grant_type: "client_credentials", client_id: newId(), client_secret: "x" });
    const cases: [number, string, RequestInit?][] = [
      [200, `/v2/token?${right}`],
      [200, "/v2/token", { method: "POST", headers: form, body: right }],
      [401, `/v2/token?${wrong}`],
      [401, "/v2/token", { method: "POST", headers: form, body: wrong }],
      [200, `/v2/token/?${right}`],
      [404, `//v2/token?${right}`],
      [404, `/v2/Token?${right}`],
    ];
    for (const [status, path, init] of cases) {
      const answer = await fetch(service.url + path, { ...init, redirect: "manual" });
      assert.equal(answer.status, status, path);
      assert.deepEqual(
        ["cache-control", "referrer-policy", "location"].map((name) => answer.headers.get(name)),
        ["no-store", "no-referrer", null],
      );
      if (status === 404) assert.ok(!(await answer.text()).includes(credentials().client_secret));
    }
  });

  test("POST /v2/token accepts a form as in OAuth 2, and Basic authentication", async () => {
    const { client_id, client_secret } = credentials();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const inForm = new URLSearchParams({ grant_type: "client_credentials", ...credentials() }).toString();
    assert.equal((await anonymous().send("POST", "/v2/token", inForm, form)).status, 200);
    const basic = {
      ...form,
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`,
    };
    assert.equal((await anonymous().send("POST", "/v2/token", "grant_type=client_credentials", basic)).status, 200);
    for (const [body, headers] of [
      [`grant_type=client_credentials&client_id=${client_id}`, form],
      ["grant_type=client_credentials", { ...form, authorization: "Basic !" }],
      [
        "grant_type=client_credentials",
        { ...form, authorization: `Basic ${Buffer.from(`${client_id}:wrong`).toString("base64")}` },
      ],
    ] as const) {
      const answer = await anonymous().send("POST", "/v2/token", body, headers);
      assert.deepEqual([answer.status, answer.body.code], [401, "invalid_client"]);
    }
    const otherGrant = await anonymous().send(
      "POST",
      "/v2/token",
      inForm.replace("client_credentials", "password"),
      form,
    );
    assert.deepEqual([otherGrant.status, otherGrant.body.code], [422, "invalid_request"]);
    const json = await anonymous().send("POST", "/v2/token", { grant_type: "client_credentials", ...credentials() });
    assert.deepEqual([json.status, json.body.code], [422, "invalid_request"]);
  });

  test("wrong, unknown, missing, empty and repeated credentials all get the same error, invalid_client", async () => {
    const { client_id, client_secret } = credentials();
    const paths = [
      query({ client_id, client_secret: `${client_secret}x` }),
      query({ client_id: "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77", client_secret }),
      query({ client_id: "no uuid", client_secret }),
      query({ client_id }),
      query({ client_secret }),
      query({ client_id: "", client_secret: "" }),
      "/v2/token",
      `${query(credentials())}&client_id=${client_id}`,
      `/v2/token?client_id[]=${client_id}&client_secret=${client_secret}`,
    ];
    const bodies = new Set<string>();
    for (const path of paths) {
      const startedAt = performance.now();
      const answer = await anonymous().send("GET", path);
      assert.equal(answer.status, 401, path);
      assert.ok(performance.now() - startedAt >= 19, `${path} is answered sooner than the others`);
      bodies.add(JSON.stringify(answer.body));
    }
    assert.equal(bodies.size, 1);
    assert.equal(JSON.parse([...bodies][0] as string).code, "invalid_client");
  });

  test("without a valid token every route except public ones responds with 401, before anything else is checked", async () => {
    for (const [method, path] of [
      ["GET", "/v2/agents"],
      ["POST", "/v2/agents"],
      ["GET", "/v2/agents/x"],
      ["PATCH", "/v2/agents/x"],
      ["DELETE", "/v2/agents/x"],
      ["POST", "/v2/extractor"],
      ["POST", "/v2/extractor/x"],
    ] as const) {
      const answer = await anonymous().send(method, path, method === "GET" || method === "DELETE" ? undefined : "{");
      assert.deepEqual([answer.status, answer.body.code], [401, "unauthorized"], `${method} ${path}`);
    }
    assert.equal((await anonymous().send("GET", "/v2/openapi.json")).status, 200);
  });

  test("Authorization: Bearer is accepted like x-api-key; two different tokens in these headers are refused", async () => {
    const { token } = organization.administrator;
    const other = (await service.organization("Other House")).administrator.token;
    const agents = (headers: Record<string, string>) => anonymous().send("GET", "/v2/agents", undefined, headers);
    const cookie = "__Host-sheaf_session=none";
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { authorization: `bearer   ${token}` },
      { authorization: `Bearer ${token}`, cookie, "sec-fetch-site": "cross-site" },
      { authorization: `Bearer ${token}`, "x-api-key": token },
      // These credentials are for a proxy, not for the service.
      { authorization: "Basic cHJveHk6cHJveHk=", "x-api-key": token },
    ])
      assert.equal((await agents(headers)).status, 200, JSON.stringify(headers));
    for (const headers of [
      { authorization: `Bearer ${token}x` },
      { authorization: "Bearer" },
      { authorization: "Bearer ", cookie },
      { authorization: token },
      { authorization: `Basic ${token}` },
      { authorization: `Bearer ${token}`, "x-api-key": "" },
    ]) {
      const answer = await agents(headers);
      assert.deepEqual([answer.status, answer.body.code], [401, "unauthorized"], JSON.stringify(headers));
    }
    const twice = await agents({ authorization: `Bearer ${token}`, "x-api-key": other });
    assert.deepEqual([twice.status, twice.body.code], [401, "unauthorized"]);
    assert.match(twice.body.error, /^The headers x-api-key and Authorization contain different tokens/);
    assert.ok(!JSON.stringify(twice.body).includes(token.slice(-20)));
    for (const [second, status] of [
      [other, 401],
      [token, 200],
    ] as const) {
      const lines = [`Bearer ${token}`, `Bearer ${second}`].flatMap((value) => ["authorization", value]);
      const sent = get(`${service.url}/v2/agents`, { headers: ["host", "localhost", ...lines] });
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      answer.resume();
      assert.equal(answer.statusCode, status);
    }
  });

  test("forged tokens are refused", async () => {
    const good = organization.administrator.token;
    const [header = "", payload = "", signature = ""] = good.split(".");
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const signed = (head: object, body: object) => {
      const text = `${part(head)}.${part(body)}`;
      return `${text}.${createHmac("sha256", service.keys.signing).update(text).digest("base64url")}`;
    };
    const head = { alg: "HS256", typ: "at+jwt" };
    assert.equal(
      (await service.client(signed(head, claims)).send("GET", "/v2/agents")).status,
      200,
      "the forger's control",
    );
    const now = Math.floor(Date.now() / 1000);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const forged: Record<string, string> = {
      "no algorithm": `${part({ alg: "none", typ: "at+jwt" })}.${payload}.`,
      "no signature": `${header}.${payload}.`,
      "another payload": `${header}.${part({ ...claims, sub: "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77" })}.${signature}`,
      "another algorithm": await new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", typ: "at+jwt" })
        .sign(privateKey),
      "another key": await new SignJWT(claims).setProtectedHeader(head).sign(new Uint8Array(32)),
      expired: signed(head, { ...claims, exp: now - 1 }),
      "not valid yet": signed(head, { ...claims, nbf: now + 600 }),
      "another issuer": signed(head, { ...claims, iss: "someone" }),
      "another audience": signed(head, { ...claims, aud: "web" }),
      "another type": signed({ alg: "HS256", typ: "JWT" }, claims),
      "no type": signed({ alg: "HS256" }, claims),
      "no expiry": signed(head, { ...claims, exp: undefined }),
      "key in the header": signed({ ...head, jwk: { kty: "oct", k: "" }, alg: "HS384" }, claims),
      "unknown credential": signed(head, { ...claims, sub: "0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77" }),
      "unknown key id": signed({ ...head, kid: "A".repeat(16) }, claims),
      "key id of a file": signed({ ...head, kid: "signing.key" }, claims),
      "key id with a path": signed({ ...head, kid: "../keys/signing.key" }, claims),
      "key id of another type": signed({ ...head, kid: 0 }, claims),
      "key id null": signed({ ...head, kid: null }, claims),
      "key id in a list": signed(
        { ...head, kid: [JSON.parse(Buffer.from(header, "base64url").toString()).kid] },
        claims,
      ),
      "empty key id": signed({ ...head, kid: "" }, claims),
      "key id with a byte 0": signed({ ...head, kid: "A".repeat(15) + String.fromCharCode(0) }, claims),
      "key id that objects have": signed({ ...head, kid: "__proto__" }, claims),
      "key id of 1 kB": signed({ ...head, kid: "A".repeat(1000) }, claims),
      "key id of 20 kB": signed({ ...head, kid: "A".repeat(20_000) }, claims),
      "20 kB": `${good}${"A".repeat(12_000)}`,
      rubbish: "rubbish",
    };
    for (const [name, token] of Object.entries(forged)) {
      const answer = await service.client(token).send("GET", "/v2/agents");
      assert.deepEqual([answer.status, answer.body.code], [401, "unauthorized"], name);
      const bearer = await anonymous().send("GET", "/v2/agents", undefined, { authorization: `Bearer ${token}` });
      assert.deepEqual([bearer.status, bearer.body.code], [401, "unauthorized"], name);
    }
  });

  test("the next request is refused if the member is disabled or no longer an administrator, the API is switched off, or the credential is revoked", async () => {
    const { id, administrator } = await service.organization("Changing House");
    const agents = async () => {
      const { status, body } = await administrator.send("GET", "/v2/agents");
      return [status, body.code];
    };
    const setMember = (values: { role?: "administrator" | "member"; status?: "active" | "disabled" }) =>
      service.db.updateTable("members").set(values).where("id", "=", administrator.memberId).execute();
    const setApi = (enabled: boolean) =>
      service.db.updateTable("organizations").set({ api_enabled: enabled }).where("id", "=", id).execute();
    assert.deepEqual(await agents(), [200, undefined]);
    await setMember({ role: "member" });
    assert.deepEqual(await agents(), [403, "forbidden"]);
    await setMember({ role: "administrator" });
    await setApi(false);
    assert.deepEqual(await agents(), [403, "forbidden"]);
    await setApi(true);
    await setMember({ status: "disabled" });
    assert.deepEqual(await agents(), [401, "unauthorized"]);
    await setMember({ status: "active" });
    assert.deepEqual(await agents(), [200, undefined]);
    await service.db
      .updateTable("credentials")
      .set({ revoked_at: new Date().toISOString() })
      .where("id", "=", administrator.clientId)
      .execute();
    assert.deepEqual(await agents(), [401, "unauthorized"]);
    const { clientId, clientSecret } = administrator;
    const token = await anonymous().send("GET", query({ client_id: clientId, client_secret: clientSecret }));
    assert.deepEqual([token.status, token.body.code], [401, "invalid_client"]);
  });

  test("only a keyed hash of a secret is stored", async () => {
    const { clientId, clientSecret } = organization.administrator;
    const row = await service.db
      .selectFrom("credentials")
      .selectAll()
      .where("id", "=", clientId)
      .executeTakeFirstOrThrow();
    const expected = createHmac("sha256", service.keys.credentialPepper).update(clientSecret).digest("hex");
    assert.equal(row.secret_hash, expected);
    assert.ok(!JSON.stringify(row).includes(clientSecret));
  });
});
