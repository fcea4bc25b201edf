/**
 * SCIM users: the members of an organization, as its identity provider creates, changes and removes
 * them. Decision 0081 explains what the provider may change.
 */
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { endAccessToOrganization } from "../identity/sessions.service.ts";
import { createUserOfProvider, isManagedBy, shownName, updateManagedUser } from "../identity/users.service.ts";
import { cancelInvitationsTo } from "../organizations/invitations.service.ts";
import * as members from "../organizations/members.service.ts";
import { lockOrganization } from "../organizations/organizations.service.ts";
import { isOwnAddress } from "../sign-on/domains.service.ts";
import { changesOf, type Resource } from "./patch.ts";
import { invalidValue, notUnique, ScimError } from "./scim-error.ts";
import { fitting, type ListRequest } from "./scim-list.ts";
import { actorOf, type Provisioner } from "./scim-tokens.service.ts";
import * as repo from "./scim-users.repo.ts";
import { addressOf, patchedUser, type UserAttributes, userAttributes } from "./user-attributes.ts";

/** A user with the SCIM groups that the user belongs to. */
export interface ScimUser extends repo.ScimUserRow {
  groups: readonly { id: string; display_name: string }[];
}

export const { isFilterable } = repo;

export async function listUsers(
  db: Db,
  { organizationId }: Provisioner,
  { filter, startIndex, count }: ListRequest,
): Promise<{ users: ScimUser[]; totalResults: number }> {
  const totalResults = await repo.countUsers(db, organizationId, filter);
  const page = { offset: startIndex - 1, limit: count };
  const found = count === 0 ? [] : await repo.listUsers(db, organizationId, filter, page);
  const rows = fitting(found, await repo.countGroupsOf(db, idsOf(found)));
  return { users: await withGroups(db, organizationId, rows), totalResults };
}

/** @throws ScimError 404 */
export async function getUser(db: Db, { organizationId }: Provisioner, id: string): Promise<ScimUser> {
  const [user] = await withGroups(db, organizationId, [await getRow(db, organizationId, id)]);
  return user as ScimUser;
}

async function withGroups(db: Db, organizationId: string, rows: readonly repo.ScimUserRow[]): Promise<ScimUser[]> {
  const groups = Map.groupBy(await repo.listGroupsOf(db, organizationId, idsOf(rows)), ({ member_id }) => member_id);
  return rows.map((row) => ({ ...row, groups: groups.get(row.id) ?? [] }));
}

const idsOf = (rows: readonly repo.ScimUserRow[]): string[] => rows.map(({ id }) => id);

async function getRow(db: Db, organizationId: string, id: string): Promise<repo.ScimUserRow> {
  const row = isId(id) ? await repo.findUser(db, organizationId, id) : undefined;
  if (row === undefined) throw new ScimError(404, "No such user.");
  return row;
}

/**
 * Creates a member. The domain of the address must belong to the organization, as for members
 * created at their first sign-on. A user of another organization with the same address is neither
 * reused nor revealed.
 * @throws ScimError
 */
export async function createUser(db: Db, provisioner: Provisioner, body: Resource): Promise<ScimUser> {
  const { organizationId } = provisioner;
  const attributes = userAttributes(body);
  const address = attributes.email ?? addressOf(attributes.userName);
  if (address === undefined) throw invalidValue("An email address is required, in emails or as userName.");
  return db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const problem = await addressProblem(transaction, organizationId, address);
    if (problem !== undefined) throw problem;
    if (await repo.isUserNameTaken(transaction, organizationId, attributes.userName))
      throw nameTaken(attributes.userName);
    const userId = await createUserOfProvider(transaction, { name: nameOf(attributes) ?? address, address });
    const member = await members.admitMember(transaction, organizationId, userId);
    if (attributes.active === false) await members.setStatus(transaction, organizationId, member, "disabled");
    await putAttributes(transaction, organizationId, member.id, attributes);
    const detail = { email: address, user_name: attributes.userName, active: attributes.active ?? true };
    await recordAudit(transaction, actorOf(provisioner), { action: "member.provisioned", target: member.id, detail });
    return getUser(transaction, provisioner, member.id);
  });
}

/**
 * Replaces the attributes of a user. Access and address stay unchanged if the body does not set
 * them.
 * @throws ScimError; AppError `conflict` if no active administrator would be left
 */
export async function replaceUser(db: Db, provisioner: Provisioner, id: string, body: Resource): Promise<ScimUser> {
  const attributes = userAttributes(body);
  return changeUser(db, provisioner, id, () => attributes);
}

/** @throws ScimError; AppError `conflict` if no active administrator would be left */
export async function patchUser(db: Db, provisioner: Provisioner, id: string, body: Resource): Promise<ScimUser> {
  const changes = changesOf(body);
  return changeUser(db, provisioner, id, (row) => patchedUser(attributesOf(row), changes));
}

const attributesOf = (row: repo.ScimUserRow): UserAttributes => ({
  userName: row.user_name,
  externalId: row.external_id,
  displayName: row.display_name,
  formattedName: row.formatted_name,
  givenName: row.given_name,
  familyName: row.family_name,
  email: undefined,
  active: undefined,
});

async function changeUser(
  db: Db,
  provisioner: Provisioner,
  id: string,
  attributesFor: (row: repo.ScimUserRow) => UserAttributes,
): Promise<ScimUser> {
  const { organizationId } = provisioner;
  return db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const row = await getRow(transaction, organizationId, id);
    const attributes = attributesFor(row);
    const changes = {
      ...(await changeAccount(transaction, organizationId, row, attributes)),
      ...(await changeAttributes(transaction, organizationId, row, attributes)),
      ...(await changeStatus(transaction, organizationId, row, attributes.active)),
    };
    if (Object.keys(changes).length > 0) {
      const detail = { by: "scim", ...changes };
      await recordAudit(transaction, actorOf(provisioner), { action: "member.changed", target: row.id, detail });
    }
    return getUser(transaction, provisioner, row.id);
  });
}

/** Changed attributes, as recorded in the audit log. */
type Changes = Record<string, unknown>;

/**
 * Changes the name and the address of the account. Leaves both unchanged if the account has a
 * password or also belongs to other organizations, because then the provider is not the only one in
 * charge of the account.
 * @throws ScimError if the address cannot be changed. Does not throw if the request also removes
 * the user's access, because removing access must always succeed.
 */
async function changeAccount(
  db: Db,
  organizationId: string,
  row: repo.ScimUserRow,
  attributes: UserAttributes,
): Promise<Changes> {
  const wanted = wantedAddress(row, attributes);
  const refusal = wanted === row.address ? undefined : await refusalOf(db, organizationId, row.user_id, wanted);
  if (refusal !== undefined && attributes.active !== false) throw refusal;
  const address = refusal === undefined ? wanted : row.address;
  const name = nameOf(attributes) ?? row.name;
  if (address === row.address && name === row.name) return {};
  if (!(await isManagedBy(db, row.user_id, organizationId))) return {};
  await updateManagedUser(db, row.user_id, { name, address });
  // Cancels invitations to the former address, because no member has it any more.
  if (address !== row.address) await cancelInvitationsTo(db, organizationId, row.address);
  return { ...(name !== row.name && { name }), ...(address !== row.address && { email: address }) };
}

/** Returns why the address of an account cannot be changed; undefined if it can. */
async function refusalOf(
  db: Db,
  organizationId: string,
  userId: string,
  address: string,
): Promise<ScimError | undefined> {
  if (await isManagedBy(db, userId, organizationId)) return addressProblem(db, organizationId, address);
  return new ScimError(
    400,
    "The email address of this user cannot be changed: the account has a password, or belongs to other organizations too.",
    "mutability",
  );
}

/**
 * Returns the address that the user should have. If the user name is the address, changing the user
 * name changes the address too.
 */
function wantedAddress(row: repo.ScimUserRow, { email, userName }: UserAttributes): string {
  const isTied = row.user_name_key === row.address;
  return email ?? (isTied ? addressOf(userName) : undefined) ?? row.address;
}

/**
 * Stores changed attributes. If another member already has the user name, stores nothing and throws
 * an error. However, a request that removes the user's access never throws this error.
 */
async function changeAttributes(
  db: Db,
  organizationId: string,
  row: repo.ScimUserRow,
  attributes: UserAttributes,
): Promise<Changes> {
  const { email: _, active: __, ...before } = attributesOf(row);
  const changed = Object.entries(before).filter(([name, value]) => attributes[name as keyof typeof before] !== value);
  // If only the access changes, the user name is not checked, so that a duplicate name cannot
  // prevent the change.
  if (changed.length === 0) return {};
  // A member without a stored user name uses the address as user name, which another member may
  // already have stored. So the name is also checked when it is stored for the first time.
  if (!row.is_provisioned || attributes.userName.toLowerCase() !== row.user_name_key) {
    const isTaken = await repo.isUserNameTaken(db, organizationId, attributes.userName, row.id);
    if (isTaken && attributes.active === false) return {};
    if (isTaken) throw nameTaken(attributes.userName);
  }
  await putAttributes(db, organizationId, row.id, attributes);
  const { userName: user_name, externalId: external_id } = attributes;
  return { user_name, external_id, attributes: changed.map(([name]) => name) };
}

async function changeStatus(
  db: Db,
  organizationId: string,
  row: repo.ScimUserRow,
  active: boolean | undefined,
): Promise<Changes> {
  const status = active === false ? "disabled" : "active";
  if (active === undefined || status === row.status) return {};
  await members.setStatus(db, organizationId, row, status);
  if (status === "disabled") await endAccessToOrganization(db, row.user_id, organizationId);
  return { status };
}

/**
 * Removes a member. The account and everything that the member created are kept.
 * @throws ScimError 404; AppError `conflict` if no active administrator would be left
 */
export async function deleteUser(db: Db, provisioner: Provisioner, id: string): Promise<void> {
  const { organizationId } = provisioner;
  await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const { user_id, address } = await getRow(transaction, organizationId, id);
    const member = await members.findMember(transaction, organizationId, id.toLowerCase());
    if (member === undefined) throw new AppError("member_not_found");
    await members.removeMember(transaction, organizationId, member);
    await cancelInvitationsTo(transaction, organizationId, address);
    await endAccessToOrganization(transaction, user_id, organizationId);
    const detail = { by: "scim", user: user_id, email: address };
    await recordAudit(transaction, actorOf(provisioner), { action: "member.removed", target: member.id, detail });
  });
}

/** Returns why an address cannot become the address of a member; undefined if it can. */
async function addressProblem(db: Db, organizationId: string, address: string): Promise<ScimError | undefined> {
  if (!(await isOwnAddress(db, organizationId, address)))
    return invalidValue(`The domain of ${address} does not belong to the organization: its operator must add it.`);
  if ((await members.findMemberByEmail(db, organizationId, address)) !== undefined)
    return notUnique(`A user with the address ${address} exists.`);
  return undefined;
}

const nameTaken = (userName: string): ScimError => notUnique(`A user with the userName ${userName} exists.`);

function nameOf({ displayName, formattedName, givenName, familyName }: UserAttributes): string | undefined {
  const parts = [givenName, familyName].filter((part) => part !== null).join(" ");
  return shownName(displayName ?? formattedName ?? parts);
}

const putAttributes = (db: Db, organizationId: string, memberId: string, attributes: UserAttributes): Promise<void> =>
  repo.putAttributes(db, {
    member_id: memberId,
    organization_id: organizationId,
    user_name: attributes.userName,
    user_name_key: attributes.userName.toLowerCase(),
    external_id: attributes.externalId,
    display_name: attributes.displayName,
    formatted_name: attributes.formattedName,
    given_name: attributes.givenName,
    family_name: attributes.familyName,
    created_at: now(),
    updated_at: now(),
  });
