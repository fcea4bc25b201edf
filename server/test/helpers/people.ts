/** People of an organization: members who sign in, and their credentials. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { newId } from "../../src/lib/ids.ts";
import type { Dialect } from "./databases.ts";
import { type Answer, openTestService, type TestClient, type TestOrganization, type TestService } from "./service.ts";

/** Browser of a signed-in user. */
export interface Browser {
  cookie: string;
  send: TestClient["send"];
}

export interface Person extends Browser {
  memberId: string;
}

export const password = "correct horse battery";

/**
 * Opens a service with an organization of two people before the tests of the calling suite, and
 * closes it after them.
 */
export function peopleOver(dialect: Dialect) {
  /** Ada administers the organization, Bob is a member. */
  const parts = {} as { service: TestService; organization: TestOrganization; ada: Person; bob: Person };
  before(async () => {
    parts.service = await openTestService(dialect);
    parts.organization = await parts.service.organization("People");
    parts.ada = await join(parts.service, parts.organization, "administrator");
    parts.bob = await join(parts.service, parts.organization, "member");
  });
  after(() => parts.service?.[Symbol.asyncDispose]());
  return parts;
}

/** Invites a person, who accepts and thereby signs in. */
export async function join(
  service: TestService,
  { administrator }: TestOrganization,
  role: "administrator" | "member",
  { name = role, email = `${newId()}@example.com` }: { name?: string; email?: string } = {},
): Promise<Person> {
  const invited = await administrator.send("POST", "/v2/organization/invitations", { email, role });
  assert.equal(invited.status, 201);
  const accept = { token: invited.body.data.token, name, password };
  const accepted = await service.client("").send("POST", "/v2/invitations/accept", accept);
  assert.equal(accepted.status, 200);
  const members = (await administrator.send("GET", "/v2/organization/members")).body.data;
  const member = members.find((each: { email: string }) => each.email === email);
  assert.deepEqual([member.role, member.status], [role, "active"]);
  return { memberId: member.id, ...browserOf(service, cookieOf(accepted)) };
}

export const browserOf = (service: TestService, cookie: string): Browser => ({
  cookie,
  send: (method, path, body, headers) => service.client("").send(method, path, body, { cookie, ...headers }),
});

export const cookieOf = ({ headers }: Answer): string => (headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";

/**
 * Creates a credential for the sender, and returns a client that uses a token of the credential.
 */
export async function credentialOf(
  service: TestService,
  { send }: Pick<Person, "send">,
  name = "test",
): Promise<TestClient & { clientId: string }> {
  const { client_id: clientId, client_secret } = (await send("POST", "/v2/organization/credentials", { name })).body
    .data;
  const query = new URLSearchParams({ client_id: clientId, client_secret });
  const { access_token } = (await service.client("").send("GET", `/v2/token?${query}`)).body;
  return { clientId, ...service.client(access_token) };
}
