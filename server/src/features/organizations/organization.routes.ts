/** HTTP routes of the organization: sign-on, members, invitations, groups, credentials. */
import { organizationEndpoints as endpoints, type OrganizationJson } from "@sheaf/contract/organization.ts";
import { signOnEndpoints } from "@sheaf/contract/sign-on.ts";
import { pageReply, pageRequest } from "../../lib/paging.ts";
import { type AnyRoute, route, success } from "../../lib/route.ts";
import { deleteSignOn, getSignOn, putSignOn, type SignOnDeps } from "../sign-on/sign-on-settings.service.ts";
import * as credentials from "./credentials.service.ts";
import * as groups from "./groups.service.ts";
import * as invitations from "./invitations.service.ts";
import * as members from "./members.service.ts";
import type { OrganizationRow } from "./organizations.repo.ts";
import { getOrganization, updateOrganization } from "./organizations.service.ts";

export function organizationRoutes(deps: invitations.InvitationDeps & SignOnDeps): AnyRoute[] {
  const { db } = deps;
  return [
    route(endpoints.getOrganization, async ({ caller }) =>
      success(organizationJson(await getOrganization(db, caller.organizationId))),
    ),
    route(endpoints.updateOrganization, async ({ caller, body }) =>
      success(organizationJson(await updateOrganization(db, caller, caller.organizationId, body))),
    ),

    route(signOnEndpoints.getSignOn, async ({ caller }) => success(await getSignOn(deps, caller.organizationId))),
    route(signOnEndpoints.putSignOn, async ({ caller, body }) => success(await putSignOn(deps, caller, body))),
    route(signOnEndpoints.deleteSignOn, async ({ caller }) => {
      await deleteSignOn(deps, caller, caller.organizationId);
      return success({});
    }),

    route(endpoints.listMembers, async ({ caller, query }) =>
      pageReply(await members.listMembers(db, caller, pageRequest(query))),
    ),
    route(endpoints.updateMember, async ({ caller, path, body }) =>
      success(await members.updateMember(db, caller, path.memberId, body)),
    ),
    route(endpoints.deleteMember, async ({ caller, path }) => {
      await members.deleteMember(db, caller, path.memberId);
      return success({ id: path.memberId });
    }),

    route(endpoints.listInvitations, async ({ caller, query }) =>
      pageReply(await invitations.listInvitations(deps, caller, pageRequest(query))),
    ),
    route(endpoints.createInvitation, async ({ caller, body, keep }) =>
      success(await invitations.createInvitation(deps, caller, caller.organizationId, body, keep(success))),
    ),
    route(endpoints.deleteInvitation, async ({ caller, path }) => {
      await invitations.deleteInvitation(deps, caller, path.invitationId);
      return success({ id: path.invitationId });
    }),

    route(endpoints.listGroups, async ({ caller, query }) =>
      pageReply(await groups.listGroups(db, caller, pageRequest(query))),
    ),
    route(endpoints.createGroup, async ({ caller, body, keep }) =>
      success(await groups.createGroup(db, caller, body, keep(success))),
    ),
    route(endpoints.updateGroup, async ({ caller, path, body }) =>
      success(await groups.updateGroup(db, caller, path.groupId, body)),
    ),
    route(endpoints.deleteGroup, async ({ caller, path }) => {
      await groups.deleteGroup(db, caller, path.groupId);
      return success({ id: path.groupId });
    }),

    route(endpoints.listCredentials, async ({ caller, query }) =>
      pageReply(await credentials.listCredentialsOf(db, caller, pageRequest(query))),
    ),
    route(endpoints.createCredential, async ({ caller, body, keep }) =>
      success(await credentials.createOwnCredential(deps, caller, body, keep(success))),
    ),
    route(endpoints.revokeCredential, async ({ caller, path }) => {
      await credentials.revokeCredentialOf(db, caller, path.clientId);
      return success({ client_id: path.clientId });
    }),
  ];
}

const organizationJson = ({
  id,
  name,
  api_enabled,
  keep_extractions_days,
  created_at,
}: OrganizationRow): OrganizationJson => ({
  id,
  name,
  api_enabled: Boolean(api_enabled),
  keep_extractions_days,
  created_at,
});
