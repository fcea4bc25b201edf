/** An identity provider that provisions the members of an organization by SCIM. */
import assert from "node:assert/strict";
import { addDomain } from "../../src/features/sign-on/domains.service.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Answer, TestOrganization, TestService } from "./service.ts";
import type { signOnOver } from "./sign-on.ts";

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error";

export interface Provider {
  organization: TestOrganization;
  domain: string;
  token: string;
  tokenId: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Creates an organization with a domain and a SCIM token. */
export async function providerOf(service: TestService, name = `Scim ${newId()}`): Promise<Provider> {
  const organization = await service.organization(name);
  const domain = `${newId()}.example.com`;
  await addDomain(service.db, organization.id, domain);
  return { domain, ...(await provisionerOf(service, organization)) };
}

/** Creates a SCIM token of the organization. */
export async function provisionerOf(service: TestService, organization: TestOrganization) {
  const made = await organization.administrator.send("POST", "/v2/organization/sign-on/scim-tokens", { name: "IdP" });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id: tokenId, token } = made.body.data;
  return { organization, token, tokenId, send: scimSender(service, token) };
}

/** Creates an organization with sign-on and a SCIM token. */
export async function provisionedHouse({ house, service }: ReturnType<typeof signOnOver>) {
  const here = await house();
  return { here, scim: await provisionerOf(service, here.organization) };
}

/** Returns the query string that lists the resources whose attribute has the given value. */
export const filterBy = (attribute: string, value: string): string =>
  `?filter=${encodeURIComponent(`${attribute} eq ${JSON.stringify(value)}`)}`;

/**
 * Returns a function that sends SCIM requests, and checks the headers and errors of each response.
 */
export const scimSender =
  (service: TestService, token: string): Provider["send"] =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(`${service.url}/scim/v2${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/scim+json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    if (text !== "") assert.match(answer.headers.get("content-type") ?? "", /^application\/scim\+json\b/);
    if (answer.status >= 400) {
      assert.deepEqual(answer.body.schemas, [errorSchema]);
      assert.equal(answer.body.status, String(answer.status));
      assert.equal(typeof answer.body.detail, "string");
    }
    return answer;
  };

/** Returns the body of a SCIM PATCH request. */
export const patch = (...operations: object[]) => ({ schemas: [patchSchema], Operations: operations });

/** Asserts that a request was refused with this status and `scimType`. */
export const refused = ({ status, body }: Answer, expected: number, scimType?: string): void =>
  assert.deepEqual([status, body?.scimType], [expected, scimType], JSON.stringify(body));
