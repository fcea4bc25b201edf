/** A user of the web application as a caller and as the actor of audit entries. */
import type { Caller } from "../../lib/caller.ts";
import type { Db } from "../../records/records.ts";
import { listMemberships } from "./identity.repo.ts";

export type Source = Pick<Caller, "address" | "requestId">;

/** Returns the user as a caller; undefined if they are not an active member of the organization. */
export async function memberIn(
  db: Db,
  userId: string,
  organizationId: string | null | undefined,
  { address, requestId }: Source,
): Promise<Caller | undefined> {
  const memberships = await listMemberships(db, userId);
  const membership = memberships.find(({ organization_id }) => organization_id === organizationId);
  return (
    membership && {
      organizationId: membership.organization_id,
      memberId: membership.member_id,
      userId,
      role: membership.role,
      channel: "app",
      credentialId: null,
      address,
      requestId,
    }
  );
}

/**
 * Returns the actor of audit entries for actions of a user. The user need not belong to an
 * organization.
 */
export const userActor = async (
  db: Db,
  userId: string,
  organizationId: string | null | undefined,
  origin: Source,
): Promise<Caller | { operator: string }> =>
  (await memberIn(db, userId, organizationId, origin)) ?? { operator: `user ${userId}` };
