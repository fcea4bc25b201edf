/**
 * Limits how often passwords and codes can be tried per user, whatever the client address. Attempts
 * are counted in the database, so that all processes share the limits. Decision 0035 explains why
 * networks that a user has signed in from are counted separately.
 */
import { createHash } from "node:crypto";
import { AppError } from "../../lib/errors.ts";
import { networkOf } from "../../lib/ip-addresses.ts";
import type { Db } from "../../records/records.ts";
import * as guessing from "./guessing.repo.ts";

/**
 * Number of wrong passwords that are allowed in a burst. After that, one more is allowed every
 * `windowMs / quota` milliseconds. This allows at most 250 a day per user (decision 0035).
 */
const quota = 10;
const windowMs = 3_600_000;
const costMs = windowMs / quota;
/**
 * Limits wrong codes of a second factor: 10 in a burst, after that one every 144 minutes. A guess
 * succeeds with a probability of three in a million. An attacker who knows the password therefore
 * has a one percent chance of success within a year.
 */
const codes = { windowMs: 24 * 3_600_000, costMs: (24 * 3_600_000) / 10 };
/** How long a network counts as known after the user's last sign-in from there. */
const knownMs = 90 * 24 * 3_600_000;

/** An attempt that has been charged. It counts as failed unless one of these methods is called. */
export interface CountedAttempt {
  /**
   * Refunds the attempt and records the network as known, because the user has signed in from it.
   */
  succeeded(): Promise<void>;
  /** Refunds the attempt. */
  refund(): Promise<void>;
}

/**
 * Charges one failed attempt to each of the users, or to `email` if there are none. Returns the
 * attempts of the users who had quota left, by user id. Only the passwords of these users may be
 * compared.
 * @throws AppError `rate_limited` if no user had quota left, or if the address has no user and its
 * own quota is used up
 */
export async function admitAttempts(
  db: Db,
  email: string,
  userIds: readonly string[],
  address: string,
): Promise<Map<string, CountedAttempt>> {
  const nowMs = Date.now();
  const network = networkOf(address);
  const known = await guessing.listUsersKnownFrom(db, userIds, network, knownSince(nowMs));
  const subjects = userIds.length > 0 ? userIds : [unknownSubject(email)];
  const attempts = new Map<string, CountedAttempt>();
  const buckets = subjects.map((subject) => ({ subject, network: known.has(subject) ? network : "" }));
  for (const bucket of buckets)
    if (await guessing.consume(db, bucket, { nowMs, costMs, windowMs }))
      attempts.set(bucket.subject, {
        succeeded: () => succeed(db, bucket, network),
        refund: () => guessing.refund(db, bucket, costMs),
      });
  if (attempts.size > 0) return attempts;
  const fullAt = await Promise.all(buckets.map((bucket) => guessing.fullAt(db, bucket)));
  throw limited(Math.min(...fullAt) + costMs - windowMs - nowMs);
}

/**
 * Charges one wrong code to a user. As with passwords, each network that the user has signed in
 * from has its own quota.
 * @throws AppError `rate_limited`
 */
export async function admitCode(db: Db, userId: string, address: string): Promise<Pick<CountedAttempt, "refund">> {
  const nowMs = Date.now();
  const network = networkOf(address);
  const isKnown = (await guessing.listUsersKnownFrom(db, [userId], network, knownSince(nowMs))).has(userId);
  const bucket = { subject: `code ${userId}`, network: isKnown ? network : "" };
  if (await guessing.consume(db, bucket, { nowMs, ...codes }))
    return { refund: () => guessing.refund(db, bucket, codes.costMs) };
  throw limited((await guessing.fullAt(db, bucket)) + codes.costMs - codes.windowMs - nowMs);
}

const limited = (waitMs: number): AppError =>
  new AppError("rate_limited", undefined, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });

/** Deletes limits that no longer apply. */
export const deleteOldAttempts = (db: Db): Promise<void> => guessing.deleteFull(db, Date.now(), knownSince(Date.now()));

async function succeed(db: Db, bucket: guessing.Bucket, network: string): Promise<void> {
  await guessing.refund(db, bucket, costMs);
  await guessing.noteSuccess(db, { subject: bucket.subject, network }, new Date().toISOString());
}

const knownSince = (nowMs: number): string => new Date(nowMs - knownMs).toISOString();

/**
 * Returns the key under which attempts for an unknown address are counted. They are limited like
 * attempts for known addresses, so that the limit does not reveal who has an account.
 */
const unknownSubject = (email: string): string => `unknown ${createHash("sha256").update(email).digest("hex")}`;
