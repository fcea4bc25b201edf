/** Rotation of the keys that sign access tokens. */
import type { Keys } from "../../lib/keys.ts";
import type { ListedTokenKey } from "../../lib/token-keys.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";

/**
 * Creates a new signing key and removes expired ones. If `revoke` is true, all tokens signed with
 * earlier keys become invalid.
 * @throws Error if the clock was set back since the last rotation
 */
export async function rotateSigningKey(
  { db, keys }: { db: Db; keys: Keys },
  options: { revoke: boolean },
  by: AuditActor,
): Promise<ListedTokenKey> {
  const made = await db.transaction().execute(async (transaction) => {
    const key = await keys.tokens.rotate(options);
    const action = options.revoke ? "signing_keys.revoked" : "signing_key.rotated";
    await recordAudit(transaction, by, { action, target: key.kid });
    return key;
  });
  await keys.tokens.removeDead();
  return made;
}
