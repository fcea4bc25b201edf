/** SQL of API credentials. */
import type { Db } from "../../records/records.ts";
import type { MemberRole, MemberStatus } from "../../records/tables.ts";

export interface CredentialOwnerRow {
  secret_hash: string;
  revoked_at: string | null;
  member_id: string;
  user_id: string;
  role: MemberRole;
  status: MemberStatus;
  organization_id: string;
  api_enabled: boolean | 0 | 1;
}

/** The credential with everything that decides whether it may be used, read afresh for every request. */
export const findCredentialOwner = (db: Db, credentialId: string): Promise<CredentialOwnerRow | undefined> =>
  db
    .selectFrom("credentials as c")
    .innerJoin("members as m", "m.id", "c.member_id")
    .innerJoin("organizations as o", "o.id", "c.organization_id")
    .select([
      "c.secret_hash",
      "c.revoked_at",
      "c.member_id",
      "m.user_id",
      "m.role",
      "m.status",
      "c.organization_id",
      "o.api_enabled",
    ])
    .where("c.id", "=", credentialId)
    .executeTakeFirst();

export interface CredentialRow {
  id: string;
  name: string;
  created_at: string;
  revoked_at: string | null;
}

export const listCredentials = (db: Db, organizationId: string): Promise<CredentialRow[]> =>
  db
    .selectFrom("credentials")
    .select(["id", "name", "created_at", "revoked_at"])
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export async function insertCredential(
  db: Db,
  credential: { id: string; organizationId: string; memberId: string; name: string; secretHash: string; now: string },
): Promise<void> {
  await db
    .insertInto("credentials")
    .values({
      id: credential.id,
      organization_id: credential.organizationId,
      member_id: credential.memberId,
      name: credential.name,
      secret_hash: credential.secretHash,
      created_at: credential.now,
    })
    .execute();
}

/** Undefined where there is no such credential, or it is revoked already. */
export const revokeCredential = (
  db: Db,
  credentialId: string,
  now: string,
): Promise<{ organization_id: string; name: string } | undefined> =>
  db
    .updateTable("credentials")
    .set({ revoked_at: now })
    .where("id", "=", credentialId)
    .where("revoked_at", "is", null)
    .returning(["organization_id", "name"])
    .executeTakeFirst();
