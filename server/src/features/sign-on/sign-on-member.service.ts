/**
 * Finds the member who owns an account at the identity provider of an organization. At the first
 * sign-in, the account is connected to the member with the same address. If no member has this
 * address, a new member is created. Decision 0074 explains the rules.
 */
import { limits } from "@sheaf/contract/limits.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { createUserOfProvider, plainAddress, shownName } from "../identity/users.service.ts";
import * as members from "../organizations/members.service.ts";
import { lockOrganization } from "../organizations/organizations.service.ts";
import { applyClaim } from "./group-mapping.service.ts";
import { type Claims, signOnFailed } from "./provider.ts";
import * as repo from "./sign-on.repo.ts";

/** A Google account may have a verified address that the owner of the domain does not control. */
const google = "https://accounts.google.com";

type Source = Pick<Caller, "address" | "requestId">;

/**
 * Returns the id of the user to whom the verified claims belong. The user is an active member of
 * the provider's organization. Sets the role and the groups of the member according to the claims.
 * @throws AppError `sign_on_failed`
 */
export async function memberOf(db: Db, provider: repo.ProviderRow, claims: Claims, source: Source): Promise<string> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await lockOrganization(transaction, provider.organization_id);
      const member = await findOrJoin(transaction, provider, claims, source);
      // A missing groups claim counts as a claim without values.
      if (provider.groups_claim !== null)
        await applyClaim(transaction, provider, member, valuesOf(claims[provider.groups_claim]));
      return member.user_id;
    });
  } catch (error) {
    if (error instanceof AppError && error.code === "sign_on_failed")
      await recordAudit(
        db,
        { stranger: source },
        {
          organizationId: provider.organization_id,
          action: "sign_on.refused",
          target: null,
          detail: { ...error.detail, subject: claims.sub, address: addressOf(claims) ?? null },
        },
      );
    throw error;
  }
}

async function findOrJoin(
  db: Db,
  provider: repo.ProviderRow,
  claims: Claims,
  source: Source,
): Promise<members.MemberRow> {
  const { organization_id: organizationId, issuer } = provider;
  const identity = { organizationId, issuer, subject: claims.sub };
  const user = await repo.findUserOf(db, identity);
  const known = user === undefined ? undefined : await members.findMemberOfUser(db, organizationId, user);
  if (known?.status === "active") {
    await repo.noteUse(db, identity, now());
    return known;
  }
  if (known !== undefined) throw signOnFailed("no_member");
  const address = await vouchedAddress(db, provider, claims);
  const found = await members.findMemberByEmail(db, organizationId, address);
  if (user !== undefined) {
    // A removed member cannot return by signing in, unless a new invitation has made the user a
    // member again.
    if (found === undefined) throw signOnFailed("no_member");
    await repo.deleteIdentity(db, identity);
  }
  const member = found ?? (await createMember(db, organizationId, { address, name: nameOf(claims) ?? address }));
  if (member.status !== "active") throw signOnFailed("no_member");
  // The member is already connected to another account, which belongs to another person: the
  // provider has since given the address to a new account.
  if (await repo.isConnected(db, organizationId, member.user_id)) throw signOnFailed("another_account");
  await repo.insertIdentity(db, identity, { userId: member.user_id, now: now() });
  await recordAudit(
    db,
    { stranger: source },
    {
      organizationId,
      action: "sign_on.connected",
      target: member.id,
      detail: { issuer, subject: claims.sub, address },
    },
  );
  return member;
}

/**
 * Returns the address for which both the provider and the operator vouch: the provider has verified
 * it, and its domain belongs to the organization.
 */
async function vouchedAddress(db: Db, { organization_id, issuer }: repo.ProviderRow, claims: Claims): Promise<string> {
  const address = addressOf(claims);
  if (address === undefined || claims.email_verified !== true) throw signOnFailed("unverified_address");
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const isManaged = issuer !== google || claims.hd === domain;
  if (!isManaged || (await repo.findOwner(db, domain)) !== organization_id) throw signOnFailed("foreign_domain");
  return address;
}

const addressOf = ({ email }: Claims): string | undefined =>
  typeof email === "string" && email.length <= limits.emailMaxLength ? plainAddress(email) : undefined;

const nameOf = ({ name }: Claims): string | undefined => (typeof name === "string" ? shownName(name) : undefined);

async function createMember(
  db: Db,
  organizationId: string,
  user: { address: string; name: string },
): Promise<members.MemberRow> {
  return members.admitMember(db, organizationId, await createUserOfProvider(db, user));
}

function valuesOf(claim: unknown): ReadonlySet<string> {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return new Set(values.filter((value) => typeof value === "string"));
}
