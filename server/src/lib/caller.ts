/** The caller of a request: claimed by a token or session, and confirmed by the database. */

export interface Caller {
  organizationId: string;
  memberId: string;
  userId: string;
  role: "administrator" | "member";
  /** `api` for a token, `app` for a session of the web application. */
  channel: "api" | "app";
  /** The credential that the token was issued for; null for a session. */
  credentialId: string | null;
  /** Client address and request id, for the audit. */
  address: string;
  requestId: string;
}

/**
 * The principal on whose behalf data is read or changed: a caller, the operator, or anyone if the
 * agent is public.
 */
export interface Principal {
  organizationId: string;
  channel: Caller["channel"] | "public";
  /**
   * Null if no user is known. What belongs to a user belongs to the web application; see `ownUser`.
   */
  userId: string | null;
  role: Caller["role"] | null;
}

/**
 * Returns a principal that acts for an organization without being a member: the operator, or a job.
 */
export const onBehalfOf = (organizationId: string): Principal => ({
  organizationId,
  channel: "api",
  userId: null,
  role: null,
});

/**
 * Returns the owner of a thread or operation: the user in the web application. Through the API it
 * is null, which means any caller of the same channel.
 */
export const ownUser = ({ channel, userId }: Pick<Principal, "channel" | "userId">): string | null =>
  channel === "app" ? userId : null;

/** A caller who may manage the organization. Services require this type to prove the permission. */
export interface Administrator extends Caller {
  role: "administrator";
}
