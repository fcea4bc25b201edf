/** Sign-on with a real provider: organizations that use it, and people who sign in with it. */
import assert from "node:assert/strict";
import { after, afterEach, before } from "node:test";
import { addDomain } from "../../src/features/sign-on/domains.service.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Dialect } from "./databases.ts";
import { type Account, client, type IdentityProvider, openIdentityProvider, responseOf } from "./identity-provider.ts";
import { type Browser, browserOf, cookieOf, join, password } from "./people.ts";
import { type Answer, openTestService, type TestClient, type TestOrganization, type TestService } from "./service.ts";

/** An organization that has a domain and uses the identity provider. */
export interface House {
  organization: TestOrganization;
  domain: string;
  /** Administrator with a password. */
  ada: Browser & { memberId: string };
  adaEmail: string;
  configure(changes?: object): Promise<Answer>;
}

/**
 * Opens a provider and a service that may use it before the tests of the calling suite, and closes
 * them after the tests.
 */
export function signOnOver(dialect: Dialect) {
  const parts = {} as { service: TestService; provider: IdentityProvider };
  before(async () => {
    parts.provider = await openIdentityProvider();
    parts.service = await openTestService(dialect, {
      SHEAF_PUBLIC_URL: "https://sheaf.example.com",
      SHEAF_OUTBOUND_ALLOW: "127.0.0.1",
      SHEAF_OUTBOUND_HTTP: "on",
      SHEAF_ADDRESS_RATE_LIMIT: "0",
    });
  });
  after(async () => {
    await parts.service?.[Symbol.asyncDispose]();
    await parts.provider?.[Symbol.asyncDispose]();
  });
  afterEach(() => {
    parts.provider.account = undefined;
  });

  /** Sends a request without a session. */
  const nobody: TestClient["send"] = (...request) => parts.service.client("").send(...request);

  async function house(): Promise<House> {
    const organization = await parts.service.organization(`House ${newId()}`);
    const domain = `${newId()}.example.com`;
    await addDomain(parts.service.db, organization.id, domain);
    const adaEmail = `ada@${domain}`;
    const ada = await join(parts.service, organization, "administrator", { email: adaEmail, name: "Ada" });
    const { redirect_uri } = (await ada.send("GET", "/v2/organization/sign-on")).body.data;
    parts.provider.register(redirect_uri);
    const configure = (changes: object = {}) =>
      ada.send("PUT", "/v2/organization/sign-on", {
        issuer: parts.provider.issuer,
        client_id: client.id,
        client_secret: client.secret,
        ...changes,
      });
    const configured = await configure();
    assert.equal(configured.status, 200, JSON.stringify(configured.body));
    return { organization, domain, ada, adaEmail, configure };
  }

  const start = (email: string) => nobody("POST", "/v2/session/sign-on", { email });
  const complete = (organizationId: string, response: string, cookie: string) =>
    nobody("POST", "/v2/session/sign-on/complete", { organization_id: organizationId, response }, { cookie });

  /** Signs in with an account of the provider. */
  async function signOn({ organization, domain }: House, account: Account | undefined): Promise<Answer> {
    parts.provider.account = account;
    const started = await start(`anybody@${domain}`);
    assert.equal(started.status, 200, JSON.stringify(started.body));
    return complete(organization.id, await responseOf(started.body.data.url), cookieOf(started));
  }

  const passwordSignIn = (email: string) => nobody("POST", "/v2/session", { email, password });
  const browse = (answer: Answer): Browser => browserOf(parts.service, cookieOf(answer));
  return Object.assign(parts, { nobody, house, start, complete, signOn, passwordSignIn, browse });
}

/** Returns an account whose address the provider has verified. */
export const verified = (email: string, further: Partial<Account> = {}): Account => ({
  sub: newId(),
  email,
  email_verified: true,
  name: "Grace Hopper",
  ...further,
});

/** Asserts that a sign-in failed for this reason, and opened no session. */
export const failed = ({ status, body, headers }: Answer, reason: string): void =>
  assert.deepEqual(
    [status, body.code, body.detail?.reason, headers.getSetCookie()],
    [401, "sign_on_failed", reason, []],
  );

export const members = async ({ organization }: House) =>
  (await organization.administrator.send("GET", "/v2/organization/members")).body.data as {
    id: string;
    email: string;
    role: string;
    status: string;
    name: string;
  }[];

export const memberWith = async (at: House, email: string) => (await members(at)).find((each) => each.email === email);
