/** Who makes a request, as its token or session says and the records confirm. */

export interface Caller {
  organizationId: string;
  memberId: string;
  userId: string;
  role: "administrator" | "member";
  /** A token makes a caller of the API, a session one of the web application. */
  channel: "api" | "app";
  /** The credential whose token it is; null for a session. */
  credentialId: string | null;
  /** Where the request came from, and its id: for whoever reads later what was done. */
  address: string;
  requestId: string;
}

/** On whose behalf something is seen or done: a caller, the operator, or anybody where an agent is public. */
export interface Principal {
  organizationId: string;
  channel: Caller["channel"] | "public";
  /** Null where no user is known. What belongs to a user belongs to one of the web application: see `ownUser`. */
  userId: string | null;
  role: Caller["role"] | null;
}

/** Who acts for an organization without being a member: the operator, or a job. */
export const onBehalfOf = (organizationId: string): Principal => ({
  organizationId,
  channel: "api",
  userId: null,
  role: null,
});

/** Whose a thread or an operation is: in the web application one user's, else anybody's who calls through the same channel. */
export const ownUser = ({ channel, userId }: Pick<Principal, "channel" | "userId">): string | null =>
  channel === "app" ? userId : null;

/** A caller who may manage the organization: services that need one ask for it by type. */
export interface Administrator extends Caller {
  role: "administrator";
}
