/**
 * HTTP routes that issue access tokens. Clients send their credentials in the query, as the
 * contract requires, or in the body or a Basic header, as in OAuth 2.
 */
import { tokenEndpoints as endpoints, type TokenJson } from "@sheaf/contract/token.ts";
import { type AnyRoute, route } from "../../lib/route.ts";
import { type AccessToken, type CredentialDeps, issueToken } from "./credentials.service.ts";

const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

export const tokenRoutes = (deps: CredentialDeps): AnyRoute[] => [
  route(endpoints.getToken, async ({ query }) => {
    const token = await issueToken(deps, single(query.client_id), single(query.client_secret));
    return { body: tokenJson(token), headers };
  }),
  route(endpoints.postToken, async ({ body, header }) => {
    const authorization = header("authorization");
    const credentials = authorization === undefined ? [body.client_id, body.client_secret] : basic(authorization);
    const token = await issueToken(deps, single(credentials[0]), single(credentials[1]));
    return { body: tokenJson(token), headers };
  }),
];

const tokenJson = (token: AccessToken): TokenJson => ({
  access_token: token.accessToken,
  token_type: "x-api-key",
  expires_in: String(token.lifetimeSeconds),
});

/**
 * Treats a missing or repeated parameter as empty. The request then fails with `invalid_client`,
 * after the same time as a request with wrong credentials.
 */
const single = (value: string | string[] | undefined): string => (typeof value === "string" ? value : "");

/**
 * Returns the client id and the secret from a Basic header. In the header, both are form-encoded
 * (RFC 6749, 2.3.1).
 */
function basic(authorization: string): [string, string] {
  const [, encoded = ""] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const [id = "", ...secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return [formDecode(id), formDecode(secret.join(":"))];
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return "";
  }
}
