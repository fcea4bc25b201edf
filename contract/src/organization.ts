/** The organization: its name, members, groups, invitations and API credentials. */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { text, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { keepExtractionsDays } from "./retention.ts";
import { choice, component } from "./schema.ts";
import { email, memberRoles } from "./sessions.ts";
import Type from "./type.ts";

const name = text({ minLength: 1, maxLength: limits.organizationNameMaxLength, examples: ["Analytical Engines"] });

const keepUnset =
  `If it is null, the default, results in the web application are kept for ${limits.keepExtractionsDays} days, and results of requests with a token ` +
  "only if the request has `keep: true`. An extractor can have its own setting.";

export const Organization = component(
  "Organization",
  Type.Object({
    id: uuid("Id of the organization."),
    name: Type.String({ examples: ["Analytical Engines"] }),
    api_enabled: Type.Boolean({ description: "True if credentials of the organization may be used." }),
    keep_extractions_days: keepExtractionsDays(keepUnset),
    created_at: timestamp("When it was created."),
  }),
);
export type OrganizationJson = Static<typeof Organization>;

const getOrganization = defineEndpoint({
  operationId: "getOrganization",
  method: "GET",
  path: "/v2/organization",
  summary: "Get the organization",
  description: "Returns the organization of the token, or the organization chosen in the session.",
  tag: "Organization",
  auth: "member",
  responses: { 200: { description: "The organization.", body: success(Organization) } },
  errors: ["organization_not_found"],
});

const updateOrganization = defineEndpoint({
  operationId: "updateOrganization",
  method: "PATCH",
  path: "/v2/organization",
  summary: "Change the organization",
  description:
    "If `api_enabled` is false, every token gets 403 `forbidden` from the next request on. The API can be switched on again in the web " +
    "application or from the command line.",
  tag: "Organization",
  auth: "administrator",
  body: component(
    "UpdateOrganizationRequest",
    Type.Object({
      name: Type.Optional(name),
      api_enabled: Type.Optional(Type.Boolean()),
      keep_extractions_days: Type.Optional(keepExtractionsDays(keepUnset)),
    }),
  ),
  responses: { 200: { description: "The changed organization.", body: success(Organization) } },
  errors: ["organization_not_found"],
});

export const memberStatuses = ["active", "disabled"] as const;

export const Member = component(
  "Member",
  Type.Object({
    id: uuid("Id of the member."),
    user_id: uuid("Id of the user, such as in `created_by` and `reviewed_by` of other objects."),
    name: Type.String({ examples: ["Ada Lovelace"] }),
    email: Type.String({ examples: ["ada@example.com"] }),
    role: choice(memberRoles),
    status: choice(memberStatuses, {
      description: "A disabled member and their credentials cannot sign in.",
    }),
    created_at: timestamp("Time at which the member joined."),
  }),
);
export type MemberJson = Static<typeof Member>;

const memberParameters = Type.Object({ memberId: Type.String({ description: "Id of the member." }) });

const listMembers = defineEndpoint({
  operationId: "listMembers",
  method: "GET",
  path: "/v2/organization/members",
  summary: "List the members",
  tag: "Organization",
  auth: "administrator",
  responses: { 200: { description: "The members.", body: list(Member) } },
  query: pageQuery,
  errors: ["invalid_request"],
});

const updateMember = defineEndpoint({
  operationId: "updateMember",
  method: "PATCH",
  path: "/v2/organization/members/{memberId}",
  summary: "Change a member",
  description: "The last active administrator cannot be demoted or disabled: 409 `conflict`.",
  tag: "Organization",
  auth: "administrator",
  pathParameters: memberParameters,
  body: component(
    "UpdateMemberRequest",
    Type.Object({ role: Type.Optional(choice(memberRoles)), status: Type.Optional(choice(memberStatuses)) }),
  ),
  responses: { 200: { description: "The changed member.", body: success(Member) } },
  errors: ["member_not_found", "conflict"],
});

const deleteMember = defineEndpoint({
  operationId: "deleteMember",
  method: "DELETE",
  path: "/v2/organization/members/{memberId}",
  summary: "Remove a member",
  description:
    "Removes the member and their credentials. The last active administrator cannot be removed: 409 `conflict`.",
  tag: "Organization",
  auth: "administrator",
  pathParameters: memberParameters,
  responses: {
    200: { description: "The member was removed.", body: success(Type.Object({ id: uuid("Id of the member.") })) },
  },
  errors: ["member_not_found", "conflict"],
});

const invitationFields = {
  id: uuid("Id of the invitation."),
  email: Type.String({ examples: ["ada@example.com"] }),
  role: choice(memberRoles),
  created_at: timestamp("When it was created."),
  expires_at: timestamp("When it expires."),
};

export const Invitation = component(
  "Invitation",
  Type.Object(invitationFields, { description: "An invitation that can still be accepted." }),
);
export type InvitationJson = Static<typeof Invitation>;

export const CreatedInvitation = component(
  "CreatedInvitation",
  Type.Object({
    ...invitationFields,
    token: Type.String({
      description: "Token with which the invited person accepts the invitation. Shown only once.",
      examples: ["inv_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    }),
  }),
);
export type CreatedInvitationJson = Static<typeof CreatedInvitation>;

const listInvitations = defineEndpoint({
  operationId: "listInvitations",
  method: "GET",
  path: "/v2/organization/invitations",
  summary: "List the open invitations",
  tag: "Organization",
  auth: "administrator",
  responses: { 200: { description: "The invitations, without their tokens.", body: list(Invitation) } },
  query: pageQuery,
  errors: ["invalid_request"],
});

const createInvitation = defineEndpoint({
  operationId: "createInvitation",
  method: "POST",
  path: "/v2/organization/invitations",
  summary: "Create an invitation",
  description:
    "Pass the token on to the invited person, because the service sends no mail. The token is valid for seven days. A new invitation to an " +
    "address replaces the earlier invitation. Inviting a member is 409 `conflict`.",
  tag: "Organization",
  auth: "administrator",
  secretReply: { reference: "id" },
  body: component("CreateInvitationRequest", Type.Object({ email, role: Type.Optional(choice(memberRoles)) })),
  responses: { 201: { description: "The invitation, with its token.", body: success(CreatedInvitation) } },
  errors: [],
});

const deleteInvitation = defineEndpoint({
  operationId: "deleteInvitation",
  method: "DELETE",
  path: "/v2/organization/invitations/{invitationId}",
  summary: "Cancel an invitation",
  tag: "Organization",
  auth: "administrator",
  pathParameters: Type.Object({ invitationId: Type.String({ description: "Id of the invitation." }) }),
  responses: {
    200: {
      description: "The invitation was cancelled.",
      body: success(Type.Object({ id: uuid("Id of the invitation.") })),
    },
  },
  errors: ["invitation_not_found"],
});

const memberIds = Type.Array(uuid("Id of a member of the organization."), {
  maxItems: limits.maxGroupMembers,
  description: "The members of the group.",
});
const groupName = text({ minLength: 1, maxLength: limits.groupNameMaxLength, examples: ["Accounting"] });

export const Group = component(
  "Group",
  Type.Object({
    id: uuid("Id of the group."),
    name: Type.String({ examples: ["Accounting"] }),
    member_ids: memberIds,
    created_at: timestamp("When it was created."),
    updated_at: timestamp("Time of the last change."),
  }),
);
export type GroupJson = Static<typeof Group>;

const groupParameters = Type.Object({ groupId: Type.String({ description: "Id of the group." }) });

const listGroups = defineEndpoint({
  operationId: "listGroups",
  method: "GET",
  path: "/v2/organization/groups",
  summary: "List the groups",
  tag: "Organization",
  auth: "administrator",
  responses: { 200: { description: "The groups.", body: list(Group) } },
  query: pageQuery,
  errors: ["invalid_request"],
});

const createGroup = defineEndpoint({
  operationId: "createGroup",
  method: "POST",
  path: "/v2/organization/groups",
  summary: "Create a group",
  description: "A name used by another group is 409 `conflict`; an unknown member is 404 `member_not_found`.",
  tag: "Organization",
  auth: "administrator",
  body: component("CreateGroupRequest", Type.Object({ name: groupName, member_ids: Type.Optional(memberIds) })),
  responses: { 201: { description: "The group.", body: success(Group) } },
  errors: ["member_not_found"],
});

const updateGroup = defineEndpoint({
  operationId: "updateGroup",
  method: "PATCH",
  path: "/v2/organization/groups/{groupId}",
  summary: "Change a group",
  description: "`member_ids` replaces all members of the group. Errors are the same as for creation.",
  tag: "Organization",
  auth: "administrator",
  pathParameters: groupParameters,
  body: component(
    "UpdateGroupRequest",
    Type.Object({ name: Type.Optional(groupName), member_ids: Type.Optional(memberIds) }),
  ),
  responses: { 200: { description: "The changed group.", body: success(Group) } },
  errors: ["group_not_found", "member_not_found", "conflict"],
});

const deleteGroup = defineEndpoint({
  operationId: "deleteGroup",
  method: "DELETE",
  path: "/v2/organization/groups/{groupId}",
  summary: "Delete a group",
  description: "Agents that were visible only to the group are then visible only to administrators.",
  tag: "Organization",
  auth: "administrator",
  pathParameters: groupParameters,
  responses: {
    200: { description: "The group was deleted.", body: success(Type.Object({ id: uuid("Id of the group.") })) },
  },
  errors: ["group_not_found"],
});

const time = (description: string) => Type.Union([timestamp(description), Type.Null()], { description });

const credentialFields = {
  client_id: uuid("The `client_id` of the credential."),
  name: Type.String({ examples: ["Invoice import"] }),
  member_id: uuid("The member to whom the credential belongs. The credential has the permissions of this member."),
  created_at: timestamp("When it was created."),
  last_used_at: time("Time of the last use, precise to the minute; null if it was never used."),
  revoked_at: time("Time at which it was revoked; null if it is not revoked."),
  expires_at: time("Time from which the credential and its tokens are refused; null if it does not expire."),
};

export const Credential = component("Credential", Type.Object(credentialFields));
export type CredentialJson = Static<typeof Credential>;

export const CreatedCredential = component(
  "CreatedCredential",
  Type.Object({
    ...credentialFields,
    client_secret: Type.String({
      description: "Shown only once.",
      examples: ["sheaf_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    }),
  }),
);
export type CreatedCredentialJson = Static<typeof CreatedCredential>;

const listCredentials = defineEndpoint({
  operationId: "listCredentials",
  method: "GET",
  path: "/v2/organization/credentials",
  summary: "List the credentials",
  description: "Administrators get the credentials of all members, others get their own.",
  tag: "Organization",
  auth: "member",
  responses: { 200: { description: "The credentials, without their secrets.", body: list(Credential) } },
  query: pageQuery,
  errors: ["invalid_request"],
});

const createCredential = defineEndpoint({
  operationId: "createCredential",
  method: "POST",
  path: "/v2/organization/credentials",
  summary: "Create a credential",
  description: "The credential belongs to the caller and has the caller's permissions.",
  tag: "Organization",
  auth: "member",
  secretReply: { reference: "client_id" },
  body: component(
    "CreateCredentialRequest",
    Type.Object({
      name: text({ minLength: 1, maxLength: limits.credentialNameMaxLength, examples: ["Invoice import"] }),
      expires_at: Type.Optional(
        timestamp(
          "Time of expiry, after which the secret gets 401 `invalid_client` and tokens get 401 `unauthorized`. By default, the credential does not expire.",
        ),
      ),
    }),
  ),
  responses: { 201: { description: "The credential, with its secret.", body: success(CreatedCredential) } },
  errors: [],
});

const revokeCredential = defineEndpoint({
  operationId: "revokeCredential",
  method: "DELETE",
  path: "/v2/organization/credentials/{clientId}",
  summary: "Revoke a credential",
  description:
    "Tokens of the credential are refused from the next request on. An administrator may revoke any credential, others their own. A credential that is already revoked " +
    "is 404 `credential_not_found`.",
  tag: "Organization",
  auth: "member",
  pathParameters: Type.Object({ clientId: Type.String({ description: "The `client_id`." }) }),
  responses: {
    200: {
      description: "The credential was revoked.",
      body: success(Type.Object({ client_id: uuid("The `client_id` of the credential.") })),
    },
  },
  errors: ["credential_not_found"],
});

export const organizationEndpoints = {
  getOrganization,
  updateOrganization,
  listMembers,
  updateMember,
  deleteMember,
  listInvitations,
  createInvitation,
  deleteInvitation,
  listGroups,
  createGroup,
  updateGroup,
  deleteGroup,
  listCredentials,
  createCredential,
  revokeCredential,
};
