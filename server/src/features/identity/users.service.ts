/** Users and their passwords, where no session is at hand: an invitation is accepted, or the operator steps in. */

import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as users from "./identity.repo.ts";
import { hashPassword, verifyPassword } from "./identity.ts";

/** In lower case. @throws AppError `invalid_request` where nobody could sign in with that. */
export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (isAddress.test(email)) return email;
  throw new AppError("invalid_request", { issues: [{ path: "/email", message: "must be an email address" }] });
}

const isAddress = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** By their address, in lower case. */
export const findUser = users.findUser;

export async function setPassword(db: Db, userId: string, password: string): Promise<void> {
  await users.putPassword(db, { id: newId(), userId, password: await hashPassword(password), now: now() });
}

/**
 * @throws AppError `unauthorized` where the user's password is another, or they have none: whoever knows only the address of somebody
 * must not choose their password.
 */
export async function checkPassword(db: Db, userId: string, password: string): Promise<void> {
  const stored = await users.findPassword(db, userId);
  if (stored === undefined || !(await verifyPassword(stored, password)))
    throw new AppError("unauthorized", undefined, { message: "The password is not that of the user." });
}

/** The operator's way: ends every session of the user. @throws Error where there is no such user. */
export async function resetPassword(db: Db, email: string, password: string): Promise<void> {
  const user = await getUser(db, email);
  if (!isAddress.test(user.email))
    throw new Error(`Nobody can sign in with ${user.email}: change it first, with sheaf user email.`);
  await db.transaction().execute(async (transaction) => {
    await setPassword(transaction, user.id, password);
    await users.deleteSessions(transaction, user.id);
    await recordAudit(transaction, { operator: "cli" }, { action: "password.changed", target: user.id });
  });
}

/** @throws Error where there is no such user, or another has the new address. */
export async function changeEmail(db: Db, email: string, wanted: string): Promise<void> {
  const user = await getUser(db, email);
  if (!isAddress.test(wanted.toLowerCase())) throw new Error(`${wanted} is no email address.`);
  const to = wanted.toLowerCase();
  await db.transaction().execute(async (transaction) => {
    if (await users.findUser(transaction, to)) throw new Error(`Another user has the address ${to}.`);
    await users.updateEmail(transaction, user.id, to, now());
    const detail = { from: user.email, to };
    await recordAudit(transaction, { operator: "cli" }, { action: "user.email_changed", target: user.id, detail });
  });
}

async function getUser(db: Db, email: string): Promise<users.UserRow> {
  const user = await users.findUser(db, email.trim().toLowerCase());
  if (!user) throw new Error(`There is no user with the address ${email}.`);
  return user;
}
