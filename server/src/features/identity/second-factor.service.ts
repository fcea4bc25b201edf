/**
 * The second factor of users: codes of an authenticator app, and recovery codes for users who have
 * lost the app. Decision 0058 explains the details.
 */
import type { RecoveryCodesJson, TotpSetupJson } from "@sheaf/contract/sessions.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Keys } from "../../lib/keys.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { type Source, userActor } from "./acting-user.ts";
import { admitCode } from "./guessing.service.ts";
import { deleteOtherSessions, findFirstOrganization } from "./identity.repo.ts";
import { deletePasskeys } from "./passkeys.repo.ts";
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import * as factors from "./second-factor.repo.ts";
import { checkPassword, getUser, type PasswordMatch, recordRefusal } from "./users.service.ts";

export interface SecondFactorDeps {
  db: Db;
  keys: Keys;
}

/** The user of a session, who changes their own second factor. */
export interface SignedIn {
  user: { id: string; email: string };
  sessionId: string;
  actor: Caller | { operator: string };
}

/** Time within which a new secret must be confirmed, in milliseconds. */
const pendingMs = 15 * 60_000;

/**
 * Loads the TOTP module on the first request that needs it, because few users have a second factor.
 */
const loadTotp = () => import("./totp.ts");

/**
 * Creates a secret, which the user must confirm with a code.
 * @throws AppError `unauthorized` if the password is wrong; `rate_limited`; `conflict` if a second
 * factor is already turned on
 */
export async function startTotp(
  { db, keys }: SecondFactorDeps,
  { user, actor }: SignedIn,
  password: string,
  source: Source,
): Promise<TotpSetupJson> {
  await checkPassword(db, user, password, source);
  const { newTotpSecret, totpSetupOf } = await loadTotp();
  const secret = newTotpSecret();
  const sealed = seal(keys, placeOf(user.id), secret);
  await db.transaction().execute(async (transaction) => {
    if (!(await factors.putPendingSecret(transaction, { userId: user.id, secret: sealed, now: now() })))
      throw conflict("A second factor is on. Turn it off first.");
    await recordAudit(transaction, actor, { action: "second_factor.started", target: user.id });
  });
  return totpSetupOf(secret, user.email);
}

/**
 * Turns the second factor on and ends the other sessions of the user.
 * @throws AppError `second_factor_required` if the code is wrong; `rate_limited`; `conflict` if
 * there is no secret to confirm
 */
export async function confirmTotp(
  { db, keys }: SecondFactorDeps,
  { user, sessionId, actor }: SignedIn,
  code: string,
  source: Source,
): Promise<RecoveryCodesJson> {
  const since = new Date(Date.now() - pendingMs).toISOString();
  const pending = await factors.findPendingSecret(db, user.id, since);
  if (!pending) throw conflict(nothingPending);
  const attempt = await admitCode(db, user.id, source.address);
  const step = await stepOf(keys, pending, code);
  if (step === undefined) throw await refused(db, user.id, source);
  await attempt.refund();
  const codes = newRecoveryCodes();
  const hashes = codes.map((each) => hashOfRecoveryCode(keys, user.id, each));
  await db.transaction().execute(async (transaction) => {
    if (!(await factors.confirmSecret(transaction, pending, { step, now: now() }))) throw conflict(nothingPending);
    await factors.insertRecoveryCodes(transaction, user.id, hashes);
    await deleteOtherSessions(transaction, user.id, sessionId);
    await recordAudit(transaction, actor, { action: "second_factor.enabled", target: user.id });
  });
  return { recovery_codes: codes };
}

/**
 * Turns the second factor off. The user must enter either the password or a code.
 * @throws AppError `invalid_request` if neither or both are given; `unauthorized` for a wrong
 * password; `second_factor_required` for a wrong code; `rate_limited`; `conflict` if the second
 * factor is not on
 */
export async function turnOff(
  deps: SecondFactorDeps,
  { user, actor }: SignedIn,
  { password, code }: { password?: string; code?: string },
  source: Source,
): Promise<void> {
  if ((password === undefined) === (code === undefined))
    throw new AppError("invalid_request", {
      issues: [{ path: "", message: "must have either password or code, not both" }],
    });
  const { db } = deps;
  const factor = await factors.findSecondFactor(db, user.id);
  if (!factor) throw conflict(nothingOn);
  if (password !== undefined) await checkPassword(db, user, password, source);
  if (code !== undefined) await useCode(deps, factor, code, actor, source);
  await remove(db, user.id, actor);
}

/**
 * Turns the second factor of a user off and deletes their passkeys, on behalf of the operator.
 * @param key email address or id
 * @throws Error if there is no such user, if there are several, or if the user has neither a second
 * factor nor passkeys
 */
export async function resetSecondFactor(db: Db, key: string): Promise<void> {
  const { id: target } = await getUser(db, key);
  const operator = { operator: "cli" };
  await db.transaction().execute(async (transaction) => {
    const hadApp = await factors.deleteSecondFactor(transaction, target);
    const count = await deletePasskeys(transaction, target);
    if (!hadApp && count === 0) throw new Error(`${key} has neither a second factor nor passkeys.`);
    if (hadApp) await recordAudit(transaction, operator, { action: "second_factor.disabled", target });
    if (count > 0) await recordAudit(transaction, operator, { action: "passkey.deleted", target, detail: { count } });
  });
}

export const hasSecondFactor = async (db: Db, userId: string): Promise<boolean> =>
  (await factors.findSecondFactor(db, userId)) !== undefined;

/**
 * Completes a sign-in after the password was found to be correct. Checks the code if the user has a
 * second factor. Returns context for the audit entry of the session.
 * @throws AppError `second_factor_required` if the code is missing or wrong; `rate_limited`
 */
export async function completeSignIn(
  deps: SecondFactorDeps,
  { userId, attempt }: PasswordMatch,
  code: string | undefined,
  source: Source,
): Promise<Record<string, string>> {
  const { db } = deps;
  const factor = await factors.findSecondFactor(db, userId);
  if (!factor) {
    await attempt.succeeded();
    return {};
  }
  if (code === undefined) {
    await attempt.refund();
    throw new AppError("second_factor_required");
  }
  // A wrong code also counts as a wrong password, because the charge for the password is not
  // refunded.
  const actor = await userActor(db, userId, { activeOrganizationId: await findFirstOrganization(db, userId) }, source);
  const used = await useCode(deps, factor, code, actor, source);
  await attempt.succeeded();
  return { second_factor: used };
}

/** @throws AppError `second_factor_required` if the code is wrong or used; `rate_limited` */
async function useCode(
  deps: SecondFactorDeps,
  factor: factors.SecondFactorRow,
  code: string,
  actor: AuditActor,
  source: Source,
): Promise<"totp" | "recovery code"> {
  const { db, keys } = deps;
  const attempt = await admitCode(db, factor.user_id, source.address);
  const isDigits = digitsOf(code) !== undefined;
  const isUsed = isDigits ? await useDigits(db, keys, factor, code) : await useRecoveryCode(deps, factor, code, actor);
  if (!isUsed) throw await refused(db, factor.user_id, source);
  await attempt.refund();
  return isDigits ? "totp" : "recovery code";
}

async function useDigits(db: Db, keys: Keys, factor: factors.SecondFactorRow, code: string): Promise<boolean> {
  const step = await stepOf(keys, factor, code);
  return step !== undefined && factors.useStep(db, factor, step);
}

const useRecoveryCode = (
  { db, keys }: SecondFactorDeps,
  { user_id }: factors.SecondFactorRow,
  code: string,
  actor: AuditActor,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    if (!(await factors.deleteRecoveryCode(transaction, user_id, hashOfRecoveryCode(keys, user_id, code))))
      return false;
    const detail = { left: await factors.countRecoveryCodes(transaction, user_id) };
    await recordAudit(transaction, actor, { action: "recovery_code.used", target: user_id, detail });
    return true;
  });

async function stepOf(keys: Keys, factor: factors.SecondFactorRow, code: string): Promise<number | undefined> {
  const digits = digitsOf(code);
  if (digits === undefined) return undefined;
  const { stepOfCode } = await loadTotp();
  const secret = unseal(keys, placeOf(factor.user_id), factor.secret);
  return stepOfCode(secret, digits, { lastStep: factor.last_step, nowMs: Date.now() });
}

/**
 * Returns the six digits of a code. Ignores spaces and hyphens, because apps show codes in groups
 * of digits. Returns undefined for other text.
 */
const digitsOf = (code: string): string | undefined => /^\d{6}$/.exec(code.replace(/[\s-]/g, ""))?.[0];

async function remove(db: Db, userId: string, actor: AuditActor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await factors.deleteSecondFactor(transaction, userId))) throw conflict(nothingOn);
    await recordAudit(transaction, actor, { action: "second_factor.disabled", target: userId });
  });
}

/** Records a wrong code and returns the error for it. */
async function refused(db: Db, userId: string, source: Source): Promise<AppError> {
  await recordRefusal(db, [{ user_id: userId }], source, { reason: "second factor" });
  return new AppError("second_factor_required", undefined, { message: "The code is wrong or has been used already." });
}

const nothingPending = "There is no new secret to confirm. Start again.";
const nothingOn = "There is no second factor to turn off.";

const conflict = (message: string): AppError => new AppError("conflict", undefined, { message });

/**
 * Returns the additional authenticated data of the encryption, which binds the secret to its user.
 */
const placeOf = (userId: string): string => `second factor ${userId}`;
