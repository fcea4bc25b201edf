/** Sessions of the web application: who signed in, and which organization they work in. */
import type { SessionJson } from "@sheaf/contract/sessions.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as users from "./identity.repo.ts";
import type { IdentitySource } from "./identity.ts";

export interface SessionDeps {
  db: Db;
  identity: IdentitySource;
}

/** A session with the cookies that the browser is to keep of it. */
export interface OpenedSession {
  session: SessionJson;
  cookies: string[];
}

/** Where a request came from, and its id. */
type Origin = Pick<Caller, "address" | "requestId">;

/** @throws AppError `unauthorized`, the same for an unknown address and a wrong password. */
export async function signIn(
  deps: SessionDeps,
  input: { email: string; password: string },
  origin: Origin,
): Promise<OpenedSession> {
  const body = { email: input.email.trim().toLowerCase(), password: input.password };
  const identity = await deps.identity();
  const { headers } = await refusedAs(
    identity.signInEmail({ body, returnHeaders: true }),
    "The email address or the password is wrong.",
  );
  const cookies = headers.getSetCookie();
  const session = await getSession(deps, cookieOf(cookies));
  await recordAudit(deps.db, await actorOf(deps.db, session, origin), {
    action: "session.created",
    target: session.user.id,
  });
  return { session, cookies };
}

/** @throws AppError `unauthorized` where there is no session, or it has ended. */
export async function getSession(deps: SessionDeps, cookie: string | undefined): Promise<SessionJson> {
  const { user, session } = await find(deps, cookie);
  const organizations = (await users.listMemberships(deps.db, user.id)).map(({ organization_id, name, role }) => ({
    organization_id,
    name,
    role,
  }));
  const active = organizations.find(({ organization_id }) => organization_id === session.activeOrganizationId);
  return {
    user: { id: user.id, name: user.name, email: user.email },
    organization_id: active?.organization_id ?? null,
    organizations,
    expires_at: session.expiresAt.toISOString(),
  };
}

/** @throws AppError `unauthorized`; `organization_not_found` where the user is no active member of it. */
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

/** Ends the session; answers the cookies that take its own away. @throws AppError `unauthorized`. */
export async function signOut(deps: SessionDeps, cookie: string | undefined, origin: Origin): Promise<string[]> {
  const session = await getSession(deps, cookie);
  const identity = await deps.identity();
  const { headers } = await identity.signOut({ headers: requestHeaders(cookie), returnHeaders: true });
  await recordAudit(deps.db, await actorOf(deps.db, session, origin), {
    action: "session.ended",
    target: session.user.id,
  });
  return headers.getSetCookie();
}

/** Ends every other session of the user. @throws AppError `unauthorized`, also for a wrong current password. */
export async function changePassword(
  deps: SessionDeps,
  cookie: string | undefined,
  input: { current: string; wanted: string },
  origin: Origin,
): Promise<OpenedSession> {
  const before = await getSession(deps, cookie);
  const identity = await deps.identity();
  const { headers } = await refusedAs(
    identity.changePassword({
      body: { currentPassword: input.current, newPassword: input.wanted, revokeOtherSessions: true },
      headers: requestHeaders(cookie),
      returnHeaders: true,
    }),
    "The current password is wrong.",
  );
  const cookies = headers.getSetCookie();
  await recordAudit(deps.db, await actorOf(deps.db, before, origin), {
    action: "password.changed",
    target: before.user.id,
  });
  const session = await getSession(deps, cookieOf(cookies));
  if (before.organization_id === null) return { session, cookies };
  return { session: await chooseOrganization(deps, cookieOf(cookies), before.organization_id), cookies };
}

/**
 * The caller that a session stands for, confirmed by the records every time: a member who is disabled, or removed, is refused with the
 * next request. @throws AppError `unauthorized`; `forbidden` where the user is no active member of any organization.
 */
export async function authenticateSession(
  deps: SessionDeps,
  cookie: string | undefined,
  origin: Origin,
): Promise<Caller> {
  const { user, session } = await find(deps, cookie);
  const caller = await memberIn(deps.db, user.id, session.activeOrganizationId, origin);
  if (!caller) throw new AppError("forbidden", undefined, { message: "The session has no organization: choose one." });
  return caller;
}

/** Forgets sessions that have ended. */
export const tidySessions = (db: Db): Promise<void> => users.deleteExpiredSessions(db, now());

async function find({ identity }: SessionDeps, cookie: string | undefined) {
  const found = cookie === undefined ? null : await (await identity()).getSession({ headers: requestHeaders(cookie) });
  if (!found) throw new AppError("unauthorized", undefined, { message: "There is no session: sign in." });
  return found;
}

/** For the audit: a user who signs in acts in the organization that they then work in. */
const actorOf = async (
  db: Db,
  { user, organization_id }: SessionJson,
  origin: Origin,
): Promise<Caller | { operator: string }> =>
  (await memberIn(db, user.id, organization_id, origin)) ?? { operator: `user ${user.id}` };

/** The user as a caller; undefined where they are no active member of the organization. */
async function memberIn(
  db: Db,
  userId: string,
  organizationId: string | null | undefined,
  origin: Origin,
): Promise<Caller | undefined> {
  const memberships = await users.listMemberships(db, userId);
  const membership = memberships.find(({ organization_id }) => organization_id === organizationId);
  return (
    membership && {
      organizationId: membership.organization_id,
      memberId: membership.member_id,
      userId,
      role: membership.role,
      channel: "app",
      credentialId: null,
      ...origin,
    }
  );
}

const requestHeaders = (cookie: string | undefined): Headers => new Headers({ cookie: cookie ?? "" });

/** What a browser would send back of these cookies. */
const cookieOf = (cookies: readonly string[]): string => cookies.map((cookie) => cookie.split(";")[0]).join("; ");

/** Better Auth says so with an error of its own. */
const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === "APIError";

async function refusedAs<T>(work: Promise<T>, message: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isRefusal(error)) throw new AppError("unauthorized", undefined, { message, cause: error });
    throw error;
  }
}
