/** SQL queries for invitations. */
import type { PageRequest } from "../../lib/paging.ts";
import { inPages } from "../../records/in-pages.ts";
import type { MemberRole } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";

export interface InvitationRow {
  id: string;
  organization_id: string;
  email: string;
  role: MemberRole;
  created_at: string;
  expires_at: string;
}

/** Restricts a query to invitations that can be accepted at `now`. */
const open = (db: Db, now: string) =>
  db
    .selectFrom("invitations")
    .select(["id", "organization_id", "email", "role", "created_at", "expires_at"])
    .where("status", "=", "pending")
    .where("expires_at", ">", now);

export const listInvitations = (
  db: Db,
  organizationId: string,
  now: string,
  page: PageRequest,
): Promise<InvitationRow[]> =>
  inPages(open(db, now).where("organization_id", "=", organizationId), ["created_at", "id"], page).execute();

export const findInvitation = (db: Db, tokenHash: string, now: string): Promise<InvitationRow | undefined> =>
  open(db, now).where("token_hash", "=", tokenHash).executeTakeFirst();

export async function insertInvitation(
  db: Db,
  invitation: InvitationRow & { inviter_id: string | null; token_hash: string },
): Promise<void> {
  await db
    .insertInto("invitations")
    .values({ ...invitation, status: "pending" })
    .execute();
}

/** Cancels the open invitations with this id or email address. Returns their number. */
export async function cancelInvitations(
  db: Db,
  organizationId: string,
  by: { id: string } | { email: string },
): Promise<number> {
  const update = db
    .updateTable("invitations")
    .set({ status: "canceled" })
    .where("organization_id", "=", organizationId)
    .where("status", "=", "pending");
  const chosen = "id" in by ? update.where("id", "=", by.id) : update.where("email", "=", by.email);
  return Number((await chosen.executeTakeFirst()).numUpdatedRows);
}

/** Marks an invitation as accepted. Returns false if it was already accepted or cancelled. */
export async function acceptInvitation(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("invitations")
    .set({ status: "accepted" })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
