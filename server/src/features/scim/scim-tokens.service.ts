/** Tokens that the identity provider of an organization uses to provision its members. */
import { createHmac, randomBytes } from "node:crypto";
import { limits } from "@sheaf/contract/limits.ts";
import type { CreatedScimTokenJson, ScimTokenJson } from "@sheaf/contract/scim.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import { lockOrganization } from "../organizations/organizations.service.ts";
import * as tokens from "./scim-tokens.repo.ts";

export interface ScimTokenDeps {
  db: Db;
  keys: Keys;
}

/** An identity provider that authenticated with a token and acts for an organization. */
export interface Provisioner {
  organizationId: string;
  tokenId: string;
  /** Client address and request id, for the audit log. */
  source: Pick<Caller, "address" | "requestId">;
}

/** Returns the actor that the audit log records for actions of an identity provider. */
export const actorOf = ({ organizationId, tokenId, source }: Provisioner): AuditActor => ({
  operator: `scim ${tokenId}`,
  organizationId,
  source,
});

export async function listScimTokens(
  { db }: Pick<ScimTokenDeps, "db">,
  organizationId: string,
  page: PageRequest = {},
): Promise<ListPage<ScimTokenJson>> {
  const rows = await tokens.listTokens(db, organizationId, page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], scimTokenJson);
}

/** @throws AppError `conflict` if the organization has too many tokens */
export async function createScimToken(
  { db, keys }: ScimTokenDeps,
  by: AuditActor,
  { organizationId, name }: { organizationId: string; name: string },
  atCommit?: AtCommit<CreatedScimTokenJson>,
): Promise<CreatedScimTokenJson> {
  const token = `scim_${randomBytes(32).toString("base64url")}`;
  const created = { id: newId(), name, created_at: now(), last_used_at: null, token };
  await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    if ((await tokens.listTokens(transaction, organizationId, {})).length >= limits.maxScimTokens)
      throw new AppError("conflict", undefined, { message: "The organization has too many SCIM tokens: revoke one." });
    const { id, created_at } = created;
    const row = { id, organization_id: organizationId, name, token_hash: hashOf(keys, token), created_at };
    await tokens.insertToken(transaction, row);
    await recordAudit(transaction, by, { organizationId, action: "scim_token.created", target: id, detail: { name } });
    await atCommit?.(transaction, created);
  });
  return created;
}

/** @throws AppError `not_found` */
export async function revokeScimToken(
  { db }: Pick<ScimTokenDeps, "db">,
  by: AuditActor,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const name = isId(id) ? await tokens.deleteToken(transaction, organizationId, id) : undefined;
    if (name === undefined) throw new AppError("not_found", undefined, { message: "No such SCIM token." });
    await recordAudit(transaction, by, { organizationId, action: "scim_token.revoked", target: id, detail: { name } });
  });
}

/**
 * Returns the provisioner of a token. The token is looked up by its keyed hash, so the time that a
 * refusal takes reveals nothing about stored tokens.
 * @throws AppError `unauthorized`
 */
export async function authenticateProvisioner(
  { db, keys }: ScimTokenDeps,
  token: string | undefined,
  source: Provisioner["source"],
): Promise<Provisioner> {
  const row = token === undefined ? undefined : await tokens.findToken(db, hashOf(keys, token));
  if (row === undefined)
    throw new AppError("unauthorized", undefined, {
      message: "A valid SCIM token is required, as Authorization: Bearer.",
    });
  const at = now();
  // At most one write per token per minute.
  if (row.last_used_at === null || Date.parse(at) - Date.parse(row.last_used_at) > 60_000)
    await tokens.noteUse(db, row.id, at);
  return { organizationId: row.organization_id, tokenId: row.id, source };
}

const hashOf = ({ credentialPepper }: Keys, token: string): string =>
  createHmac("sha256", credentialPepper).update(`scim ${token}`).digest("hex");

const scimTokenJson = ({ id, name, created_at, last_used_at }: tokens.ScimTokenRow): ScimTokenJson => ({
  id,
  name,
  created_at,
  last_used_at,
});
