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

/** A caller who may manage the organization: services that need one ask for it by type. */
export interface Administrator extends Caller {
  role: "administrator";
}
