/** Invitations: how a user comes into an organization. The token goes by the hands of whoever invites; no mail is sent. */
import { createHmac, randomBytes } from "node:crypto";
import type { CreatedInvitationJson, InvitationJson } from "@sheaf/contract/organization.ts";
import { type Caller, onBehalfOf } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import { type Page, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { MemberRole } from "../../records/people-tables.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { checkPassword, emailOf, findUser, setPassword } from "../identity/users.service.ts";
import * as invitations from "./invitations.repo.ts";
import { findMemberByUser } from "./members.repo.ts";
import { insertMember, insertUser } from "./organizations.repo.ts";

export interface InvitationDeps {
  db: Db;
  keys: Keys;
}

const validMs = 7 * 24 * 3600 * 1000;

export async function listInvitations(
  { db }: Pick<InvitationDeps, "db">,
  { organizationId }: Caller,
  page: PageRequest,
): Promise<Page<InvitationJson>> {
  const rows = await invitations.listInvitations(db, organizationId, now(), page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], invitationJson);
}

/** @throws AppError `invalid_request` where that is no address; `conflict` where it is a member's already. */
export async function createInvitation(
  { db, keys }: InvitationDeps,
  actor: AuditActor,
  organizationId: string,
  input: { email: string; role?: MemberRole },
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
  await db.transaction().execute(async (transaction) => {
    const user = await findUser(transaction, row.email);
    if (user && (await findMemberByUser(transaction, organizationId, user.id)))
      throw new AppError("conflict", undefined, { message: "This address is a member's already." });
    await invitations.cancelInvitations(transaction, organizationId, { email: row.email });
    const inviter_id = "operator" in actor ? null : actor.userId;
    await invitations.insertInvitation(transaction, { ...row, inviter_id, token_hash: hashOf(keys, token) });
    const detail = { email: row.email, role: row.role };
    await recordAudit(transaction, actor, { organizationId, action: "invitation.created", target: row.id, detail });
  });
  return { ...invitationJson(row), token };
}

/** @throws AppError `invitation_not_found`. */
export async function deleteInvitation({ db }: Pick<InvitationDeps, "db">, caller: Caller, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const voided = isId(id) ? await invitations.cancelInvitations(transaction, caller.organizationId, { id }) : 0;
    if (voided === 0) throw new AppError("invitation_not_found");
    await recordAudit(transaction, caller, { action: "invitation.canceled", target: id });
  });
}

/**
 * Makes the one who was invited a member: a new user with this password, or one who has it already. Answers their address.
 * @throws AppError `invitation_not_found`; `unauthorized` where the password is not that of the user.
 */
export async function acceptInvitation(
  { db, keys }: InvitationDeps,
  { token, name, password }: { token: string; name?: string; password: string },
  origin: Pick<Caller, "address" | "requestId">,
): Promise<string> {
  const invitation = await invitations.findInvitation(db, hashOf(keys, token), now());
  if (!invitation) throw new AppError("invitation_not_found");
  const { email, role, organization_id: organizationId } = invitation;
  await db.transaction().execute(async (transaction) => {
    if (!(await invitations.acceptInvitation(transaction, invitation.id))) throw new AppError("invitation_not_found");
    const at = now();
    const known = await findUser(transaction, email);
    if (known) await checkPassword(transaction, known.id, password);
    else await insertUser(transaction, { id: newId(), name: name ?? email, email, now: at });
    const user = known ?? (await findUser(transaction, email));
    if (!user) throw new Error("The user could not be made.");
    if (!known) await setPassword(transaction, user.id, password);
    const memberId = newId();
    await insertMember(transaction, { id: memberId, organizationId, userId: user.id, role, now: at });
    const member: Caller = {
      ...onBehalfOf(organizationId),
      memberId,
      userId: user.id,
      role,
      channel: "app",
      credentialId: null,
      ...origin,
    };
    await recordAudit(transaction, member, { action: "invitation.accepted", target: invitation.id });
  });
  return email;
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
