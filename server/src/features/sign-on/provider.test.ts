/** Tests configurations of providers that cannot run on this machine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { discoverProvider } from "./provider.ts";

const entra = "https://login.microsoftonline.com";

/**
 * Returns an outbound client whose response to any URL is a provider configuration with this
 * issuer.
 */
const outboundOf = (issuer: string, further: object = {}) => ({
  fetch: async () => ({
    status: 200,
    contentType: "application/json",
    body: Buffer.from(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${entra}/authorize`,
        token_endpoint: `${entra}/token`,
        jwks_uri: `${entra}/keys`,
        ...further,
      }),
    ),
  }),
});

const discover = (issuer: string, named: string, further: object = {}) =>
  discoverProvider(
    { outbound: outboundOf(named, further), allowHttp: false },
    { issuer, clientId: "sheaf", clientSecret: "secret" },
  );

const invalid = { code: "sign_on_failed", detail: { reason: "invalid_response" } };

test("the issuer that all tenants of Entra ID share is refused, and the issuer of one tenant is accepted", async () => {
  const tenant = `${entra}/0198f3a2-7c41-7d3e-9b52-6f0d1c8e4a77/v2.0`;
  for (const shared of ["common", "organizations", "consumers"])
    await assert.rejects(discover(`${entra}/${shared}/v2.0`, `${entra}/{tenantid}/v2.0`), invalid, shared);
  await assert.rejects(discover(tenant, `${entra}/{tenantid}/v2.0`), invalid);
  assert.equal((await discover(tenant, tenant)).serverMetadata().issuer, tenant);
});

test("the browser is never sent to a URL without TLS or to a script", async () => {
  const issuer = "https://login.example.com";
  for (const authorization_endpoint of ["http://login.example.com/authorize", "javascript:alert(1)//", "x", ""])
    await assert.rejects(discover(issuer, issuer, { authorization_endpoint }), invalid, authorization_endpoint);
});
