/** Members of an organization. */
import type { MemberJson } from "@sheaf/contract/organization.ts";
import type { Administrator } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { MemberRole, MemberStatus } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import * as members from "./members.repo.ts";
import { insertMember, lockOrganization } from "./organizations.repo.ts";

export async function listMembers(db: Db, caller: Administrator, page: PageRequest): Promise<ListPage<MemberJson>> {
  const rows = await members.listMembers(db, caller.organizationId, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], memberJson);
}

/** Lists all members, for the operator. */
export const listAllMembers = (db: Db, organizationId: string): Promise<members.MemberRow[]> =>
  members.listMembers(db, organizationId, {});

export type { MemberRow } from "./members.repo.ts";
export const { findMember, findMemberByEmail, findMemberOfUser, listMembersWithIds } = members;

/**
 * Makes a user a member of the organization whose provider vouches for the user.
 * @param db a transaction
 */
export async function admitMember(db: Db, organizationId: string, userId: string): Promise<members.MemberRow> {
  const id = newId();
  await insertMember(db, { id, organizationId, userId, role: "member", now: now() });
  const member = await members.findMember(db, organizationId, id);
  if (member === undefined) throw new Error("The member was not inserted.");
  return member;
}

/**
 * Sets a member's role to the one that the organization's provider assigns. The last active
 * administrator keeps the role of administrator. A disabled administrator loses that role, so that
 * enabling the member again does not restore it. Returns whether the role changed.
 * @param db a transaction that has locked the organization
 */
export async function setRole(
  db: Db,
  organizationId: string,
  { id, role, status }: Pick<members.MemberRow, "id" | "role" | "status">,
  wanted: MemberRole,
): Promise<boolean> {
  if (wanted === role) return false;
  const isCounted = wanted === "member" && status === "active";
  if (isCounted && (await members.countAdministrators(db, organizationId)) < 2) return false;
  await members.updateMember(db, id, { role: wanted });
  return true;
}

/**
 * Enables or disables a member, on behalf of the organization's identity provider.
 * @param db a transaction that has locked the organization
 * @throws AppError `conflict` if no active administrator would be left
 */
export async function setStatus(
  db: Db,
  organizationId: string,
  { id }: Pick<members.MemberRow, "id">,
  status: MemberStatus,
): Promise<void> {
  await members.updateMember(db, id, { status });
  if (status === "disabled") await refuseLockout(db, organizationId);
}

/**
 * Removes a member and their credentials, on behalf of the organization's identity provider.
 * @param db a transaction that has locked the organization
 * @throws AppError `conflict` if no active administrator would be left
 */
export async function removeMember(db: Db, organizationId: string, member: members.MemberRow): Promise<void> {
  await members.deleteMember(db, organizationId, member);
  await refuseLockout(db, organizationId);
}

/** @throws AppError `member_not_found`; `conflict` if no active administrator would be left */
export async function updateMember(
  db: Db,
  caller: Administrator,
  id: string,
  { role, status }: { role?: MemberRole; status?: MemberStatus },
): Promise<MemberJson> {
  const changes = { ...(role !== undefined && { role }), ...(status !== undefined && { status }) };
  return changeMember(db, caller, id, async (transaction, member) => {
    if (Object.keys(changes).length > 0) await members.updateMember(transaction, member.id, changes);
    await recordAudit(transaction, caller, { action: "member.changed", target: id, detail: changes });
    return memberJson({ ...member, ...changes });
  });
}

/**
 * Deletes a member and their credentials.
 * @throws AppError `member_not_found`; `conflict` if no active administrator would be left
 */
export async function deleteMember(db: Db, caller: Administrator, id: string): Promise<void> {
  await changeMember(db, caller, id, async (transaction, member) => {
    await members.deleteMember(transaction, caller.organizationId, member);
    await recordAudit(transaction, caller, {
      action: "member.removed",
      target: id,
      detail: { user: member.user_id, email: member.email },
    });
  });
}

/**
 * Changes a member while the organization is locked, because two administrators who remove each
 * other at the same time must not both succeed.
 */
async function changeMember<T>(
  db: Db,
  { organizationId }: Administrator,
  id: string,
  change: (transaction: Db, member: members.MemberRow) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const member = isId(id) ? await members.findMember(transaction, organizationId, id) : undefined;
    if (!member) throw new AppError("member_not_found");
    const result = await change(transaction, member);
    await refuseLockout(transaction, organizationId);
    return result;
  });
}

/**
 * @throws AppError `conflict` if the organization has no active administrator any more, or if no
 * administrator could sign in if its provider fails
 */
async function refuseLockout(db: Db, organizationId: string): Promise<void> {
  if ((await members.countAdministrators(db, organizationId)) === 0)
    throw new AppError("conflict", undefined, {
      message: "The last active administrator must stay an administrator.",
    });
  if (await members.isBreakGlassMissing(db, organizationId))
    throw new AppError("conflict", undefined, {
      message: "This administrator can sign in if the provider fails. Choose another administrator for that first.",
    });
}

const memberJson = ({ id, user_id, name, email, role, status, created_at }: members.MemberRow): MemberJson => ({
  id,
  user_id,
  name,
  email,
  role,
  status,
  created_at,
});
