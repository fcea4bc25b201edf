/**
 * Maps the groups of an identity provider to the role and the groups of members. The provider names
 * the groups of a member in a claim at sign-in, or pushes groups by SCIM at any time. For groups
 * pushed by SCIM, claims are ignored, because a claim is only as recent as the sign-in.
 */
import type { MemberRole } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { setGroupMember } from "../organizations/groups.service.ts";
import * as members from "../organizations/members.service.ts";
import * as repo from "./sign-on.repo.ts";

/** Maximum number of members in one query. SQLite accepts 32,766 parameters in a statement. */
const membersPerQuery = 1_000;

interface Origin {
  /** Cause of the change, as recorded in the audit log. */
  by: "sign-on" | "scim";
  actor: AuditActor;
  /**
   * Values of the provider, such as group names, that may have changed; undefined if any value may
   * have changed. A role or group that is mapped only from other values stays unchanged.
   */
  changed?: ReadonlySet<string>;
}

/** The configured provider, and the mapping from its values to groups. */
interface Mapping {
  provider: repo.ProviderRow;
  groups: readonly repo.GroupMappingRow[];
}

/**
 * Sets the role and the groups of a member according to the provider's values for this member.
 * @param db a transaction that has locked the organization
 */
async function applyGroups(
  db: Db,
  { provider, groups }: Mapping,
  member: members.MemberRow,
  values: ReadonlySet<string>,
  { by, actor, changed }: Origin,
): Promise<void> {
  const organizationId = provider.organization_id;
  const isConcerned = (value: string | null) => value !== null && (changed?.has(value) ?? true);
  const role = isConcerned(provider.administrator_value) ? await applyRole(db, provider, member, values) : undefined;
  const [added, removed]: [string[], string[]] = [[], []];
  for (const [groupId, mapped] of Map.groupBy(groups, ({ group_id }) => group_id)) {
    if (!mapped.some(({ value }) => isConcerned(value))) continue;
    const isMember = mapped.some(({ value }) => values.has(value));
    const name = mapped[0]?.name ?? groupId;
    if (await setGroupMember(db, groupId, member.user_id, isMember)) (isMember ? added : removed).push(name);
  }
  if (role === undefined && added.length === 0 && removed.length === 0) return;
  const detail = {
    by,
    ...(role !== undefined && { role }),
    ...(added.length > 0 && { groups_added: added }),
    ...(removed.length > 0 && { groups_removed: removed }),
  };
  await recordAudit(db, actor, { organizationId, action: "member.changed", target: member.id, detail });
}

/**
 * Sets the role of a member. Returns the new role; undefined if it does not change. The break-glass
 * administrator keeps their role.
 */
async function applyRole(
  db: Db,
  { organization_id, administrator_value, break_glass_member_id }: repo.ProviderRow,
  member: members.MemberRow,
  values: ReadonlySet<string>,
): Promise<MemberRole | undefined> {
  if (administrator_value === null || member.id === break_glass_member_id) return undefined;
  const wanted: MemberRole = values.has(administrator_value) ? "administrator" : "member";
  return (await members.setRole(db, organization_id, member, wanted)) ? wanted : undefined;
}

/**
 * Sets the role and the groups of a member at sign-in. The claim counts only for groups that are
 * not pushed by SCIM.
 * @param db a transaction that has locked the organization
 * @param claimed values of the groups claim
 */
export async function applyClaim(
  db: Db,
  provider: repo.ProviderRow,
  member: members.MemberRow,
  claimed: ReadonlySet<string>,
): Promise<void> {
  const { organization_id: organizationId } = provider;
  const pushed = new Set(await repo.listScimGroupNames(db, organizationId));
  const own = await repo.listScimValues(db, organizationId, [member.id]);
  const values = [...claimed].filter((value) => !pushed.has(value)).concat(own.map(({ value }) => value));
  const groups = await repo.listGroupMappings(db, organizationId);
  const origin: Origin = { by: "sign-on", actor: { operator: "sign-on", organizationId } };
  await applyGroups(db, { provider, groups }, member, new Set(values), origin);
}

/**
 * Sets the role and the groups of members after their groups at the provider have changed.
 * @param db a transaction that has locked the organization
 * @param changed names of the changed groups
 */
export async function applyScimGroups(
  db: Db,
  organizationId: string,
  memberIds: Iterable<string>,
  changed: ReadonlySet<string>,
  actor: AuditActor,
): Promise<void> {
  const provider = await repo.findProvider(db, organizationId);
  if (provider === undefined) return;
  const groups = await repo.listGroupMappings(db, organizationId);
  const mapped = [provider.administrator_value, ...groups.map(({ value }) => value)];
  if (!mapped.some((value) => value !== null && changed.has(value))) return;
  const concerned = await withScimValues(db, organizationId, [...new Set(memberIds)]);
  // Begins with the members who become or stay administrators, so that a member who loses the role
  // is never the last administrator.
  const isAdministrator = ({ values }: MemberValues) => values.has(provider.administrator_value ?? "");
  const [first, then] = [concerned.filter(isAdministrator), concerned.filter((each) => !isAdministrator(each))];
  for (const { member, values } of [...first, ...then])
    await applyGroups(db, { provider, groups }, member, values, { by: "scim", actor, changed });
}

/** A member with the names of their SCIM groups. */
interface MemberValues {
  member: members.MemberRow;
  values: ReadonlySet<string>;
}

async function withScimValues(db: Db, organizationId: string, ids: readonly string[]): Promise<MemberValues[]> {
  const found: MemberValues[] = [];
  for (let at = 0; at < ids.length; at += membersPerQuery) {
    const some = ids.slice(at, at + membersPerQuery);
    const values = Map.groupBy(await repo.listScimValues(db, organizationId, some), ({ member_id }) => member_id);
    for (const member of await members.listMembersWithIds(db, organizationId, some))
      found.push({ member, values: new Set(values.get(member.id)?.map(({ value }) => value)) });
  }
  return found;
}

/**
 * Sets the role and the groups of all members of groups pushed by SCIM, after the mapping has
 * changed.
 * @param db a transaction that has locked the organization
 */
export async function applyAllScimGroups(db: Db, organizationId: string, actor: AuditActor): Promise<void> {
  const changed = new Set(await repo.listScimGroupNames(db, organizationId));
  await applyScimGroups(db, organizationId, await repo.listScimMembers(db, organizationId), changed, actor);
}
