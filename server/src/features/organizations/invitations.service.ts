/** Invitations to an organization. No mail is sent: the inviter passes the token on. */
import { createHmac, randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { CreatedInvitationJson, InvitationJson } from "@sheaf/contract/organization.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import { type Caller, onBehalfOf } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { MemberRole } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { completeSignIn } from "../identity/second-factor.service.ts";
import { createUser, emailOf, findByPassword, prepareUser } from "../identity/users.service.ts";
import * as invitations from "./invitations.repo.ts";
import { findMemberByEmail } from "./members.repo.ts";
import { insertMember, lockOrganization } from "./organizations.repo.ts";

export interface InvitationDeps {
  db: Db;
  keys: Keys;
}

const validMs = 7 * 24 * 3600 * 1000;

export async function listInvitations(
  { db }: Pick<InvitationDeps, "db">,
  { organizationId }: Caller,
  page: PageRequest,
): Promise<ListPage<InvitationJson>> {
  const rows = await invitations.listInvitations(db, organizationId, now(), page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], invitationJson);
}

/**
 * @throws AppError `invalid_request` if `email` is not an email address; `conflict` if a member
 * already has that address
 */
export async function createInvitation(
  { db, keys }: InvitationDeps,
  actor: AuditActor,
  organizationId: string,
  input: { email: string; role?: MemberRole },
  atCommit?: AtCommit<CreatedInvitationJson>,
): Promise<CreatedInvitationJson> {
  const token = `inv_${randomBytes(32).toString("base64url")}`;
  const row = {
    id: newId(),
    organization_id: organizationId,
    email: emailOf(input.email),
    role: input.role ?? "member",
    created_at: now(),
    expires_at: new Date(Date.now() + validMs).toISOString(),
  };
  const created = { ...invitationJson(row), token };
  await db.transaction().execute(async (transaction) => {
    if (await findMemberByEmail(transaction, organizationId, row.email))
      throw new AppError("conflict", undefined, { message: "A member already has this address." });
    await invitations.cancelInvitations(transaction, organizationId, { email: row.email });
    const inviter_id = "userId" in actor ? actor.userId : null;
    await invitations.insertInvitation(transaction, { ...row, inviter_id, token_hash: hashOf(keys, token) });
    const detail = { email: row.email, role: row.role };
    await recordAudit(transaction, actor, { organizationId, action: "invitation.created", target: row.id, detail });
    await atCommit?.(transaction, created);
  });
  return created;
}

/** @throws AppError `invitation_not_found` */
export async function deleteInvitation({ db }: Pick<InvitationDeps, "db">, caller: Caller, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const voided = isId(id) ? await invitations.cancelInvitations(transaction, caller.organizationId, { id }) : 0;
    if (voided === 0) throw new AppError("invitation_not_found");
    await recordAudit(transaction, caller, { action: "invitation.canceled", target: id });
  });
}

/**
 * Cancels the open invitations to an address, so that a removed member, for example, cannot use one
 * to come back.
 * @param db the transaction that removes the member or changes the member's address
 */
export async function cancelInvitationsTo(db: Db, organizationId: string, email: string): Promise<void> {
  await invitations.cancelInvitations(db, organizationId, { email });
}

/**
 * Minimum duration of accepting an invitation, in milliseconds. Without it, the response time would
 * reveal whether the address already has users.
 */
const acceptMs = 250;

/**
 * Accepts an invitation, and returns the id of the user who becomes a member. This is, in order of
 * preference:
 * - the signed-in user, if the invited address is theirs
 * - the user with the invited address and this password
 * - a new user with the invited address and this password
 *
 * Other users with the address are neither used nor revealed.
 * @throws AppError `invitation_not_found`; `invalid_request` for a weak password of a new user;
 * `second_factor_required` if the user with this password needs a code
 */
export async function acceptInvitation(
  { db, keys }: InvitationDeps,
  { token, name, password, code }: { token: string; name?: string; password: string; code?: string },
  { address, requestId, signedIn }: Source & { signedIn: { id: string; email: string } | undefined },
): Promise<string> {
  const end = setTimeout(acceptMs, undefined, { ref: false });
  const invitation = await invitations.findInvitation(db, hashOf(keys, token), now());
  if (!invitation) throw new AppError("invitation_not_found");
  const { email } = invitation;
  try {
    const source = { address, requestId };
    const match = signedIn?.email === email ? undefined : await findByPassword(db, email, password, source);
    if (match) await completeSignIn({ db, keys }, match, code, source);
    const known = signedIn?.email === email ? signedIn.id : match?.userId;
    const user = known ?? (await prepareUser(name ?? email, email, password));
    return await db.transaction().execute(async (transaction) => {
      const userId = typeof user === "string" ? user : await createUser(transaction, user);
      await becomeMember(transaction, invitation, userId, source);
      return userId;
    });
  } finally {
    await end;
  }
}

type Source = Pick<Caller, "address" | "requestId">;

async function becomeMember(
  db: Db,
  { id, email, role, organization_id: organizationId }: invitations.InvitationRow,
  userId: string,
  source: Source,
): Promise<void> {
  // Locks the organization, because an identity provider may create a member with this address at
  // the same time.
  await lockOrganization(db, organizationId);
  const isOpen = await invitations.acceptInvitation(db, id);
  if (!isOpen || (await findMemberByEmail(db, organizationId, email))) throw new AppError("invitation_not_found");
  const memberId = newId();
  await insertMember(db, { id: memberId, organizationId, userId, role, now: now() });
  const member: Caller = {
    ...onBehalfOf(organizationId),
    memberId,
    userId,
    role,
    channel: "app",
    credentialId: null,
    ...source,
  };
  await recordAudit(db, member, { action: "invitation.accepted", target: id });
}

const hashOf = ({ credentialPepper }: Keys, token: string): string =>
  createHmac("sha256", credentialPepper).update(`invitation ${token}`).digest("hex");

const invitationJson = ({ id, email, role, created_at, expires_at }: invitations.InvitationRow): InvitationJson => ({
  id,
  email,
  role,
  created_at,
  expires_at,
});
