/**
 * OpenID Connect with the provider of an organization. All requests go through the outbound client,
 * because an administrator of any organization can choose the URL.
 */

import type { SignOnFailure } from "@sheaf/contract/errors.ts";
import type { Configuration, CustomFetch } from "openid-client";
import { AppError } from "../../lib/errors.ts";
import { type Outbound, OutboundError } from "../../net/outbound.ts";

/** Registration of this service with a provider. */
export interface Registration {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Secrets of one sign-in, which the response must match. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Statements of the provider about a user, from its signed ID token. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string };

export interface ProviderDeps {
  outbound: Pick<Outbound, "fetch">;
  /** True if providers may be reached over `http://`. */
  allowHttp: boolean;
}

const timeoutSeconds = 10;
/** Tolerated difference between the clocks, in seconds. */
const clockToleranceSeconds = 30;

/** Loads the library when it is first needed, because most installations do not use sign-on. */
const load = () => import("openid-client");

/**
 * Reads the configuration of a provider. It is read again for each sign-in, so that a rotated key
 * is known at once.
 * @throws AppError `sign_on_unavailable`; `sign_on_failed` if the configuration is invalid or
 * belongs to another issuer
 */
export async function discoverProvider(
  { outbound, allowHttp }: ProviderDeps,
  { issuer, clientId, clientSecret }: Registration,
): Promise<Configuration> {
  const client = await load();
  const { ClientSecretBasic, ClientSecretPost, allowInsecureRequests, enableNonRepudiationChecks } = client;
  const basic = ClientSecretBasic(clientSecret);
  const post = ClientSecretPost(clientSecret);
  const execute = [enableNonRepudiationChecks, ...(allowHttp ? [allowInsecureRequests] : [])];
  return failingAsSignOn(async () => {
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [client.clockTolerance]: clockToleranceSeconds },
      (server, ...request) =>
        (server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") === false ? post : basic)(
          server,
          ...request,
        ),
      { execute, timeout: timeoutSeconds, [client.customFetch]: fetchThrough(outbound) },
    );
    const metadata = configuration.serverMetadata();
    // For a tenant of Entra ID, the library also accepts the shared issuer of all tenants. That
    // would be unsafe: anybody can create a tenant, and its administrator can give a user any
    // address.
    if (metadata.issuer !== issuer) throw new Error(`The provider reports a different issuer: ${metadata.issuer}.`);
    // The browser opens this URL, so it must be a web URL and not, for example, a `javascript:`
    // URL.
    if (!isWebUrl(metadata.authorization_endpoint, allowHttp)) throw new Error("There is no authorization endpoint.");
    if (metadata.token_endpoint === undefined || metadata.jwks_uri === undefined)
      throw new Error("There is no token endpoint, or no signing keys.");
    return configuration;
  });
}

/** Returns the URL at which the browser starts to sign in. */
export async function authorizationUrl(
  provider: Configuration,
  { state, nonce, verifier }: Checks,
  request: { redirectUri: string; scope: string; loginHint: string },
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load();
  return buildAuthorizationUrl(provider, {
    redirect_uri: request.redirectUri,
    scope: request.scope,
    login_hint: request.loginHint,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).href;
}

export async function newChecks(): Promise<Checks> {
  const { randomNonce, randomPKCECodeVerifier, randomState } = await load();
  return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
}

/**
 * Exchanges the code of a response for an ID token and verifies both: state, issuer, nonce,
 * signature, audience, and times.
 * @param response the redirect URI with the parameters of the response
 * @throws AppError `sign_on_failed`, `sign_on_unavailable`
 */
export async function redeemResponse(
  provider: Configuration,
  response: URL,
  { state, nonce, verifier }: Checks,
  wanted: readonly string[],
): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await load();
  return failingAsSignOn(async () => {
    const tokens = await authorizationCodeGrant(provider, response, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error("There is no ID token.");
    // The library checks `azp` only if there are several audiences.
    if (claims.azp !== undefined && claims.azp !== provider.clientMetadata().client_id)
      throw new Error("The ID token was issued to another client.");
    if (!isSubject.test(claims.sub)) throw new Error("The subject is not valid.");
    // Some providers return further claims only from the userinfo endpoint.
    if (wanted.every((name) => name in claims) || provider.serverMetadata().userinfo_endpoint === undefined)
      return claims;
    const further: Omit<Claims, "sub"> = await fetchUserInfo(provider, tokens.access_token, claims.sub);
    const { email, email_verified } = claims.email_verified === undefined ? further : claims;
    // The address and its verification must come from the same response.
    return { ...further, ...claims, email, email_verified };
  });
}

const isWebUrl = (url: string | undefined, allowHttp: boolean): boolean => {
  const protocol = url === undefined ? undefined : URL.parse(url)?.protocol;
  return protocol === "https:" || (allowHttp && protocol === "http:");
};

/** Subject of an ID token. OpenID Connect Core allows up to 255 ASCII characters. */
const isSubject = /^[\x20-\x7e]{1,255}$/;

/** Statuses of responses without a body. */
const bodyless = new Set([204, 205, 304]);

const fetchThrough =
  (outbound: Pick<Outbound, "fetch">): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    if (method !== "GET" && method !== "POST") throw new Error(`The method ${method} is not supported.`);
    const sent = Buffer.from(body instanceof URLSearchParams || typeof body === "string" ? body.toString() : "");
    const answer = await outbound.fetch(url, { method, headers, body: sent }, signal);
    return new Response(bodyless.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.contentType === undefined ? {} : { "content-type": answer.contentType },
    });
  };

/** Runs `work`, and converts errors of the library and of connections to sign-on errors. */
async function failingAsSignOn<T>(work: () => Promise<T>): Promise<T> {
  const { AuthorizationResponseError, ResponseBodyError } = await load();
  try {
    return await work();
  } catch (cause) {
    const causes = causesOf(cause);
    if (causes.some((each) => isConnectionError(each) || isServerError(each)))
      throw new AppError("sign_on_unavailable", undefined, { cause });
    const told = causes.find(
      (each) => each instanceof AuthorizationResponseError || each instanceof ResponseBodyError,
    ) as { error: string } | undefined;
    if (told === undefined) throw signOnFailed("invalid_response", cause);
    const code = /^[a-z_]{1,60}$/.test(told.error) ? ` (${told.error})` : "";
    throw new AppError(
      "sign_on_failed",
      { reason: "refused_by_provider" },
      { cause, message: `The provider refused the sign-in${code}.` },
    );
  }
}

export const signOnFailed = (reason: SignOnFailure, cause?: unknown): AppError =>
  new AppError("sign_on_failed", { reason }, { cause });

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  return causes;
}

/**
 * Returns true if the provider could not be reached. A forbidden address does not count, because it
 * is an invalid configuration.
 */
const isConnectionError = (error: Error): boolean =>
  error.name === "TimeoutError" || (error instanceof OutboundError && error.kind !== "refused_address");

/** Returns true if the cause of the error is a 5xx response, so that the provider itself failed. */
const isServerError = ({ cause }: Error): boolean => cause instanceof Response && cause.status >= 500;
