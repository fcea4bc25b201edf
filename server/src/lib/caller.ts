/** The caller of a request. A token or session names the caller, and the database confirms it. */

export interface Caller {
  organizationId: string;
  memberId: string;
  userId: string;
  role: "administrator" | "member";
  /** `api` for a token, `app` for a session of the web application. */
  channel: "api" | "app";
  /** The credential for which the token was issued; null for a session. */
  credentialId: string | null;
  /** Client address and request id, for the audit log. */
  address: string;
  requestId: string;
}

/**
 * The principal on whose behalf data is read or changed: a caller, the operator, or an anonymous
 * user of a public agent.
 */
export interface Principal {
  organizationId: string;
  channel: Caller["channel"] | "public";
  /**
   * Id of the user, null if unknown. Only data created in the web application belongs to a user:
   * see `ownUser`.
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
 * Returns the owner of a new thread or operation. In the web application this is the user. Through
 * the API it is null, because all API callers of the organization may use the thread or operation.
 */
export const ownUser = ({ channel, userId }: Pick<Principal, "channel" | "userId">): string | null =>
  channel === "app" ? userId : null;

/**
 * A caller who may manage the organization. Services take this type as proof that the permission
 * was checked.
 */
export interface Administrator extends Caller {
  role: "administrator";
}
