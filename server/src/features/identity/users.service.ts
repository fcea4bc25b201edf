/**
 * Users and their passwords. Several users may have the same email address, each with a different
 * password: see decision 0034.
 */
import { setTimeout } from "node:timers/promises";
import { limits } from "@sheaf/contract/limits.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import type { Source } from "./acting-user.ts";
import { deleteUnusableLinks } from "./first-sign-in.service.ts";
import { admitAttempts, type CountedAttempt } from "./guessing.service.ts";
import * as users from "./identity.repo.ts";
import { hashPassword, verifyPassword } from "./identity.ts";
import { refuseWeakPassword, weaknessOf } from "./password-policy.ts";

/**
 * Returns an email address in lower case.
 * @throws AppError `invalid_request` if the text is not an email address
 */
export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (isAddress.test(email)) return email;
  throw new AppError("invalid_request", { issues: [{ path: "/email", message: "must be an email address" }] });
}

/**
 * Returns the address in lower case; undefined if it is not an email address. Refuses any non-ASCII
 * character first, because the lowercase form of some such characters is an ASCII letter.
 */
export function plainAddress(text: string): string | undefined {
  const address = /^\p{ASCII}*$/u.test(text) ? text.toLowerCase() : "";
  return isAddress.test(address) ? address : undefined;
}

const isAddress = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/**
 * Maximum number of users with the same address whose passwords are compared. Each comparison takes
 * 10 ms.
 */
const maxCandidates = 20;
/**
 * Minimum time until a refusal is sent, in milliseconds. It prevents the response time from
 * revealing how many passwords were compared.
 */
const refusalMs = 100;

/**
 * A user whose password is correct. The attempt counts as failed until the caller has checked the
 * second factor and called one of the methods of `attempt`.
 */
export interface PasswordMatch {
  userId: string;
  attempt: CountedAttempt;
}

/**
 * Returns the user with this address and password.
 * @throws AppError `unauthorized`; an unknown address and a wrong password cause the same error;
 * `rate_limited`
 */
export async function checkSignIn(db: Db, email: string, password: string, source: Source): Promise<PasswordMatch> {
  const refusal = setTimeout(refusalMs, undefined, { ref: false });
  const address = email.trim().toLowerCase();
  const candidates = await users.listPasswords(db, address, maxCandidates);
  const match = await findMatch(db, address, candidates, password, source);
  if (match !== undefined) return match;
  await recordRefusal(db, candidates, source);
  await refusal;
  throw new AppError("unauthorized", undefined, { message: "The email address or the password is wrong." });
}

/**
 * Returns the user with this address and password. Returns undefined if there is no such user, or
 * if no more attempts are allowed.
 */
export async function findByPassword(
  db: Db,
  address: string,
  password: string,
  source: Source,
): Promise<PasswordMatch | undefined> {
  const candidates = await users.listPasswords(db, address, maxCandidates);
  try {
    return await findMatch(db, address, candidates, password, source);
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return undefined;
    throw error;
  }
}

/** @throws AppError `unauthorized` if the password is wrong; `rate_limited` */
export async function checkPassword(
  db: Db,
  user: { id: string; email: string },
  password: string,
  source: Source,
): Promise<void> {
  const candidates = (await users.listPasswords(db, user.email, maxCandidates)).filter(
    ({ user_id }) => user_id === user.id,
  );
  const match = await findMatch(db, user.email, candidates, password, source);
  if (match !== undefined) return match.attempt.succeeded();
  await recordRefusal(db, candidates, source);
  throw new AppError("unauthorized", undefined, { message: "The current password is wrong." });
}

/**
 * Returns the user whose password matches. Computes at least one hash, so that a refusal takes as
 * long for an unknown address as for a known one.
 */
async function findMatch(
  db: Db,
  address: string,
  candidates: readonly users.PasswordRow[],
  password: string,
  source: Source,
): Promise<PasswordMatch | undefined> {
  const ids = candidates.map(({ user_id }) => user_id);
  const attempts = await admitAttempts(db, address, ids, source.address);
  if (candidates.length === 0) await hashPassword(password);
  for (const { user_id, password: stored } of candidates) {
    const attempt = attempts.get(user_id);
    if (attempt !== undefined && (await verifyPassword(stored, password))) return { userId: user_id, attempt };
  }
  return undefined;
}

/**
 * Records a refused password or code in the audit log of the user's organization. If several users
 * share the address, records it in the log of the installation instead, because one organization
 * must not learn of attempts meant for another. The guessing limit bounds the number of entries.
 */
export async function recordRefusal(
  db: Db,
  candidates: readonly Pick<users.PasswordRow, "user_id">[],
  source: Source,
  detail: Record<string, string> = {},
): Promise<void> {
  const [only, ...more] = candidates;
  if (only === undefined) return;
  const memberships = more.length === 0 ? await users.listMemberships(db, only.user_id) : [];
  const organizationId = memberships[0]?.organization_id;
  await recordAudit(
    db,
    { stranger: source },
    {
      ...(organizationId !== undefined && { organizationId }),
      action: "session.refused",
      target: only.user_id,
      detail,
    },
  );
}

/**
 * A user to be inserted. The password is already hashed, so that hashing does not prolong the
 * transaction.
 */
export interface NewUser {
  name: string;
  address: string;
  passwordHash: string;
}

/** @throws AppError `invalid_request` for a weak password */
export async function prepareUser(name: string, address: string, password: string): Promise<NewUser> {
  await refuseWeakPassword(password, { email: address, name }, "/password");
  return { name, address, passwordHash: await hashPassword(password) };
}

/**
 * Inserts a user for whom the operator does not vouch.
 * @param db a transaction
 */
export async function createUser(db: Db, { name, address, passwordHash }: NewUser): Promise<string> {
  const id = newId();
  await users.insertUser(db, { id, name, address, verified: false, now: now() });
  await users.putPassword(db, { id: newId(), userId: id, password: passwordHash, now: now() });
  return id;
}

/**
 * Inserts a user who has no password and signs in with the provider of an organization.
 * @param db a transaction
 */
export async function createUserOfProvider(db: Db, { name, address }: Omit<NewUser, "passwordHash">): Promise<string> {
  const id = newId();
  await users.insertUser(db, { id, name, address, verified: false, now: now() });
  return id;
}

export const { hasPassword, isManagedBy } = users;

/**
 * Changes name and address of a user whom only one organization manages: see `isManagedBy`.
 * @param db a transaction
 */
export const updateManagedUser = (db: Db, userId: string, user: { name: string; address: string }): Promise<void> =>
  users.updateManagedUser(db, userId, { ...user, now: now() });

/**
 * Removes control and formatting characters from a name that a provider sent, and shortens the
 * name. Returns undefined if no characters remain.
 */
export function shownName(name: string): string | undefined {
  const shown = [...name.replace(/[\p{Cc}\p{Cs}\p{Cf}]/gu, "").trim()].slice(0, limits.personNameMaxLength).join("");
  return shown || undefined;
}

/**
 * Returns the id of the user with an address that the operator has entered. Creates the user if
 * needed. Ignores users who were only invited by an organization, because the operator has not
 * vouched that the address is theirs.
 * @param db a transaction
 */
export async function vouchedUser(db: Db, address: string, name: string): Promise<string> {
  const known = await users.findVerifiedUser(db, address);
  if (known) return known.id;
  const id = newId();
  await users.insertUser(db, { id, name, address, verified: true, now: now() });
  return id;
}

/**
 * Sets the password of a user and ends all their sessions. The first password of an administrator
 * also invalidates the links for the first sign-in.
 */
export async function replacePassword(
  db: Db,
  userId: string,
  password: string,
  by: AuditActor,
  options: { verified?: boolean } = {},
): Promise<void> {
  const stored = await hashPassword(password);
  await db.transaction().execute(async (transaction) => {
    await users.putPassword(transaction, { id: newId(), userId, password: stored, now: now() });
    if (options.verified) await users.setVerified(transaction, userId, now());
    await users.deleteSessions(transaction, userId);
    await deleteUnusableLinks(transaction);
    await recordAudit(transaction, by, { action: "password.changed", target: userId });
  });
}

/**
 * Sets a password on behalf of the operator and ends all sessions of the user. The operator thereby
 * vouches for the user.
 * @param key email address or id
 * @throws Error if there is no such user, or there are several such users, or the password is weak
 */
export async function resetPassword(db: Db, key: string, password: string): Promise<void> {
  const user = await getUser(db, key);
  if (!isAddress.test(user.address))
    throw new Error(`${user.address} is not a valid email address: change it first with sheaf user email.`);
  const weakness = await weaknessOf(password, { email: user.address, name: user.name });
  if (weakness !== undefined) throw new Error(`The password ${weakness}.`);
  await replacePassword(db, user.id, password, { operator: "cli" }, { verified: true });
}

/**
 * Changes the address of a user. The operator thereby vouches for the user.
 * @throws Error if there is no such user, or there are several
 */
export async function changeEmail(db: Db, key: string, wanted: string): Promise<void> {
  const user = await getUser(db, key);
  const to = wanted.toLowerCase();
  if (!isAddress.test(to)) throw new Error(`${wanted} is not an email address.`);
  await db.transaction().execute(async (transaction) => {
    const other = await users.findVerifiedUser(transaction, to);
    if (other && other.id !== user.id) throw new Error(`Another user has the address ${to}.`);
    await users.updateAddress(transaction, user.id, to, now());
    const detail = { from: user.address, to };
    await recordAudit(transaction, { operator: "cli" }, { action: "user.email_changed", target: user.id, detail });
  });
}

/** @throws Error if there is no such user, or there are several */
export async function getUser(db: Db, key: string): Promise<users.UserRow> {
  const [user, ...more] = await users.listUsers(db, key.trim().toLowerCase());
  if (!user) throw new Error(`There is no user with the address ${key}.`);
  if (more.length === 0) return user;
  const lines = await Promise.all([user, ...more].map((each) => describe(db, each)));
  throw new Error(`Several users have the address ${key}: use the id of one of them.\n${lines.join("\n")}`);
}

async function describe(db: Db, { id, name }: users.UserRow): Promise<string> {
  const organizations = (await users.listMemberships(db, id)).map((membership) => membership.name);
  return `  ${id}  ${name}  ${organizations.join(", ") || "in no organization"}`;
}
