/**
 * Idempotency keys. A key is claimed before the work of a request begins, and the reply is stored
 * in the same transaction as the work. After a crash, therefore, either both the work and its reply
 * exist, or neither exists and the key is free.
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
  /** An object if the reply is JSON, otherwise text. */
  body: unknown;
}

export interface IdempotencyDeps {
  db: Db;
  /** Keys that encrypt the stored replies, which contain user data. */
  keys: Keys;
  /** Id of this process in the list of live processes. */
  process: string;
}

type Sender = Pick<Caller, "organizationId" | "credentialId" | "userId">;

const keptMs = idempotencyKey.keptHours * 3_600_000;
/** Pause between attempts to release a claim while the database is unavailable. */
const releaseAgainMs = 2_000;
/**
 * Value of the `Retry-After` header, in seconds, if the first request with the same key is still
 * running. Most requests take less time.
 */
const retrySeconds = 1;

/**
 * A request's claim on its key. The claim ends when the request stores a reply or releases the key.
 */
export class KeyClaim {
  readonly #deps: IdempotencyDeps;
  readonly #place: string;
  readonly #claim: string;
  /** True once a reply has been stored. The transaction that stored it may still be rolled back. */
  hasReply = false;

  constructor(deps: IdempotencyDeps, name: repo.KeyName, claim: string) {
    this.#deps = deps;
    this.#place = placeOf(name);
    this.#claim = claim;
  }

  /**
   * Stores the reply.
   * @throws AppError `conflict` if another request has claimed the key in the meantime; the
   * transaction must then be rolled back
   */
  keep(transaction: OpenTransaction, reply: StoredReply): Promise<void> {
    return this.#store(transaction, {
      reply: seal(this.#deps.keys, this.#place, JSON.stringify(reply)),
      reference: null,
    });
  }

  /**
   * Stores a reference instead of the reply, because the reply contains a secret.
   * @throws AppError `conflict`: see `keep`
   */
  keepReference(transaction: OpenTransaction, reference: string): Promise<void> {
    return this.#store(transaction, { reply: null, reference });
  }

  async #store(transaction: OpenTransaction, kept: { reply: string | null; reference: string | null }): Promise<void> {
    if (!transaction.isTransaction) throw new Error("A reply must be stored in the transaction that does the work.");
    if (!(await repo.updateReply(transaction as Db, this.#claim, kept))) throw new AppError("conflict");
    this.hasReply = true;
  }

  /** Frees the key because the work was not done. Has no effect on a committed reply. */
  async release(): Promise<void> {
    try {
      await repo.deleteClaim(this.#deps.db, this.#claim);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) setTimeout(() => void this.release(), releaseAgainMs).unref();
    }
  }
}

/**
 * Claims the key for a request, or returns the stored reply of the first request with that key.
 * @param fingerprint identifies the request
 * @throws AppError `invalid_request` if the key is malformed or was used for a different request;
 * `conflict` if the first request is still running; `conflict` with `detail.reference` if the reply
 * to the first request contained a secret
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
      // Released, because the insert may have been committed although it reported an error.
      await claim.release();
      throw error;
    }
    const found = await repo.findKey(db, name);
    // The claim that made the insert fail has been released since, so the insert is retried.
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

/**
 * Returns whether the first request with this key has stored its reply. If it has, a retry only
 * returns that reply, so the retry is accepted even if the quota is full.
 */
export async function isAnswered({ db }: Pick<IdempotencyDeps, "db">, caller: Sender, key: string): Promise<boolean> {
  const found = await repo.findKey(db, nameOf(caller, key));
  return found !== undefined && (found.reply !== null || found.reference !== null);
}

/**
 * Returns the columns that identify a key. They include the sender, so that another sender of the
 * organization may use the same key without getting this reply.
 */
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
  new AppError(
    "conflict",
    { reference },
    { message: "This request was completed; its response contained a secret, which is shown only once." },
  );

/** Deletes expired keys. */
export const deleteOldRequestKeys = (db: Db): Promise<void> =>
  repo.deleteBefore(db, new Date(Date.now() - keptMs).toISOString());
