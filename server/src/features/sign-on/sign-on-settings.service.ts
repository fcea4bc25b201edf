/** Configures the identity provider that the members of an organization use to sign in. */
import type { Issue } from "@sheaf/contract/errors.ts";
import { scimPath } from "@sheaf/contract/scim.ts";
import type { PutSignOnRequestJson, SignOnJson } from "@sheaf/contract/sign-on.ts";
import type { Administrator } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { endSignOnSessions } from "../identity/sessions.service.ts";
import { hasPassword } from "../identity/users.service.ts";
import { findGroupByName } from "../organizations/groups.service.ts";
import { findMember } from "../organizations/members.service.ts";
import { lockOrganization } from "../organizations/organizations.service.ts";
import { applyAllScimGroups } from "./group-mapping.service.ts";
import { discoverProvider, type ProviderDeps, type Registration } from "./provider.ts";
import * as repo from "./sign-on.repo.ts";

export interface SignOnDeps extends ProviderDeps {
  db: Db;
  keys: Keys;
  publicUrl: string | undefined;
  secureCookies: boolean;
}

const defaultScope = "openid email profile";

const placeOf = (organizationId: string): string => `sign-on provider ${organizationId}`;

/**
 * Returns the redirect URI of an organization. Each organization has its own URI, so that the
 * response of one provider cannot be mistaken for that of another.
 */
export const redirectUriOf = (publicUrl: string, organizationId: string): string =>
  new URL(`/sign-on/${organizationId}`, publicUrl).href;

/** Returns the registration of this service with a provider, including its secret. */
export const registrationOf = (keys: Keys, row: repo.ProviderRow): Registration => ({
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: unseal(keys, placeOf(row.organization_id), row.client_secret),
});

export async function getSignOn(
  { db, publicUrl }: Pick<SignOnDeps, "db" | "publicUrl">,
  organizationId: string,
): Promise<SignOnJson> {
  const row = await repo.findProvider(db, organizationId);
  const groups = await repo.listGroupMappings(db, organizationId);
  return {
    redirect_uri: publicUrl === undefined ? null : redirectUriOf(publicUrl, organizationId),
    scim_url: publicUrl === undefined ? null : new URL(scimPath, publicUrl).href,
    domains: await repo.listDomains(db, organizationId),
    provider: row === undefined ? null : providerJson(row, groups),
  };
}

/**
 * Checks that the provider responds, then replaces the configuration.
 * @throws AppError `conflict` without a public URL or a domain; `invalid_request`;
 * `sign_on_unavailable`
 */
export async function putSignOn(
  deps: SignOnDeps,
  caller: Administrator,
  input: PutSignOnRequestJson,
): Promise<SignOnJson> {
  const { db, keys, publicUrl } = deps;
  const { organizationId } = caller;
  if (publicUrl === undefined) throw conflict("The operator has not set SHEAF_PUBLIC_URL.");
  if ((await repo.listDomains(db, organizationId)).length === 0)
    throw conflict("The organization has no email domain: the operator must add one.");
  const registration = await registrationFrom(deps, organizationId, input);
  await checkProvider(deps, registration);
  const { issuer, clientId, clientSecret } = registration;
  await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const before = await repo.findProvider(transaction, organizationId);
    if (before !== undefined && (before.issuer !== issuer || before.client_id !== clientId))
      await forgetIdentities(transaction, organizationId);
    const enforced = input.enforced ?? false;
    const changes = {
      issuer,
      client_id: clientId,
      scope: input.scope ?? defaultScope,
      groups_claim: input.groups_claim ?? null,
      administrator_value: input.administrator_value ?? null,
      enforced,
      break_glass_member_id: enforced ? await breakGlassOf(transaction, caller, input.break_glass_member_id) : null,
    };
    await repo.putProvider(transaction, {
      organization_id: organizationId,
      ...changes,
      client_secret: seal(keys, placeOf(organizationId), clientSecret),
      created_at: now(),
      updated_at: now(),
    });
    const groups = input.groups ?? [];
    await repo.replaceGroupMappings(transaction, organizationId, await mappingsOf(transaction, organizationId, groups));
    await applyAllScimGroups(transaction, organizationId, { operator: "sign-on", organizationId });
    const detail = { ...changes, groups, secret_changed: input.client_secret !== undefined };
    await recordAudit(transaction, caller, { action: "sign_on.configured", target: organizationId, detail });
  });
  return getSignOn(deps, organizationId);
}

/** @throws AppError `not_found` */
export async function deleteSignOn(
  { db }: Pick<SignOnDeps, "db">,
  by: AuditActor,
  organizationId: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    if (!(await repo.deleteProvider(transaction, organizationId)))
      throw new AppError("not_found", undefined, { message: "The organization has no sign-on." });
    await repo.replaceGroupMappings(transaction, organizationId, []);
    await forgetIdentities(transaction, organizationId);
    await recordAudit(transaction, by, { organizationId, action: "sign_on.removed", target: organizationId });
  });
}

async function forgetIdentities(transaction: Db, organizationId: string): Promise<void> {
  await repo.deleteIdentities(transaction, organizationId);
  await endSignOnSessions(transaction, organizationId);
}

/**
 * Returns the registration that the request describes. If the request contains no secret, the
 * registration contains the stored secret, but only if the issuer and the client id are unchanged.
 * So a stored secret is never sent to a provider for which it was not entered.
 */
async function registrationFrom(
  { db, keys, allowHttp }: SignOnDeps,
  organizationId: string,
  { issuer, client_id: clientId, client_secret, scope }: PutSignOnRequestJson,
): Promise<Registration> {
  const protocol = URL.parse(issuer)?.protocol;
  if (protocol !== "https:" && !(allowHttp && protocol === "http:"))
    throw invalid({ path: "/issuer", message: "must be an https URL" });
  if (scope !== undefined && !scope.split(" ").includes("openid"))
    throw invalid({ path: "/scope", message: "must contain openid" });
  if (client_secret !== undefined) return { issuer, clientId, clientSecret: client_secret };
  const row = await repo.findProvider(db, organizationId);
  if (row?.issuer !== issuer || row.client_id !== clientId)
    throw invalid({ path: "/client_secret", message: "is required for a new issuer or client id" });
  return registrationOf(keys, row);
}

async function checkProvider(deps: SignOnDeps, registration: Registration): Promise<void> {
  try {
    await discoverProvider(deps, registration);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "sign_on_failed") throw cause;
    const message = "has no valid OpenID Connect configuration, or reports a different issuer";
    throw new AppError("invalid_request", { issues: [{ path: "/issuer", message }] }, { cause });
  }
}

async function breakGlassOf(db: Db, caller: Administrator, wanted: string | undefined): Promise<string> {
  const id = wanted ?? caller.memberId;
  const member = isId(id) ? await findMember(db, caller.organizationId, id) : undefined;
  if (member?.role === "administrator" && member.status === "active" && (await hasPassword(db, member.user_id)))
    return member.id;
  throw invalid({ path: "/break_glass_member_id", message: "must be an active administrator with a password" });
}

async function mappingsOf(
  db: Db,
  organizationId: string,
  groups: NonNullable<PutSignOnRequestJson["groups"]>,
): Promise<{ value: string; group_id: string }[]> {
  const rows = new Map<string, { value: string; group_id: string }>();
  for (const [index, { value, group }] of groups.entries()) {
    const found = await findGroupByName(db, organizationId, group);
    if (found === undefined)
      throw invalid({ path: `/groups/${index}/group`, message: "is not a group of the organization" });
    rows.set(JSON.stringify([value, found.id]), { value, group_id: found.id });
  }
  return [...rows.values()];
}

const providerJson = (
  row: repo.ProviderRow,
  groups: readonly repo.GroupMappingRow[],
): NonNullable<SignOnJson["provider"]> => ({
  issuer: row.issuer,
  client_id: row.client_id,
  scope: row.scope,
  groups_claim: row.groups_claim,
  administrator_value: row.administrator_value,
  groups: groups.map(({ value, name }) => ({ value, group: name })),
  enforced: Boolean(row.enforced),
  break_glass_member_id: row.break_glass_member_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

const invalid = (issue: Issue): AppError => new AppError("invalid_request", { issues: [issue] });
const conflict = (message: string): AppError => new AppError("conflict", undefined, { message });
