/**
 * Requests that may be sent again. A key is claimed before the work, and the reply stored in the transaction of the work: after a crash
 * either both are there, or neither is and the key is free.
 */
import { idempotencyKey } from "@sheaf/contract/idempotency.ts";
import type { OpenTransaction } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { DatabaseUnavailable } from "../../lib/database-unavailable.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import type { Db } from "../../records/records.ts";
import * as repo from "./idempotency.repo.ts";

export interface StoredReply {
  status: number;
  headers: Record<string, string | string[]>;
  /** An object where the reply is JSON, else text. */
  body: unknown;
}

export interface IdempotencyDeps {
  db: Db;
  /** Seal what is stored: a reply is content. */
  keys: Keys;
  /** Id of this process among those that are alive. */
  process: string;
}

type Sender = Pick<Caller, "organizationId" | "credentialId" | "userId">;

const keptMs = idempotencyKey.keptHours * 3_600_000;
/** Pause before a claim is released again if the database was away. */
const releaseAgainMs = 2_000;
/** `Retry-After` while the first request is under way: most take less. */
const retrySeconds = 1;

/** A request that has its key until it has stored a reply or releases it. */
export class KeyClaim {
  readonly #deps: IdempotencyDeps;
  readonly #place: string;
  readonly #claim: string;
  /** Whether a reply was stored, in a transaction that may still be rolled back. */
  hasReply = false;

  constructor(deps: IdempotencyDeps, name: repo.KeyName, claim: string) {
    this.#deps = deps;
    this.#place = placeOf(name);
    this.#claim = claim;
  }

  /** Stores the reply. @throws AppError `conflict` where another request has the key by now: nothing may be committed then. */
  keep(transaction: OpenTransaction, reply: StoredReply): Promise<void> {
    return this.#store(transaction, {
      reply: seal(this.#deps.keys, this.#place, JSON.stringify(reply)),
      reference: null,
    });
  }

  /** In place of a reply that holds a secret. @throws AppError `conflict`. */
  keepReference(transaction: OpenTransaction, reference: string): Promise<void> {
    return this.#store(transaction, { reply: null, reference });
  }

  async #store(transaction: OpenTransaction, kept: { reply: string | null; reference: string | null }): Promise<void> {
    if (!transaction.isTransaction) throw new Error("A reply is stored in the transaction of its work.");
    if (!(await repo.updateReply(transaction as Db, this.#claim, kept))) throw new AppError("conflict");
    this.hasReply = true;
  }

  /** The work was not done: whoever comes next is the first again. A reply that was committed stays. */
  async release(): Promise<void> {
    try {
      await repo.deleteClaim(this.#deps.db, this.#claim);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) setTimeout(() => void this.release(), releaseAgainMs).unref();
    }
  }
}

/**
 * Claims the key for a request that `fingerprint` tells from any other, or returns the reply to the first request with it.
 * @throws AppError `invalid_request` where the key is no key, or is that of another request; `conflict` where the first is under way, and
 * with `detail.reference` where its reply held a secret.
 */
export async function beginRequest(
  deps: IdempotencyDeps,
  caller: Sender,
  key: string,
  fingerprint: string,
): Promise<KeyClaim | StoredReply> {
  if (!idempotencyKey.pattern.test(key)) throw refusal("must be 1 to 255 visible ASCII characters");
  const { db, keys, process } = deps;
  const name = nameOf(caller, key);
  for (;;) {
    const id = newId();
    const claim = new KeyClaim(deps, name, id);
    try {
      if (await repo.insertClaim(db, { ...name, fingerprint, claim: id, process, created_at: now() })) return claim;
    } catch (error) {
      // It may have been inserted all the same.
      await claim.release();
      throw error;
    }
    const found = await repo.findKey(db, name);
    // It may have been released meanwhile.
    if (found === undefined) continue;
    const isOpen = found.reply === null && found.reference === null;
    const isOld = Date.now() - Date.parse(found.created_at) > keptMs;
    if (isOpen && found.live_process === null) await repo.deleteClaim(db, found.claim);
    else if (!isOpen && isOld) await repo.deleteKey(db, found.claim);
    else if (found.fingerprint !== fingerprint) throw refusal("was used for another request");
    else if (found.reply !== null) return JSON.parse(unseal(keys, placeOf(name), found.reply)) as StoredReply;
    else if (found.reference !== null) throw secretShown(found.reference);
    else throw new AppError("conflict", undefined, { retryAfterSeconds: retrySeconds });
  }
}

/** Returns whether the first request with this key has stored its reply, so that a retry needs no quota. */
export async function isAnswered({ db }: Pick<IdempotencyDeps, "db">, caller: Sender, key: string): Promise<boolean> {
  const found = await repo.findKey(db, nameOf(caller, key));
  return found !== undefined && (found.reply !== null || found.reference !== null);
}

/** Others of the organization may use the same key, and never get this one's reply. */
const nameOf = ({ organizationId, credentialId, userId }: Sender, key: string): repo.KeyName => ({
  organization_id: organizationId,
  sender: credentialId === null ? `user ${userId}` : `credential ${credentialId}`,
  key,
});

const placeOf = ({ organization_id, sender, key }: repo.KeyName): string =>
  `idempotency/${organization_id}/${sender}/${key}`;

const refusal = (message: string) =>
  new AppError("invalid_request", { issues: [{ path: "", message: `the header Idempotency-Key ${message}` }] });

const secretShown = (reference: string) =>
  new AppError("conflict", { reference }, { message: "This request was done; its answer held a secret, shown once." });

/** Forgets what is old. */
export const tidyIdempotency = (db: Db): Promise<void> =>
  repo.deleteBefore(db, new Date(Date.now() - keptMs).toISOString());
