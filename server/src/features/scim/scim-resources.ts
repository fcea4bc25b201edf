/** Converts users and groups to SCIM resources, as responses contain them. */
import type { Resource } from "./patch.ts";
import type { ScimGroup } from "./scim-groups.service.ts";
import type { ScimUser } from "./scim-users.service.ts";

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";

export function userJson(user: ScimUser, base: string): Resource {
  const { formatted_name, given_name, family_name, display_name } = user;
  return {
    schemas: [userSchema],
    id: user.id,
    ...(user.external_id !== null && { externalId: user.external_id }),
    userName: user.user_name,
    displayName: display_name ?? user.name,
    name: {
      formatted: formatted_name ?? user.name,
      ...(given_name !== null && { givenName: given_name }),
      ...(family_name !== null && { familyName: family_name }),
    },
    emails: [{ value: user.address, type: "work", primary: true }],
    active: user.status === "active",
    groups: user.groups.map(({ id, display_name: display }) => ({
      value: id,
      $ref: `${base}/Groups/${id}`,
      display,
    })),
    meta: metaOf("User", user, `${base}/Users/${user.id}`),
  };
}

export const groupJson = (group: ScimGroup, base: string): Resource => ({
  schemas: [groupSchema],
  id: group.id,
  ...(group.external_id !== null && { externalId: group.external_id }),
  displayName: group.display_name,
  members: group.members.map(({ member_id, name }) => ({
    value: member_id,
    $ref: `${base}/Users/${member_id}`,
    type: "User",
    display: name,
  })),
  meta: metaOf("Group", group, `${base}/Groups/${group.id}`),
});

const metaOf = (
  resourceType: string,
  { created_at, updated_at }: { created_at: string; updated_at: string },
  location: string,
): object => ({ resourceType, created: created_at, lastModified: updated_at, location });
