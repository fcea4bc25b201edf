/** Groups: members who share agents. */
import type { GroupJson } from "@sheaf/contract/organization.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Administrator, Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as groups from "./groups.repo.ts";
import { listUsersOfMembers } from "./members.repo.ts";

export { listGroupsOfUser } from "./groups.repo.ts";

export interface GroupInput {
  name?: string;
  /** Ids of the new members of the group. They replace all existing members. */
  member_ids?: readonly string[];
}

export async function listGroups(db: Db, caller: Administrator, page: PageRequest): Promise<ListPage<GroupJson>> {
  const rows = await groups.listGroups(db, caller.organizationId, page);
  const json = await jsonOf(db, caller.organizationId, rows);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], json);
}

/** @throws AppError `member_not_found`; `conflict` if the name is taken */
export async function createGroup(
  db: Db,
  caller: Administrator,
  input: GroupInput & { name: string },
  atCommit?: AtCommit<GroupJson>,
): Promise<GroupJson> {
  const id = newId();
  return db.transaction().execute(async (transaction) => {
    const group = { id, organizationId: caller.organizationId, name: input.name, now: now() };
    if (!(await groups.insertGroup(transaction, group))) throw nameTaken();
    await replaceMembers(transaction, caller, id, input.member_ids);
    await recordAudit(transaction, caller, { action: "group.created", target: id, detail: { ...input } });
    const created = await getGroup(transaction, caller, id);
    await atCommit?.(transaction, created);
    return created;
  });
}

/** @throws AppError `group_not_found`, `member_not_found`; `conflict` if the name is taken */
export async function updateGroup(db: Db, caller: Administrator, id: string, input: GroupInput): Promise<GroupJson> {
  const { name } = input;
  return db.transaction().execute(async (transaction) => {
    await checkGroup(transaction, caller, id);
    if (name !== undefined && (await groups.isNameTaken(transaction, caller.organizationId, name, id)))
      throw nameTaken();
    await groups.updateGroup(transaction, id, { ...(name !== undefined && { name }), updated_at: now() });
    await replaceMembers(transaction, caller, id, input.member_ids);
    await recordAudit(transaction, caller, { action: "group.changed", target: id, detail: { ...input } });
    return getGroup(transaction, caller, id);
  });
}

/** @throws AppError `group_not_found` */
export async function deleteGroup(db: Db, caller: Administrator, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const found = isId(id) && (await groups.deleteGroup(transaction, caller.organizationId, id));
    if (!found) throw new AppError("group_not_found");
    await recordAudit(transaction, caller, { action: "group.deleted", target: id });
  });
}

export const { findGroupByName } = groups;

/** Adds a user to a group, or removes the user from it. Returns whether that changed anything. */
export const setGroupMember = (db: Db, groupId: string, userId: string, isMember: boolean): Promise<boolean> =>
  isMember
    ? groups.addGroupMember(db, { id: newId(), groupId, userId, now: now() })
    : groups.removeGroupMember(db, groupId, userId);

/** @throws AppError `group_not_found` if the organization has no such group */
export async function checkGroup(db: Db, { organizationId }: Principal, id: string): Promise<void> {
  const found = isId(id) ? await groups.findGroup(db, organizationId, id) : undefined;
  if (!found) throw new AppError("group_not_found");
}

async function getGroup(db: Db, { organizationId }: Administrator, id: string): Promise<GroupJson> {
  const row = await groups.findGroup(db, organizationId, id);
  if (!row) throw new AppError("group_not_found");
  return (await jsonOf(db, organizationId, [row]))(row);
}

async function replaceMembers(
  transaction: Db,
  { organizationId }: Administrator,
  groupId: string,
  memberIds: readonly string[] | undefined,
): Promise<void> {
  if (memberIds === undefined) return;
  const wanted = [...new Set(memberIds)];
  const users = await listUsersOfMembers(transaction, organizationId, wanted);
  if (users.length < wanted.length) throw new AppError("member_not_found");
  const rows = users.map((userId) => ({ id: newId(), userId }));
  await groups.replaceGroupMembers(transaction, groupId, rows, now());
}

/** Returns a function that converts the rows of groups to JSON. */
async function jsonOf(
  db: Db,
  organizationId: string,
  rows: readonly groups.GroupRow[],
): Promise<(row: groups.GroupRow) => GroupJson> {
  const ids = rows.map(({ id }) => id);
  const members = Map.groupBy(await groups.listGroupMembers(db, organizationId, ids), ({ group_id }) => group_id);
  return ({ id, name, created_at, updated_at }) => ({
    id,
    name,
    member_ids: (members.get(id) ?? []).map(({ member_id }) => member_id),
    created_at,
    updated_at,
  });
}

const nameTaken = () => new AppError("conflict", undefined, { message: "Another group has this name." });
