/** Users and their passwords, where no session is at hand: an invitation is accepted, or the operator steps in. */

import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as users from "./identity.repo.ts";
import { hashPassword, verifyPassword } from "./identity.ts";

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
  await db.transaction().execute(async (transaction) => {
    await setPassword(transaction, user.id, password);
    await users.deleteSessions(transaction, user.id);
    await recordAudit(transaction, { operator: "cli" }, { action: "password.changed", target: user.id });
  });
}

/** @throws Error where there is no such user, or another has the new address. */
export async function changeEmail(db: Db, email: string, wanted: string): Promise<void> {
  const user = await getUser(db, email);
  await db.transaction().execute(async (transaction) => {
    if (await users.findUser(transaction, wanted)) throw new Error(`Another user has the address ${wanted}.`);
    await users.updateEmail(transaction, user.id, wanted, now());
    const detail = { from: user.email, to: wanted };
    await recordAudit(transaction, { operator: "cli" }, { action: "user.email_changed", target: user.id, detail });
  });
}

async function getUser(db: Db, email: string): Promise<users.UserRow> {
  const user = await users.findUser(db, email.trim().toLowerCase());
  if (!user) throw new Error(`There is no user with the address ${email}.`);
  return user;
}
