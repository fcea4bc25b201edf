/**
 * A one-time link that signs in the first administrator. It works only while no administrator of
 * the first organization has a password. Decision 0053 explains it.
 */
import { createHmac, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Keys } from "../../lib/keys.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as links from "./first-sign-in.repo.ts";

export interface FirstSignInDeps {
  db: Db;
  keys: Keys;
}

const validMs = 24 * 3_600_000;

/** Returns the path of the file to which the link is written if the service has no terminal. */
export const firstSignInFile = (dataDir: string): string => join(dataDir, "first-sign-in.txt");

/** Deletes the file that contains the link. Call it once the link is no longer valid. */
export const deleteFirstSignInFile = (dataDir: string): Promise<void> => rm(firstSignInFile(dataDir), { force: true });

/**
 * Replaces the link of this process with a new one and returns its token. Links of other processes
 * on the same database stay valid. If no link is needed, deletes the link of this process and
 * returns undefined.
 * @param options `worker`: name of this process, which stays the same when the process restarts;
 * `hasPage`: whether this process serves the page that the link opens
 */
export async function renewFirstSignInLink(
  { db, keys }: FirstSignInDeps,
  { worker, hasPage }: { worker: string; hasPage: boolean },
): Promise<string | undefined> {
  const token = `first_${randomBytes(32).toString("base64url")}`;
  const made = await db.transaction().execute(async (transaction) => {
    const first = await findFirstAdministrator(transaction);
    await deleteUnusableLinks(transaction);
    if (first === undefined || !hasPage) {
      await links.deleteLink(transaction, worker);
      return false;
    }
    const row = {
      worker,
      token_hash: hashOf(keys, token),
      created_at: now(),
      expires_at: new Date(Date.now() + validMs).toISOString(),
    };
    await links.putLink(transaction, row);
    const { organizationId, userId: target } = first;
    await recordAudit(
      transaction,
      { operator: "start" },
      { organizationId, action: "first_sign_in_link.created", target },
    );
    return true;
  });
  return made ? token : undefined;
}

/**
 * Uses a link, which invalidates all links. Returns the id of the user to sign in.
 * @throws AppError `unauthorized` if the link is wrong, used, replaced or expired, or no longer
 * needed
 */
export async function redeemFirstSignInLink({ db, keys }: FirstSignInDeps, token: string): Promise<string> {
  const hash = hashOf(keys, token);
  // First checks without a lock, so that strangers who guess tokens neither wait for writers nor
  // delay them.
  const userId = (await links.isLink(db, hash, now()))
    ? await db.transaction().execute((transaction) => redeem(transaction, hash))
    : undefined;
  if (userId !== undefined) return userId;
  throw new AppError("unauthorized", undefined, { message: "The link is wrong, used or expired." });
}

/**
 * Redeems a link under a lock, so that only one of several concurrent uses succeeds, even if they
 * use different links.
 */
async function redeem(transaction: Db, hash: string): Promise<string | undefined> {
  const organization = await links.findOldestOrganization(transaction);
  if (organization !== undefined) await links.lockOrganization(transaction, organization);
  if (!(await links.isLink(transaction, hash, now()))) return undefined;
  const first = await findFirstAdministrator(transaction);
  await links.deleteAllLinks(transaction);
  return first?.userId;
}

/** Deletes expired links, and all links once an administrator has a password. */
export async function deleteUnusableLinks(db: Db): Promise<void> {
  if (await isFirstSignInOpen(db)) await links.deleteExpiredLinks(db, now());
  else await links.deleteAllLinks(db);
}

/** Returns whether the first administrator still needs a link to sign in. */
export const isFirstSignInOpen = async (db: Db): Promise<boolean> => (await findFirstAdministrator(db)) !== undefined;

/**
 * Returns the oldest active administrator of the oldest organization. Returns undefined if any
 * administrator of that organization has a password, even a disabled administrator: the
 * installation has then been set up.
 */
async function findFirstAdministrator(db: Db): Promise<{ organizationId: string; userId: string } | undefined> {
  const organizationId = await links.findOldestOrganization(db);
  if (organizationId === undefined) return undefined;
  const administrators = await links.listAdministrators(db, organizationId);
  if (administrators.some(({ password }) => password !== null)) return undefined;
  const active = administrators.find(({ status }) => status === "active");
  return active && { organizationId, userId: active.user_id };
}

const hashOf = ({ credentialPepper }: Keys, token: string): string =>
  createHmac("sha256", credentialPepper).update(`first sign-in ${token}`).digest("hex");
