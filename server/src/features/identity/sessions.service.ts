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
import { deleteUnusableLinks } from "./first-sign-in.service.ts";
import { deleteOldAttempts } from "./guessing.service.ts";
import * as users from "./identity.repo.ts";
import { type IdentitySource, sessionLifetimeMs } from "./identity.ts";
import { deleteExpiredChallenges } from "./passkeys.repo.ts";
import { refuseWeakPassword } from "./password-policy.ts";
import { completeSignIn, hasSecondFactor, type SecondFactorDeps, type SignedIn } from "./second-factor.service.ts";
import { checkPassword, checkSignIn, replacePassword } from "./users.service.ts";

export interface SessionDeps {
  db: Db;
  identity: IdentitySource;
}

/** Maximum stored characters of the User-Agent header. */
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
 */
export async function openSession(
  deps: SessionDeps,
  userId: string,
  origin: Origin,
  detail: Record<string, string> = {},
): Promise<OpenedSession> {
  const identity = await deps.identity();
  const body = {
    userId,
    ipAddress: origin.address,
    userAgent: [...(origin.userAgent ?? "")].slice(0, maxUserAgentLength).join(""),
  };
  const { headers } = await identity.openSession({ body, returnHeaders: true });
  const cookies = headers.getSetCookie();
  const session = await getSession(deps, cookieOf(cookies));
  const before = await findAlive(deps, origin.cookie);
  if (before) await users.deleteSession(deps.db, before.user.id, before.session.id);
  await recordAudit(deps.db, await actorOf(deps.db, session, origin), {
    action: "session.created",
    target: session.user.id,
    detail,
  });
  return { session, cookies };
}

/** @throws AppError `unauthorized` if there is no session, or it has ended */
export async function getSession(deps: SessionDeps, cookie: string | undefined): Promise<SessionJson> {
  const { user, session } = await find(deps, cookie);
  const organizations = (await users.listMemberships(deps.db, user.id)).map(({ organization_id, name, role }) => ({
    organization_id,
    name,
    role,
  }));
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
    expires_at: endOf(session.expiresAt, session.createdAt),
  };
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
  const memberships = await users.listMemberships(deps.db, user.id);
  if (!memberships.some(({ organization_id }) => organization_id === organizationId))
    throw new AppError("organization_not_found");
  await users.setActiveOrganization(deps.db, session.id, organizationId);
  return getSession(deps, cookie);
}

/**
 * Ends the session. Returns the cookies that remove it from the browser.
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
  const rows = await users.listSessions(deps.db, user.id, { now: now(), since: oldestAlive() });
  return rows.map((row) => ({
    id: row.id,
    created_at: row.created_at,
    last_used_at: row.updated_at,
    expires_at: endOf(new Date(row.expires_at), new Date(row.created_at)),
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
  const session = await getSession(deps, cookie);
  if (!isId(id) || !(await users.deleteSession(deps.db, session.user.id, id))) throw new AppError("not_found");
  await recordAudit(deps.db, await actorOf(deps.db, session, origin), {
    action: "session.ended",
    target: session.user.id,
    detail: { session: id },
  });
}

/**
 * Changes the password, ends every session of the user and opens a new one. The current password is
 * required if the user has one.
 * @throws AppError `unauthorized`, also for a wrong current password; `rate_limited`;
 * `invalid_request` for a weak new password or a missing current one
 */
export async function changePassword(
  deps: SessionDeps,
  cookie: string | undefined,
  input: { current: string | undefined; wanted: string },
  origin: Origin,
): Promise<OpenedSession> {
  const before = await getSession(deps, cookie);
  const { user } = before;
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
 * removed member is refused from the next request on. The session is extended if the request is a
 * use of it.
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
  const caller = await memberIn(deps.db, user.id, session.activeOrganizationId, origin);
  if (!caller)
    throw new AppError("forbidden", undefined, { message: "No organization is chosen in this session: choose one." });
  return caller;
}

/** Deletes sessions that have ended, links that cannot be used, and obsolete guessing limits. */
export async function deleteOldSessions(db: Db): Promise<void> {
  await users.deleteEndedSessions(db, { now: now(), since: oldestAlive() });
  await users.fillAddresses(db);
  await deleteUnusableLinks(db);
  await deleteOldAttempts(db);
  await deleteExpiredChallenges(db, now());
}

/** Returns the id and address of the signed-in user; undefined if there is none. */
export async function signedInUser(
  deps: SessionDeps,
  cookie: string | undefined,
): Promise<{ id: string; email: string } | undefined> {
  return (await findAlive(deps, cookie))?.user;
}

/**
 * Returns the user of a session, and the actor for the audit log, for changes of the user's own
 * account.
 * @throws AppError `unauthorized`
 */
export async function getSignedIn(deps: SessionDeps, cookie: string | undefined, origin: Source): Promise<SignedIn> {
  const { user, session } = await find(deps, cookie);
  const actor = await userActor(deps.db, user.id, session.activeOrganizationId, origin);
  return { user, sessionId: session.id, actor };
}

async function find(deps: SessionDeps, cookie: string | undefined, use = { isUse: true }) {
  const found = await findAlive(deps, cookie, use);
  if (!found) throw new AppError("unauthorized", undefined, { message: "You are not signed in." });
  return found;
}

async function findAlive({ identity }: SessionDeps, cookie: string | undefined, { isUse } = { isUse: true }) {
  if (cookie === undefined) return undefined;
  const query = { disableRefresh: !isUse };
  const found = await (await identity()).getSession({ headers: requestHeaders(cookie), query });
  return found && found.session.createdAt.toISOString() > oldestAlive() ? found : undefined;
}

/** Sessions opened before this time have reached their maximum lifetime. */
const oldestAlive = (): string => new Date(Date.now() - sessionLifetimeMs).toISOString();

/**
 * Returns when a session expires if it is not used any more. This is never after its maximum
 * lifetime.
 */
const endOf = (idleEnd: Date, createdAt: Date): string =>
  new Date(Math.min(idleEnd.getTime(), createdAt.getTime() + sessionLifetimeMs)).toISOString();

/** The actor of a sign-in is the user in the organization of the new session. */
const actorOf = (db: Db, { user, organization_id }: SessionJson, origin: Source) =>
  userActor(db, user.id, organization_id, origin);

const requestHeaders = (cookie: string | undefined): Headers => new Headers({ cookie: cookie ?? "" });

/** Returns the Cookie header that a browser would send for these cookies. */
const cookieOf = (cookies: readonly string[]): string => cookies.map((cookie) => cookie.split(";")[0]).join("; ");
