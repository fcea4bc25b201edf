/** Sign-on with hostile providers, forged responses and forged tokens. */
import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { type JWTPayload, SignJWT } from "jose";
import { addDomain } from "../src/features/sign-on/domains.service.ts";
import { newId } from "../src/lib/ids.ts";
import { seal } from "../src/lib/sealed.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type ForgingProvider, openForgingProvider } from "./helpers/forging-provider.ts";
import { client } from "./helpers/identity-provider.ts";
import { cookieOf, join, type Person } from "./helpers/people.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describeOverDatabases("attacks on sign-on", (dialect) => {
  let service: TestService;
  let honest: House;
  let evil: House;

  interface House {
    organization: TestOrganization;
    domain: string;
    ada: Person;
    provider: ForgingProvider;
  }

  before(async () => {
    service = await openTestService(dialect, {
      SHEAF_PUBLIC_URL: "https://sheaf.example.com",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
      SHEAF_OUTBOUND_HTTP: "on",
      SHEAF_ADDRESS_RATE_LIMIT: "0",
    });
    [honest, evil] = await Promise.all([openHouse("honest"), openHouse("evil")]);
  });
  after(async () => {
    await honest?.provider[Symbol.asyncDispose]();
    await evil?.provider[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    for (const { provider, domain } of [honest, evil]) {
      const claims = { sub: "grace", email: `grace@${domain}`, email_verified: true };
      Object.assign(provider, { metadata: {}, makeToken: undefined, failure: undefined, received: [], claims });
    }
  });

  async function openHouse(name: string): Promise<House> {
    const provider = await openForgingProvider();
    const organization = await service.organization(name);
    const domain = `${newId()}.example.com`;
    await addDomain(service.db, organization.id, domain);
    const ada = await join(service, organization, "administrator", { email: `ada@${domain}` });
    const configured = await configure(ada, provider.issuer);
    assert.equal(configured.status, 200, JSON.stringify(configured.body));
    return { organization, domain, ada, provider };
  }

  const configure = ({ send }: Person, issuer: string) =>
    send("PUT", "/v2/organization/sign-on", { issuer, client_id: client.id, client_secret: client.secret });
  const nobody: TestOrganization["administrator"]["send"] = (...request) => service.client("").send(...request);
  const start = ({ domain }: House) => nobody("POST", "/v2/session/sign-on", { email: `grace@${domain}` });
  const complete = ({ organization }: House, response: string, cookie: string) =>
    nobody("POST", "/v2/session/sign-on/complete", { organization_id: organization.id, response }, { cookie });

  /** Signs in. `changes` replaces parameters of the provider's response. */
  async function signOn(house: House, changes: Record<string, string | undefined> = {}): Promise<Answer> {
    const started = await start(house);
    assert.equal(started.status, 200, JSON.stringify(started.body));
    return complete(house, house.provider.responseOf(started.body.data.url, changes), cookieOf(started));
  }

  const succeeds = ({ status, body }: Answer, about?: string) =>
    assert.equal(status, 200, `${about ?? ""} ${JSON.stringify(body)}`);
  const fails = ({ status, body, headers }: Answer, reason: string, about?: string) =>
    assert.deepEqual(
      [status, body.code, body.detail?.reason, headers.getSetCookie()],
      [401, "sign_on_failed", reason, []],
      about,
    );
  const isUnavailable = ({ status, body }: Answer) =>
    assert.deepEqual([status, body.code], [503, "sign_on_unavailable"]);

  test("a valid response signs in exactly once", async () => {
    const started = await start(honest);
    const response = honest.provider.responseOf(started.body.data.url);
    const cookie = cookieOf(started);
    const answers = await Promise.all([1, 2, 3].map(() => complete(honest, response, cookie)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    assert.equal(honest.provider.received.length, 1, "the code was sent once");
    fails(await complete(honest, response, cookie), "expired", "later");
    const [sent] = honest.provider.received;
    assert.deepEqual(
      [sent?.get("grant_type"), sent?.get("redirect_uri"), (sent?.get("code_verifier")?.length ?? 0) >= 43],
      ["authorization_code", `https://sheaf.example.com/sign-on/${honest.organization.id}`, true],
    );
  });

  test("a response is bound to the browser and the state of the sign-in", async () => {
    const [mine, theirs] = [await start(honest), await start(honest)];
    const response = honest.provider.responseOf(theirs.body.data.url);
    // Login CSRF: the victim's browser sends the response to the attacker's sign-in.
    fails(await complete(honest, response, cookieOf(mine)), "expired");
    fails(await complete(honest, response, ""), "expired", "in a browser without a sign-in");
    for (const state of ["", "wrong", undefined]) fails(await signOn(honest, { state }), "expired", state);
    const doubled = honest.provider.responseOf(mine.body.data.url);
    fails(await complete(honest, `${doubled}&state=other`, cookieOf(mine)), "invalid_response", "two states");
    // The forged responses have not used up the sign-in.
    succeeds(await complete(honest, response, cookieOf(theirs)));
  });

  test("the cookie cannot be forged, changed or used late", async () => {
    const started = await start(honest);
    const [name = "", value = ""] = cookieOf(started).split(/=(.*)/);
    const response = honest.provider.responseOf(started.body.data.url);
    const changed = `${value.slice(0, 20)}${value[20] === "A" ? "B" : "A"}${value.slice(21)}`;
    const state = new URLSearchParams(response).get("state");
    const attempt = {
      state,
      nonce: "n",
      verifier: "v".repeat(43),
      issuer: honest.provider.issuer,
      clientId: client.id,
    };
    const [past, future] = [-1, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const sealed = (place: string, expiresAt: string | undefined) =>
      seal(service.keys, place, JSON.stringify({ ...attempt, organizationId: honest.organization.id, expiresAt }));
    const forged = [
      changed,
      "",
      "v1.AAAA",
      encoded(attempt),
      sealed("sign-on attempt", past),
      sealed("elsewhere", future),
    ];
    for (const each of forged) fails(await complete(honest, response, `${name}=${each}`), "expired", each);
    assert.match(
      started.headers.getSetCookie()[0] ?? "",
      /^__Host-sheaf_sign_on=.*; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const cross = { cookie: cookieOf(started), "sec-fetch-site": "cross-site" };
    const body = { organization_id: honest.organization.id, response };
    assert.equal((await nobody("POST", "/v2/session/sign-on/complete", body, cross)).status, 403);
    succeeds(await complete(honest, response, cookieOf(started)));
  });

  test("mix-up attack: a response of one provider is not accepted as that of another", async () => {
    // The victim starts at the evil provider, which redirects the browser to the honest one.
    const started = await start(evil);
    const code = honest.provider.responseOf(started.body.data.url);
    // The honest provider names itself in `iss` (RFC 9207), which reveals the mix-up.
    fails(await complete(evil, code, cookieOf(started)), "invalid_response", "by iss");
    // The honest provider sends the code only to the redirect URI of its organization.
    const withoutIss = honest.provider.responseOf(started.body.data.url, { iss: undefined });
    fails(await complete(honest, withoutIss, cookieOf(await start(evil))), "expired");
    const again = await start(evil);
    const response = honest.provider.responseOf(again.body.data.url, { iss: undefined });
    fails(await complete(honest, response, cookieOf(again)), "invalid_response", "by redirect URI");
    assert.deepEqual([evil.provider.received, honest.provider.received], [[], []], "no code was sent anywhere");
    // If a provider announces that it names itself in `iss`, every response must contain the
    // correct `iss`.
    fails(await signOn(honest, { iss: undefined }), "invalid_response");
    fails(await signOn(honest, { iss: evil.provider.issuer }), "invalid_response");
    fails(await signOn(honest, { iss: `${honest.provider.issuer}/` }), "invalid_response");
  });

  test("tokens with wrong claims are refused", async () => {
    const now = Math.floor(Date.now() / 1000);
    const wrong: JWTPayload[] = [
      { nonce: "wrong" },
      { nonce: undefined },
      { iss: evil.provider.issuer },
      { iss: `${honest.provider.issuer}/` },
      { aud: "another client" },
      { aud: [client.id, "another client"] },
      { aud: [client.id, "another client"], azp: "another client" },
      { aud: undefined },
      { azp: "another client" },
      { exp: now - 60 },
      { exp: undefined },
      { iat: undefined },
      { nbf: now + 600 },
      { sub: undefined },
      { sub: "" },
      { sub: "grace\0" },
      { sub: "x".repeat(256) },
    ] as JWTPayload[];
    const right = honest.provider.claims;
    for (const claims of wrong) {
      honest.provider.claims = { ...right, ...claims };
      fails(await signOn(honest), "invalid_response", JSON.stringify(claims));
    }
    honest.provider.claims = { ...right, aud: [client.id], azp: client.id };
    succeeds(await signOn(honest));
  });

  test("tokens with wrong signatures are refused", async () => {
    const { provider } = honest;
    const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const unsigned = (header: object, claims: JWTPayload) => `${encoded(header)}.${encoded(claims)}`;
    const forgeries: Record<string, (claims: JWTPayload) => Promise<string>> = {
      none: async (claims) => `${unsigned({ alg: "none" }, claims)}.`,
      "none with a kid": async (claims) => `${unsigned({ alg: "NONE", kid: "key 1" }, claims)}.`,
      "no signature": async (claims) => (await provider.sign(claims)).replace(/[^.]*$/, ""),
      "other claims": async (claims) => {
        const [header, , signature] = (await provider.sign(claims)).split(".");
        return `${header}.${encoded({ ...claims, sub: "ada" })}.${signature}`;
      },
      "a foreign key": (claims) => new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "key 1" }).sign(foreign),
      "a key in the header": (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: "RS256", jwk: foreign.export({ format: "jwk" }) as object })
          .sign(foreign),
      "the client secret": async (claims) => {
        const content = unsigned({ alg: "HS256" }, claims);
        return `${content}.${createHmac("sha256", client.secret).update(content).digest("base64url")}`;
      },
      "an unknown kid": (claims) => provider.sign(claims, { kid: "unknown" }),
      "a critical extension": (claims) => provider.sign(claims, { crit: ["extension"], extension: 1 }),
      "no token": async () => "",
    };
    for (const [how, makeToken] of Object.entries(forgeries)) {
      provider.makeToken = makeToken;
      fails(await signOn(honest), "invalid_response", how);
    }
  });

  test("after a key rotation, the new key is accepted at once, and the former key is refused", async () => {
    succeeds(await signOn(honest));
    const former = honest.provider.sign;
    const claims = await new Promise<JWTPayload>((resolve) => {
      honest.provider.makeToken = async (right) => {
        resolve(right);
        return former(right);
      };
      void signOn(honest);
    });
    const token = await former(claims);
    await honest.provider.rotate();
    honest.provider.makeToken = undefined;
    succeeds(await signOn(honest));
    honest.provider.makeToken = async () => token;
    fails(await signOn(honest), "invalid_response");
  });

  test("a provider cannot claim the accounts of another organization", async () => {
    const { provider } = evil;
    succeeds(await signOn(honest));
    const right = provider.claims;
    // The same subject at another issuer is a different account.
    const grace = await signOn(evil);
    succeeds(grace);
    assert.equal(grace.body.data.organizations.length, 1);
    assert.equal(grace.body.data.organization_id, evil.organization.id);
    provider.claims = { ...right, sub: "new", email: `grace@${honest.domain}` };
    fails(await signOn(evil), "foreign_domain");
    // A response to a sign-in with the honest provider is refused for the evil organization.
    const started = await start(honest);
    const response = honest.provider.responseOf(started.body.data.url);
    fails(await complete(evil, response, cookieOf(started)), "invalid_response");
  });

  test("if a provider is down or broken, the error says so", async () => {
    const started = await start(honest);
    const response = honest.provider.responseOf(started.body.data.url);
    honest.provider.failure = 503;
    isUnavailable(await start(honest));
    isUnavailable(await complete(honest, response, cookieOf(started)));
    isUnavailable(await configure(honest.ada, honest.provider.issuer));
    honest.provider.failure = 302;
    fails(await start(honest), "invalid_response", "redirects are not followed");
    honest.provider.failure = undefined;
    honest.provider.metadata = { padding: "x".repeat(70_000) };
    isUnavailable(await start(honest));
    const gone = await openForgingProvider();
    const { issuer } = gone;
    const house = await openHouse("gone");
    assert.equal((await configure(house.ada, issuer)).status, 200);
    await gone[Symbol.asyncDispose]();
    await house.provider[Symbol.asyncDispose]();
    isUnavailable(await start(house));
    // Sessions opened with a password still work, because sign-on is not enforced.
    assert.equal((await house.ada.send("GET", "/v2/agents")).status, 200);
  });

  test("error codes of the provider are shown, but no text that an attacker could choose", async () => {
    const changes = { code: undefined, error: "access_denied", error_description: "<script>" };
    const denied = await signOn(honest, changes);
    fails(denied, "refused_by_provider");
    assert.equal(denied.body.error, "The provider refused the sign-in (access_denied).");
    const odd = await signOn(honest, { ...changes, error: "<b>Call 555-0100</b>" });
    assert.equal(odd.body.error, "The provider refused the sign-in.");
  });

  test("configurations that would mislead the service or the browser are refused", async () => {
    const wrong: Record<string, unknown>[] = [
      { issuer: evil.provider.issuer },
      { issuer: `${honest.provider.issuer}/` },
      { authorization_endpoint: "javascript:alert(1)//" },
      { authorization_endpoint: "data:text/html,x" },
      { authorization_endpoint: undefined },
      { token_endpoint: undefined },
      { jwks_uri: undefined },
    ];
    for (const metadata of wrong) {
      honest.provider.metadata = metadata;
      const answer = await configure(honest.ada, honest.provider.issuer);
      assert.deepEqual([answer.status, answer.body.detail?.issues[0].path], [422, "/issuer"], JSON.stringify(metadata));
      fails(await start(honest), "invalid_response", JSON.stringify(metadata));
    }
    // The provider's other endpoints must not point into the network of the service either.
    for (const name of ["token_endpoint", "jwks_uri"])
      for (const url of [
        "http://169.254.169.254/latest",
        "http://10.0.0.1/",
        "http://localhost:1/",
        "file:///etc/passwd",
      ]) {
        honest.provider.metadata = { [name]: url };
        fails(await signOn(honest), "invalid_response", url);
      }
    for (const issuer of [
      "http://10.0.0.1",
      "http://169.254.169.254",
      "http://localhost:8080",
      "ftp://a.example",
      "x",
      "https://u:p@a.example",
    ]) {
      const answer = await configure(honest.ada, issuer);
      assert.deepEqual([answer.status, answer.body.detail?.issues[0].path], [422, "/issuer"], issuer);
    }
  });

  test("a sign-in does not survive a change of the provider", async () => {
    const house = await openHouse("changing");
    const started = await start(house);
    const response = house.provider.responseOf(started.body.data.url);
    await using other = await openForgingProvider();
    assert.equal((await configure(house.ada, other.issuer)).status, 200);
    fails(await complete(house, response, cookieOf(started)), "expired");
    await house.provider[Symbol.asyncDispose]();
  });
});

describeOverDatabases("limits of sign-on", (dialect) => {
  test("failed sign-ins of an address are limited like wrong passwords", async () => {
    await using service = await openTestService(dialect, {
      SHEAF_PUBLIC_URL: "https://sheaf.example.com",
      SHEAF_ADDRESS_RATE_LIMIT: "50",
    });
    const body = { organization_id: newId(), response: "code=a&state=b" };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++)
      statuses.push((await service.client("").send("POST", "/v2/session/sign-on/complete", body)).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  });

  test("without a public URL sign-on can neither be configured nor started", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Local");
    const { send } = organization.administrator;
    const body = { issuer: "https://login.example.com", client_id: "a", client_secret: "b" };
    assert.equal((await send("PUT", "/v2/organization/sign-on", body)).status, 409);
    assert.equal((await send("GET", "/v2/organization/sign-on")).body.data.redirect_uri, null);
    const { data } = (await service.client("").send("GET", "/v2/session/sign-on")).body;
    assert.deepEqual(data, { available: false });
  });
});
