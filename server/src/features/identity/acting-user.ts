/** Converts a user of the web application to a caller, or to the actor of an audit entry. */
import type { Caller } from "../../lib/caller.ts";
import type { Db } from "../../records/records.ts";
import { listAccessible } from "./identity.repo.ts";

export type Source = Pick<Caller, "address" | "requestId">;

/** Organizations of a session. */
export interface SessionScope {
  /** The organization in which the user works. */
  activeOrganizationId?: string | null | undefined;
  /**
   * The organization whose identity provider opened the session. The session then gives access only
   * to this organization.
   */
  signOnOrganizationId?: string | null | undefined;
}

/**
 * Returns the user as a caller in the active organization. Returns undefined if the session does
 * not give access to that organization.
 */
export async function memberIn(
  db: Db,
  userId: string,
  { activeOrganizationId, signOnOrganizationId }: SessionScope,
  { address, requestId }: Source,
): Promise<Caller | undefined> {
  const memberships = await listAccessible(db, userId, signOnOrganizationId);
  const membership = memberships.find(({ organization_id }) => organization_id === activeOrganizationId);
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
 * Returns the user as the actor of audit entries, even if the user does not belong to an
 * organization.
 */
export const userActor = async (
  db: Db,
  userId: string,
  scope: SessionScope,
  origin: Source,
): Promise<Caller | { operator: string }> =>
  (await memberIn(db, userId, scope, origin)) ?? { operator: `user ${userId}` };
