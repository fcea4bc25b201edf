/** Requests that may be sent again: the first answer of a key is kept for a day and given to whoever sends the same request with it. */
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Keys } from "../../lib/keys.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import type { Db } from "../../records/records.ts";
import * as repo from "./idempotency.repo.ts";

export interface KeptAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  /** An object where the answer is JSON, else text. */
  body: unknown;
}

/** A request whose key is this process's until its end is told. */
export interface FirstRequest {
  keep(answer: KeptAnswer): Promise<void>;
  /** There is no answer worth keeping: whoever comes next is the first again. */
  release(): Promise<void>;
}

export interface IdempotencyDeps {
  db: Db;
  /** Seal what is kept: an answer may be a new secret. */
  keys: Keys;
  /** A request that has not ended after this time is taken for one whose process has died. */
  abandonedMs: number;
}

const keptMs = idempotencyKey.keptHours * 3_600_000;

/**
 * Takes the key for a request that `fingerprint` tells from any other, or answers what the first request with it was answered.
 * @throws AppError `invalid_request` where the key is no key, or is that of another request; `conflict` where the first is under way.
 */
export async function beginRequest(
  { db, keys, abandonedMs }: IdempotencyDeps,
  { organizationId }: Pick<Caller, "organizationId">,
  key: string,
  fingerprint: string,
): Promise<FirstRequest | KeptAnswer> {
  if (!idempotencyKey.pattern.test(key)) throw refusal("must be 1 to 255 visible ASCII characters");
  const row = { organization_id: organizationId, key, fingerprint };
  const place = `idempotency/${organizationId}/${key}`;
  for (;;) {
    const mine = { ...row, created_at: now() };
    if (await repo.insertKey(db, mine))
      return {
        keep: (answer) => repo.updateAnswer(db, row, seal(keys, place, JSON.stringify(answer))),
        release: () => repo.deleteKey(db, mine),
      };
    const found = await repo.findKey(db, row);
    // It may have been released meanwhile.
    if (found === undefined) continue;
    const age = Date.now() - Date.parse(found.created_at);
    if (age > (found.answer === null ? abandonedMs : keptMs)) await repo.deleteKey(db, found);
    else if (found.fingerprint !== fingerprint) throw refusal("was used for another request");
    else if (found.answer === null) throw new AppError("conflict");
    else return JSON.parse(unseal(keys, place, found.answer)) as KeptAnswer;
  }
}

const refusal = (message: string) =>
  new AppError("invalid_request", { issues: [{ path: "", message: `the header Idempotency-Key ${message}` }] });

/** Forgets what is old; where no other process serves, also the keys of requests that an earlier process did not end. */
export async function tidyIdempotency(db: Db, { alone }: { alone: boolean }): Promise<void> {
  await repo.deleteBefore(db, new Date(Date.now() - keptMs).toISOString());
  if (alone) await repo.deleteUnanswered(db, new Date(Date.now() - performance.now()).toISOString());
}
