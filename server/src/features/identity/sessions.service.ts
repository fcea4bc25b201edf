/**
 * Sessions of the web application: the signed-in user, and the organization in which the user
 * works.
 */
import type { SessionEntryJson, SessionJson } from "@sheaf/contract/sessions.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { memberIn, type Source, userActor } from "./acting-user.ts";
import { deleteOldFailures } from "./failed-attempts.service.ts";
import { deleteUnusableLinks } from "./first-sign-in.service.ts";
import { deleteOldAttempts } from "./guessing.service.ts";
import * as users from "./identity.repo.ts";
import { type IdentitySource, sessionLifetimeMs, signOnLifetimeMs } from "./identity.ts";
import { deleteExpiredChallenges } from "./passkeys.repo.ts";
import { refuseWeakPassword } from "./password-policy.ts";
import { completeSignIn, hasSecondFactor, type SecondFactorDeps, type SignedIn } from "./second-factor.service.ts";
import { checkPassword, checkSignIn, recordRefusal, replacePassword } from "./users.service.ts";

export interface SessionDeps {
  db: Db;
  identity: IdentitySource;
}

/** Maximum number of characters of the `User-Agent` header that are stored. */
const maxUserAgentLength = 300;

/** A session with the cookies to set. */
export interface OpenedSession {
  session: SessionJson;
  cookies: string[];
}

/** Client address, request id, user agent and previous session of a request. */
export interface Origin extends Source {
  userAgent: string | undefined;
  cookie: string | undefined;
}

/**
 * Signs a user in and ends the previous session of the browser.
 * @throws AppError `unauthorized`, `rate_limited`: see `checkSignIn`; `second_factor_required`: see
 * `completeSignIn`
 */
export async function signIn(
  deps: SessionDeps & SecondFactorDeps,
  { email, password, code }: { email: string; password: string; code?: string },
  origin: Origin,
): Promise<OpenedSession> {
  const match = await checkSignIn(deps.db, email, password, origin);
  const detail = await completeSignIn(deps, match, code, origin);
  return openSession(deps, match.userId, origin, detail);
}

/**
 * Opens a session for an authenticated user and ends the previous session of the browser.
 * @param detail context for the audit entry
 * @param signOnOrganizationId the organization whose provider has authenticated the user
 * @throws AppError `sign_on_required` if the user must sign in with a provider but has not done so
 */
export async function openSession(
  deps: SessionDeps,
  userId: string,
  origin: Origin,
  detail: Record<string, string> = {},
  signOnOrganizationId: string | null = null,
): Promise<OpenedSession> {
  if (signOnOrganizationId === null && (await users.isSignOnRequired(deps.db, userId))) {
    await recordRefusal(deps.db, [{ user_id: userId }], origin, { by: "sign-on required" });
    throw new AppError("sign_on_required");
  }
  const identity = await deps.identity();
  const body = {
    userId,
    signOnOrganizationId,
    ipAddress: origin.address,
    userAgent: [...(origin.userAgent ?? "")].slice(0, maxUserAgentLength).join(""),
  };
  const { headers } = await identity.openSession({ body, returnHeaders: true });
  const cookies = headers.getSetCookie();
  const session = await getSession(deps, cookieOf(cookies));
  const before = await findAlive(deps, origin.cookie);
  if (before)
    await users.deleteSession(deps.db, { userId: before.user.id, signOnOrganizationId: null }, before.session.id);
  await recordAudit(deps.db, await actorOf(deps.db, session, origin), {
    action: "session.created",
    target: session.user.id,
    detail,
  });
  return { session, cookies };
}

/**
 * @throws AppError `unauthorized` if there is no session, if the session has ended, or if the
 * user's organizations now require sign-on
 */
export async function getSession(deps: SessionDeps, cookie: string | undefined): Promise<SessionJson> {
  const { user, session } = await find(deps, cookie);
  const { signOnOrganizationId = null } = session;
  const accessible = await users.listAccessible(deps.db, user.id, signOnOrganizationId);
  if (accessible.length === 0) await refuseWhereSignOnRequired(deps.db, user.id, signOnOrganizationId);
  const organizations = accessible.map(({ organization_id, name, role }) => ({ organization_id, name, role }));
  const active = organizations.find(({ organization_id }) => organization_id === session.activeOrganizationId);
  return {
    user: {
      id: user.id,
      name: user.name,
      email: user.email,
      has_password: await users.hasPassword(deps.db, user.id),
      second_factor: (await hasSecondFactor(deps.db, user.id)) ? "totp" : "none",
    },
    organization_id: active?.organization_id ?? null,
    organizations,
    sign_on: signOnOrganizationId !== null,
    expires_at: endOf(session.expiresAt, session.createdAt, signOnOrganizationId),
  };
}

/** @throws AppError `unauthorized` if all organizations of the user require sign-on */
async function refuseWhereSignOnRequired(db: Db, userId: string, signOnOrganizationId: string | null): Promise<void> {
  if (signOnOrganizationId === null && (await users.isSignOnRequired(db, userId)))
    throw new AppError("unauthorized", undefined, {
      message: "Your organization requires sign-in with its provider: sign in again.",
    });
}

/**
 * Sets the organization that the user works in.
 * @throws AppError `unauthorized`; `organization_not_found` if the user is not an active member of
 * it
 */
export async function chooseOrganization(
  deps: SessionDeps,
  cookie: string | undefined,
  organizationId: string,
): Promise<SessionJson> {
  const { user, session } = await find(deps, cookie);
  const memberships = await users.listAccessible(deps.db, user.id, session.signOnOrganizationId);
  if (!memberships.some(({ organization_id }) => organization_id === organizationId))
    throw new AppError("organization_not_found");
  await users.setActiveOrganization(deps.db, session.id, organizationId);
  return getSession(deps, cookie);
}

/**
 * Ends the session. Returns `Set-Cookie` values that remove its cookies from the browser.
 * @throws AppError `unauthorized`
 */
export async function signOut(deps: SessionDeps, cookie: string | undefined, origin: Source): Promise<string[]> {
  const session = await getSession(deps, cookie);
  const identity = await deps.identity();
  const { headers } = await identity.signOut({ headers: requestHeaders(cookie), returnHeaders: true });
  await recordAudit(deps.db, await actorOf(deps.db, session, origin), {
    action: "session.ended",
    target: session.user.id,
  });
  return headers.getSetCookie();
}

/**
 * Lists the user's active sessions, newest first.
 * @throws AppError `unauthorized`
 */
export async function listSessions(deps: SessionDeps, cookie: string | undefined): Promise<SessionEntryJson[]> {
  const { user, session } = await find(deps, cookie);
  const filter = { userId: user.id, signOnOrganizationId: session.signOnOrganizationId ?? null };
  const alive = { now: now(), since: oldestAlive(), signedOnSince: oldestSignedOn() };
  const rows = await users.listSessions(deps.db, filter, alive);
  return rows.map((row) => ({
    id: row.id,
    created_at: row.created_at,
    last_used_at: row.updated_at,
    expires_at: endOf(new Date(row.expires_at), new Date(row.created_at), row.sign_on_organization_id),
    address: row.ip_address || null,
    user_agent: row.user_agent || null,
    is_current: row.id === session.id,
  }));
}

/**
 * Ends one session of the user.
 * @throws AppError `unauthorized`; `not_found` if the user has no such session
 */
export async function endSession(
  deps: SessionDeps,
  cookie: string | undefined,
  id: string,
  origin: Source,
): Promise<void> {
  const { user, session } = await find(deps, cookie);
  const filter = { userId: user.id, signOnOrganizationId: session.signOnOrganizationId ?? null };
  if (!isId(id) || !(await users.deleteSession(deps.db, filter, id))) throw new AppError("not_found");
  await recordAudit(deps.db, await userActor(deps.db, user.id, session, origin), {
    action: "session.ended",
    target: user.id,
    detail: { session: id },
  });
}

/**
 * Changes the password, ends every session of the user and opens a new one. The current password is
 * required if the user has one.
 * @throws AppError `unauthorized`, also for a wrong current password; `rate_limited`; `forbidden`
 * in a session opened by sign-on; `sign_on_required`; `invalid_request` for a weak new password or
 * a missing current password
 */
export async function changePassword(
  deps: SessionDeps,
  cookie: string | undefined,
  input: { current: string | undefined; wanted: string },
  origin: Origin,
): Promise<OpenedSession> {
  const before = await getSession(deps, cookie);
  const { user } = before;
  if (before.sign_on) throw accountIsManaged();
  if (input.current !== undefined) await checkPassword(deps.db, user, input.current, origin);
  else if (user.has_password)
    throw new AppError("invalid_request", { issues: [{ path: "/current_password", message: "is required" }] });
  await refuseWeakPassword(input.wanted, user, "/new_password");
  const actor = await actorOf(deps.db, before, origin);
  await replacePassword(deps.db, user.id, input.wanted, actor);
  const opened = await openSession(deps, user.id, { ...origin, cookie: undefined });
  if (before.organization_id === null) return opened;
  const { cookies } = opened;
  return { session: await chooseOrganization(deps, cookieOf(cookies), before.organization_id), cookies };
}

/**
 * Returns the caller of a session. The database is read on each request, so that a disabled or
 * removed member is refused from the next request on. If `isUse` is true, the request counts as a
 * use of the session and extends it.
 * @throws AppError `unauthorized`; `forbidden` if the user is not an active member of any
 * organization
 */
export async function authenticateSession(
  deps: SessionDeps,
  cookie: string | undefined,
  origin: Source,
  { isUse }: { isUse: boolean },
): Promise<Caller> {
  const { user, session } = await find(deps, cookie, { isUse });
  const caller = await memberIn(deps.db, user.id, session, origin);
  if (caller) return caller;
  await refuseWhereSignOnRequired(deps.db, user.id, session.signOnOrganizationId ?? null);
  throw new AppError("forbidden", undefined, { message: "No organization is chosen in this session: choose one." });
}

/** Ends the sessions that the provider of an organization has opened. */
export const endSignOnSessions = users.deleteSignOnSessions;

/** Ends the access of a user's sessions to an organization. */
export const endAccessToOrganization = users.endAccess;

/**
 * Deletes sessions that have ended, links for the first sign-in that can no longer be used,
 * obsolete limits on guessing, and expired challenges.
 */
export async function deleteOldSessions(db: Db): Promise<void> {
  await users.deleteEndedSessions(db, { now: now(), since: oldestAlive() });
  await users.fillAddresses(db);
  await deleteUnusableLinks(db);
  await deleteOldAttempts(db);
  await deleteOldFailures(db);
  await deleteExpiredChallenges(db, now());
}

/**
 * Returns the id and address of the signed-in user. Returns undefined if nobody is signed in. Also
 * returns undefined if an organization's provider opened the session, because such a session is
 * valid for that organization only.
 */
export async function signedInUser(
  deps: SessionDeps,
  cookie: string | undefined,
): Promise<{ id: string; email: string } | undefined> {
  const found = await findAlive(deps, cookie);
  return found?.session.signOnOrganizationId ? undefined : found?.user;
}

/**
 * Returns the user of a session and the actor for the audit log. Used for changes to the user's own
 * account.
 * @throws AppError `unauthorized`; `forbidden` in a session opened by sign-on
 */
export async function getSignedIn(deps: SessionDeps, cookie: string | undefined, origin: Source): Promise<SignedIn> {
  const { user, session } = await find(deps, cookie);
  if (session.signOnOrganizationId) throw accountIsManaged();
  const actor = await userActor(deps.db, user.id, session, origin);
  return { user, sessionId: session.id, actor };
}

/**
 * Returns the error for a change to the account in a session opened by sign-on. The administrators
 * of an organization control its provider, and must not be able to change how a user signs in to
 * other organizations.
 */
const accountIsManaged = (): AppError =>
  new AppError("forbidden", undefined, {
    message: "You have signed in with the provider of your organization, which manages how you sign in.",
  });

async function find(deps: SessionDeps, cookie: string | undefined, use = { isUse: true }) {
  const found = await findAlive(deps, cookie, use);
  if (!found) throw new AppError("unauthorized", undefined, { message: "You are not signed in." });
  return found;
}

async function findAlive({ identity }: SessionDeps, cookie: string | undefined, { isUse } = { isUse: true }) {
  if (cookie === undefined) return undefined;
  const query = { disableRefresh: !isUse };
  const found = await (await identity()).getSession({ headers: requestHeaders(cookie), query });
  const oldest = found?.session.signOnOrganizationId ? oldestSignedOn() : oldestAlive();
  return found && found.session.createdAt.toISOString() > oldest ? found : undefined;
}

/**
 * Returns the current time minus the maximum lifetime of sessions. Sessions opened before that time
 * have ended.
 */
const oldestAlive = (): string => new Date(Date.now() - sessionLifetimeMs).toISOString();
const oldestSignedOn = (): string => new Date(Date.now() - signOnLifetimeMs).toISOString();

/**
 * Returns when a session expires if it is not used any more. This is never after its maximum
 * lifetime.
 */
const endOf = (idleEnd: Date, createdAt: Date, signOnOrganizationId: string | null): string => {
  const lifetimeMs = signOnOrganizationId === null ? sessionLifetimeMs : signOnLifetimeMs;
  return new Date(Math.min(idleEnd.getTime(), createdAt.getTime() + lifetimeMs)).toISOString();
};

/** Returns the user of a session as an audit actor, acting in the organization of that session. */
const actorOf = (db: Db, { user, organization_id, sign_on }: SessionJson, origin: Source) =>
  userActor(
    db,
    user.id,
    { activeOrganizationId: organization_id, signOnOrganizationId: sign_on ? organization_id : null },
    origin,
  );

const requestHeaders = (cookie: string | undefined): Headers => new Headers({ cookie: cookie ?? "" });

/** Returns the `Cookie` header that a browser would send for these cookies. */
const cookieOf = (cookies: readonly string[]): string => cookies.map((cookie) => cookie.split(";")[0]).join("; ");
