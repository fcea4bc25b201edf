/** Queries of the organization. Without a limit in the request, the service returns whole lists. */
import { queryOptions } from "@tanstack/react-query";
import { sheaf } from "../../app/api.ts";

export const organizationQuery = queryOptions({
  queryKey: ["organization"],
  queryFn: async ({ signal }) => (await sheaf.getOrganization({ signal })).data,
});

export const membersQuery = queryOptions({
  queryKey: ["organization", "members"],
  queryFn: async ({ signal }) => (await sheaf.listMembers({ signal })).data,
});

export const invitationsQuery = queryOptions({
  queryKey: ["organization", "invitations"],
  queryFn: async ({ signal }) => (await sheaf.listInvitations({ signal })).data,
});

export const groupsQuery = queryOptions({
  queryKey: ["organization", "groups"],
  queryFn: async ({ signal }) => (await sheaf.listGroups({ signal })).data,
});

export const credentialsQuery = queryOptions({
  queryKey: ["organization", "credentials"],
  queryFn: async ({ signal }) => (await sheaf.listCredentials({ signal })).data,
});

export const webhooksQuery = queryOptions({
  queryKey: ["organization", "webhooks"],
  queryFn: async ({ signal }) => (await sheaf.listWebhooks({ signal })).data,
});

export const usageQuery = queryOptions({
  queryKey: ["organization", "usage"],
  queryFn: async ({ signal }) => (await sheaf.getUsage({ signal })).data,
});

export const organizationSignOnQuery = queryOptions({
  queryKey: ["organization", "sign-on"],
  queryFn: async ({ signal }) => (await sheaf.getSignOn({ signal })).data,
});

export const scimTokensQuery = queryOptions({
  queryKey: ["organization", "scim-tokens"],
  queryFn: async ({ signal }) => (await sheaf.listScimTokens({ signal })).data,
});
