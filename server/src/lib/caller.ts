/** Who makes a request, as its token says and the records confirm. */

export interface Caller {
  organizationId: string;
  memberId: string;
  userId: string;
  credentialId: string;
  role: "administrator" | "member";
}

/** A caller who may manage the organization: services that need one ask for it by type. */
export interface Administrator extends Caller {
  role: "administrator";
}
