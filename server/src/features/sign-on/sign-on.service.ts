/**
 * Signs users in through the provider of an organization: sends the browser to the provider, and
 * handles the response that the browser brings back.
 */
import { useChallenge } from "../identity/passkeys.service.ts";
import { type OpenedSession, type Origin, openSession, type SessionDeps } from "../identity/sessions.service.ts";
import { plainAddress } from "../identity/users.service.ts";
import { type Attempt, attemptCookie, hashOf, noAttemptCookie, readAttempt } from "./attempt.ts";
import { authorizationUrl, discoverProvider, newChecks, redeemResponse, signOnFailed } from "./provider.ts";
import { findProvider, findProviderOfDomain, hasProviders, type ProviderRow } from "./sign-on.repo.ts";
import { memberOf } from "./sign-on-member.service.ts";
import { redirectUriOf, registrationOf, type SignOnDeps } from "./sign-on-settings.service.ts";

export interface SignOnSessionDeps extends SignOnDeps, SessionDeps {}

/**
 * Returns whether sign-on can work: there is a public URL, and at least one organization has a
 * provider.
 */
export const isAvailable = async ({ db, publicUrl }: SignOnDeps): Promise<boolean> =>
  publicUrl !== undefined && (await hasProviders(db));

/**
 * Returns the URL that the browser must open next, and the cookie that binds the sign-in to this
 * browser. Returns undefined if the domain of the address has no provider. Accounts are not looked
 * up, so the result does not reveal whether an account exists.
 * @throws AppError `sign_on_unavailable`, `sign_on_failed`
 */
export async function startSignOn(
  deps: SignOnDeps,
  email: string,
): Promise<{ url: string; cookie: string } | undefined> {
  const { db, keys, publicUrl } = deps;
  const address = plainAddress(email.trim());
  if (publicUrl === undefined || address === undefined) return undefined;
  const row = await findProviderOfDomain(db, address.slice(address.lastIndexOf("@") + 1));
  if (row === undefined) return undefined;
  const provider = await discoverProvider(deps, registrationOf(keys, row));
  const checks = await newChecks();
  const { organization_id: organizationId, issuer, client_id: clientId, scope } = row;
  const redirectUri = redirectUriOf(publicUrl, organizationId);
  return {
    url: await authorizationUrl(provider, checks, { redirectUri, scope, loginHint: address }),
    cookie: attemptCookie(keys, deps.secureCookies, { ...checks, organizationId, issuer, clientId }),
  };
}

/**
 * Signs a user in with the response of a provider.
 * @param response query of the redirect
 * @throws AppError `sign_on_failed`, `sign_on_unavailable`
 */
export async function completeSignOn(
  deps: SignOnSessionDeps,
  { organizationId, response }: { organizationId: string; response: string },
  origin: Origin,
): Promise<OpenedSession> {
  const { db, keys, publicUrl } = deps;
  if (publicUrl === undefined) throw signOnFailed("expired");
  const attempt = readAttempt(keys, deps.secureCookies, origin.cookie);
  const parameters = new URLSearchParams(response);
  // Checked before the attempt is marked as used, so that no page can use it up by opening a forged
  // response.
  if (attempt === undefined || parameters.get("state") !== attempt.state) throw signOnFailed("expired");
  if (organizationId !== attempt.organizationId) throw signOnFailed("invalid_response");
  const row = await providerOf(deps, attempt);
  if (!(await useChallenge(db, hashOf(attempt), attempt.expiresAt))) throw signOnFailed("expired");
  const provider = await discoverProvider(deps, registrationOf(keys, row));
  const returned = new URL(redirectUriOf(publicUrl, organizationId));
  returned.search = parameters.toString();
  const wanted = ["email", "email_verified", ...(row.groups_claim === null ? [] : [row.groups_claim])];
  const claims = await redeemResponse(provider, returned, attempt, wanted);
  const userId = await memberOf(db, row, claims, origin);
  const detail = { by: "sign-on", issuer: row.issuer };
  const { session, cookies } = await openSession(deps, userId, origin, detail, organizationId);
  return { session, cookies: [...cookies, noAttemptCookie(deps.secureCookies)] };
}

/** Returns the provider with which the attempt was started, if it is still configured. */
async function providerOf({ db }: SignOnDeps, attempt: Attempt): Promise<ProviderRow> {
  const row = await findProvider(db, attempt.organizationId);
  if (row?.issuer === attempt.issuer && row.client_id === attempt.clientId) return row;
  throw signOnFailed("expired");
}
