/** SQL queries for API credentials. */
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { MemberRole, MemberStatus } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface CredentialOwnerRow {
  secret_hash: string;
  last_used_at: string | null;
  revoked_at: string | null;
  expires_at: string | null;
  member_id: string;
  user_id: string;
  role: MemberRole;
  status: MemberStatus;
  organization_id: string;
  api_enabled: boolean | 0 | 1;
}

/**
 * Returns the credential with everything that determines whether it may be used. This query runs on
 * every API request.
 */
export const findCredentialOwner = (db: Db, credentialId: string): Promise<CredentialOwnerRow | undefined> =>
  db
    .selectFrom("credentials as c")
    .innerJoin("members as m", "m.id", "c.member_id")
    .innerJoin("organizations as o", "o.id", "c.organization_id")
    .select([
      "c.secret_hash",
      "c.last_used_at",
      "c.revoked_at",
      "c.expires_at",
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
  member_id: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  expires_at: string | null;
}

/** Selects the credentials of an organization, or of one of its members. */
export interface Owner {
  organizationId: string;
  memberId?: string;
}

export const listCredentials = (db: Db, owner: Owner, page: PageRequest = {}): Promise<CredentialRow[]> =>
  inPages(credentialsOf(db, owner), ["created_at", "id"], page).execute();

export const findCredential = (db: Db, owner: Owner, id: string): Promise<CredentialRow | undefined> =>
  credentialsOf(db, owner).where("id", "=", id).executeTakeFirst();

function credentialsOf(db: Db, { organizationId, memberId }: Owner) {
  const ofAll = db.selectFrom("credentials").select(columns).where("organization_id", "=", organizationId);
  return memberId === undefined ? ofAll : ofAll.where("member_id", "=", memberId);
}

const columns = ["id", "name", "member_id", "created_at", "last_used_at", "revoked_at", "expires_at"] as const;

export const getCredential = (db: Db, id: string): Promise<CredentialRow> =>
  db.selectFrom("credentials").select(columns).where("id", "=", id).executeTakeFirstOrThrow();

export async function updateLastUse(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable("credentials").set({ last_used_at: now }).where("id", "=", id).execute();
}

export interface NewCredentialRow {
  id: string;
  organizationId: string;
  memberId: string;
  name: string;
  secretHash: string;
  expiresAt: string | null;
  now: string;
}

export async function insertCredential(db: Db, credential: NewCredentialRow): Promise<void> {
  await db
    .insertInto("credentials")
    .values({
      id: credential.id,
      organization_id: credential.organizationId,
      member_id: credential.memberId,
      name: credential.name,
      secret_hash: credential.secretHash,
      created_at: credential.now,
      expires_at: credential.expiresAt,
    })
    .execute();
}

/** Revokes a credential. Returns undefined if it does not exist or is already revoked. */
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
