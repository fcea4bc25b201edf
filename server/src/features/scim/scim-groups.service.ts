/**
 * SCIM groups: the groups that the identity provider pushes. A group has an effect only if the
 * group mapping of sign-on names it: see `features/sign-on/group-mapping.service.ts`.
 */
import { now } from "../../lib/clock.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { lockOrganization } from "../organizations/organizations.service.ts";
import { applyScimGroups } from "../sign-on/group-mapping.service.ts";
import { type GroupAttributes, groupAttributes, patchedGroup } from "./group-attributes.ts";
import { changesOf, type Resource } from "./patch.ts";
import { invalidValue, notUnique, ScimError } from "./scim-error.ts";
import * as repo from "./scim-groups.repo.ts";
import { fitting, type ListRequest } from "./scim-list.ts";
import { actorOf, type Provisioner } from "./scim-tokens.service.ts";

/** A group with its members and the names of their accounts. */
export interface ScimGroup extends repo.ScimGroupRow {
  members: readonly { member_id: string; name: string }[];
}

export const { isFilterable } = repo;

export async function listGroups(
  db: Db,
  { organizationId }: Provisioner,
  { filter, startIndex, count }: ListRequest,
  { withMembers }: { withMembers: boolean },
): Promise<{ groups: ScimGroup[]; totalResults: number }> {
  const totalResults = await repo.countGroups(db, organizationId, filter);
  const page = { offset: startIndex - 1, limit: count };
  const rows = count === 0 ? [] : await repo.listGroups(db, organizationId, filter, page);
  if (!withMembers) return { groups: withoutMembers(rows), totalResults };
  const ids = rows.map(({ id }) => id);
  return { groups: await addMembersTo(db, fitting(rows, await repo.countMembersOf(db, ids))), totalResults };
}

/** @throws ScimError 404 */
export async function getGroup(
  db: Db,
  { organizationId }: Provisioner,
  id: string,
  { withMembers } = { withMembers: true },
): Promise<ScimGroup> {
  const row = await getRow(db, organizationId, id);
  const [group] = withMembers ? await addMembersTo(db, [row]) : withoutMembers([row]);
  return group as ScimGroup;
}

const withoutMembers = (rows: readonly repo.ScimGroupRow[]): ScimGroup[] =>
  rows.map((row) => ({ ...row, members: [] }));

async function addMembersTo(db: Db, rows: readonly repo.ScimGroupRow[]): Promise<ScimGroup[]> {
  const members = await repo.listMembersOf(
    db,
    rows.map(({ id }) => id),
  );
  const ofGroup = Map.groupBy(members, ({ group_id }) => group_id);
  return rows.map((row) => ({ ...row, members: ofGroup.get(row.id) ?? [] }));
}

async function getRow(db: Db, organizationId: string, id: string): Promise<repo.ScimGroupRow> {
  const row = isId(id) ? await repo.findGroup(db, organizationId, id) : undefined;
  if (row === undefined) throw new ScimError(404, "No such group.");
  return row;
}

/** @throws ScimError */
export async function createGroup(db: Db, provisioner: Provisioner, body: Resource): Promise<ScimGroup> {
  const attributes = groupAttributes(body);
  return saveGroup(db, provisioner, undefined, () => attributes);
}

/** @throws ScimError */
export async function replaceGroup(db: Db, provisioner: Provisioner, id: string, body: Resource): Promise<ScimGroup> {
  const attributes = groupAttributes(body);
  return saveGroup(db, provisioner, id, () => attributes);
}

/**
 * @param result `withMembers`: whether to return the members. Their names are read only if they are
 * returned.
 * @throws ScimError
 */
export async function patchGroup(
  db: Db,
  provisioner: Provisioner,
  id: string,
  body: Resource,
  result: { withMembers: boolean },
): Promise<ScimGroup> {
  const changes = changesOf(body);
  return saveGroup(db, provisioner, id, (current) => patchedGroup(current, changes), result);
}

const empty: GroupAttributes = { displayName: "", externalId: null, members: new Set() };

/** @param id undefined for a new group */
async function saveGroup(
  db: Db,
  provisioner: Provisioner,
  id: string | undefined,
  attributesFor: (current: GroupAttributes) => GroupAttributes,
  result = { withMembers: true },
): Promise<ScimGroup> {
  const { organizationId } = provisioner;
  return db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const before = id === undefined ? undefined : await getRow(transaction, organizationId, id);
    const current = before === undefined ? empty : await attributesOf(transaction, before);
    const wanted = attributesFor(current);
    const isRenamed = wanted.displayName !== current.displayName;
    if (isRenamed) await checkName(transaction, organizationId, wanted.displayName);
    const added = [...wanted.members].filter((member) => !current.members.has(member));
    const removed = [...current.members].filter((member) => !wanted.members.has(member));
    await checkMembers(transaction, organizationId, added);
    const isChanged = isRenamed || wanted.externalId !== current.externalId || added.length + removed.length > 0;
    if (before !== undefined && !isChanged) return getGroup(transaction, provisioner, before.id, result);
    const at = now();
    const row = {
      id: before?.id ?? newId(),
      organization_id: organizationId,
      display_name: wanted.displayName,
      external_id: wanted.externalId,
      created_at: before?.created_at ?? at,
      updated_at: at,
    };
    await repo.putGroup(transaction, row);
    await repo.addMembers(transaction, row.id, added);
    await repo.removeMembers(transaction, row.id, removed);
    const detail = { name: wanted.displayName, members_added: added.length, members_removed: removed.length };
    const action = before === undefined ? "scim_group.created" : "scim_group.changed";
    await recordAudit(transaction, actorOf(provisioner), { action, target: row.id, detail });
    const concerned = isRenamed ? [...current.members, ...wanted.members] : [...added, ...removed];
    const names = new Set([current.displayName, wanted.displayName]);
    await applyScimGroups(transaction, organizationId, concerned, names, actorOf(provisioner));
    return getGroup(transaction, provisioner, row.id, result);
  });
}

const attributesOf = async (
  db: Db,
  { id, display_name, external_id }: repo.ScimGroupRow,
): Promise<GroupAttributes> => ({
  displayName: display_name,
  externalId: external_id,
  members: new Set(await repo.listMemberIds(db, id)),
});

/**
 * Deletes a group. Its members lose the role and the groups that the group mapping gave them only
 * because of this group.
 * @throws ScimError 404
 */
export async function deleteGroup(db: Db, provisioner: Provisioner, id: string): Promise<void> {
  const { organizationId } = provisioner;
  await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const group = await getRow(transaction, organizationId, id);
    const ids = await repo.listMemberIds(transaction, group.id);
    await repo.deleteGroup(transaction, group.id);
    const entry = { action: "scim_group.deleted", target: group.id, detail: { name: group.display_name } };
    await recordAudit(transaction, actorOf(provisioner), entry);
    await applyScimGroups(transaction, organizationId, ids, new Set([group.display_name]), actorOf(provisioner));
  });
}

async function checkName(db: Db, organizationId: string, displayName: string): Promise<void> {
  if ((await repo.countGroups(db, organizationId, { attribute: "displayname", value: displayName })) > 0)
    throw notUnique(`A group with the displayName ${displayName} exists.`);
}

async function checkMembers(db: Db, organizationId: string, ids: readonly string[]): Promise<void> {
  const known = new Set(await repo.listKnown(db, organizationId, ids));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidValue(`There is no user with the id ${unknown}.`);
}
