/** An OpenID Connect provider that signs whatever a test specifies, valid or not. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import { client, closed } from "./identity-provider.ts";

export interface ForgingProvider extends AsyncDisposable {
  issuer: string;
  /** Overrides members of the provider configuration, which is valid by default. */
  metadata: Record<string, unknown>;
  /** Overrides claims of the ID token, which are valid by default. */
  claims: JWTPayload;
  /** Makes the ID token from the claims. By default, the claims are signed with the current key. */
  makeToken: ((claims: JWTPayload) => Promise<string>) | undefined;
  /** Overrides the status of every response. */
  failure: number | undefined;
  /** Forms received at the token endpoint. */
  received: URLSearchParams[];
  /** Replaces the signing key with a new key. */
  rotate(): Promise<void>;
  /** Signs claims with the current key. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /**
   * Returns the query string with which the provider redirects the browser back after a request to
   * `url`. `changes` override parameters of the query string; undefined parameters are left out.
   */
  responseOf(url: string, changes?: Record<string, string | undefined>): string;
}

export async function openForgingProvider(): Promise<ForgingProvider> {
  let key = await newKey();
  /** Nonce of each sign-in, by authorization code. */
  const nonces = new Map<string, string>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: ForgingProvider = {
    issuer,
    metadata: {},
    claims: {},
    makeToken: undefined,
    failure: undefined,
    received: [],
    rotate: async () => {
      key = await newKey();
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid: key.kid, ...header })
        .sign(key.privateKey, { crit: { extension: true } }),
    responseOf: (url, changes = {}) => {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      nonces.set(code, asked.get("nonce") ?? "");
      const parameters = { code, state: asked.get("state") ?? "", iss: issuer, ...changes };
      const kept = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return new URLSearchParams(kept).toString();
    },
    [Symbol.asyncDispose]: () => closed(server),
  };
  const replies: Record<string, (request: IncomingMessage) => Promise<unknown>> = {
    "/.well-known/openid-configuration": async () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: true,
      ...provider.metadata,
    }),
    "/keys": async () => ({ keys: [key.jwk] }),
    "/token": async (request) => {
      const form = new URLSearchParams((await request.toArray()).join(""));
      provider.received.push(form);
      const nonce = nonces.get(form.get("code") ?? "");
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: client.id, iat: now, exp: now + 300, nonce, ...provider.claims };
      const id_token = await (provider.makeToken ?? provider.sign)(claims);
      return { access_token: "access", token_type: "Bearer", id_token };
    },
  };
  // Lets the test process exit even if the test never closes this server.
  server.unref();
  server.on("request", async (request, response) => {
    const reply = await replies[request.url ?? ""]?.(request);
    response.writeHead(provider.failure ?? (reply === undefined ? 404 : 200), { "content-type": "application/json" });
    response.end(JSON.stringify(reply ?? {}));
  });
  return provider;
}

let keys = 0;

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const kid = `key ${++keys}`;
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: "sig", alg: "RS256" } };
}
