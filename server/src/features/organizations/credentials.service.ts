/** API credentials, and the access tokens issued for them. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { CreatedCredentialJson, CredentialJson } from "@sheaf/contract/organization.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit, timeOf } from "../audit/audit.service.ts";
import * as credentials from "./credentials.repo.ts";
import { findAdministrator, findOrganization } from "./organizations.repo.ts";

export interface CredentialDeps {
  db: Db;
  keys: Keys;
  tokenLifetimeSeconds: number;
}

export interface NewCredential {
  clientId: string;
  /** Secret of the client. It is shown once; only its hash is stored. */
  clientSecret: string;
}

export interface AccessToken {
  accessToken: string;
  lifetimeSeconds: number;
}

/**
 * Loads the JWT library when the first token is issued or verified, because loading its 46 modules
 * would delay every start.
 */
const loadJose = () => import("jose");

const algorithm = "HS256";
const claims = { issuer: "sheaf", audience: "sheaf-api" };
const tokenType = "at+jwt";
/**
 * Claim that contains the organization id. It allows a token of a deleted organization to be
 * refused with a specific error code.
 */
const organizationClaim = "org";
/**
 * Minimum time until a failed attempt is refused, in milliseconds. Without it, the response time
 * would reveal whether the credential exists, because looking up an existing row takes 0.01 ms
 * longer.
 */
const failureMs = 20;
const noCredential = "00000000-0000-7000-8000-000000000000";

/** Settings of a new credential. */
export interface CredentialInput {
  name: string;
  /** Time in ISO 8601; undefined if the credential never expires. */
  expires_at?: string | undefined;
}

/**
 * Creates a credential for the organization's first administrator.
 * @param deps `db` is a transaction
 */
export async function createCredential(
  deps: Pick<CredentialDeps, "db" | "keys">,
  organizationId: string,
  input: CredentialInput,
  by: AuditActor,
): Promise<NewCredential> {
  const member = await findAdministrator(deps.db, organizationId);
  if (!member) throw new Error("The organization has no active administrator who could own the credential.");
  return insertCredential(deps, { organizationId, memberId: member.id, ...input }, by);
}

/** Creates a credential for the caller, with the caller's permissions. */
export async function createOwnCredential(
  { db, keys }: Pick<CredentialDeps, "db" | "keys">,
  caller: Caller,
  input: CredentialInput,
  atCommit?: AtCommit<CreatedCredentialJson>,
): Promise<CreatedCredentialJson> {
  return db.transaction().execute(async (transaction) => {
    const { organizationId, memberId } = caller;
    const owned = { organizationId, memberId, ...input };
    const { clientId, clientSecret } = await insertCredential({ db: transaction, keys }, owned, caller);
    const row = await credentials.getCredential(transaction, clientId);
    const created = { ...credentialJson(row), client_secret: clientSecret };
    await atCommit?.(transaction, created);
    return created;
  });
}

async function insertCredential(
  deps: Pick<CredentialDeps, "db" | "keys">,
  { organizationId, memberId, name, expires_at }: CredentialInput & { organizationId: string; memberId: string },
  by: AuditActor,
): Promise<NewCredential> {
  const expiresAt = expires_at === undefined ? null : expiryOf(expires_at);
  const clientSecret = `sheaf_${randomBytes(32).toString("base64url")}`;
  const credential = {
    id: newId(),
    organizationId,
    memberId,
    name,
    secretHash: hash(deps.keys, clientSecret).toString("hex"),
    expiresAt,
    now: now(),
  };
  await credentials.insertCredential(deps.db, credential);
  const detail = { name, member: memberId, ...(expiresAt !== null && { expires_at: expiresAt }) };
  await recordAudit(deps.db, by, { organizationId, action: "credential.created", target: credential.id, detail });
  return { clientId: credential.id, clientSecret };
}

/** @throws AppError `invalid_request` for an invalid or past time */
function expiryOf(text: string): string {
  const time = timeOf(text);
  if (time !== undefined && time > now()) return time;
  const message = "must be a future time in ISO 8601";
  throw new AppError("invalid_request", { issues: [{ path: "/expires_at", message }] });
}

/**
 * Exchanges client credentials for an access token.
 * @throws AppError `invalid_client`; an unknown id, a wrong secret and a credential that can no
 * longer be used cause the same error
 */
export async function issueToken(deps: CredentialDeps, clientId: string, clientSecret: string): Promise<AccessToken> {
  // The timer starts before the check, so that the time of the response does not reveal how long
  // the check takes.
  const failure = setTimeout(failureMs, undefined, { ref: false });
  const owner = await credentials.findCredentialOwner(deps.db, isId(clientId) ? clientId : noCredential);
  // For an unknown id, compares with a dummy hash, so that the response takes as long as for a
  // known id.
  const expected = Buffer.from(owner?.secret_hash ?? "0".repeat(64), "hex");
  const matches = timingSafeEqual(hash(deps.keys, clientSecret), expected);
  if (!owner || !matches || !isUsable(owner)) {
    await failure;
    throw new AppError("invalid_client");
  }
  await noteUse(deps.db, clientId, owner);
  const lifetimeSeconds = deps.tokenLifetimeSeconds;
  const { SignJWT } = await loadJose();
  const { kid, key } = deps.keys.tokens.signing;
  const accessToken = await new SignJWT({ [organizationClaim]: owner.organization_id })
    .setProtectedHeader({ alg: algorithm, typ: tokenType, kid })
    .setIssuer(claims.issuer)
    .setAudience(claims.audience)
    .setSubject(clientId)
    .setJti(newId())
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(key);
  return { accessToken, lifetimeSeconds };
}

/**
 * Returns the caller whom a token identifies. The claims of the token are compared with the
 * database on each request, so that revoking a credential, disabling a member or switching off the
 * API takes effect at once.
 * @throws AppError `unauthorized`; `forbidden` if the organization's API is switched off;
 * `organization_not_found` if the organization was deleted after the token was issued
 */
export async function authenticate(
  deps: Pick<CredentialDeps, "db" | "keys">,
  token: string | undefined,
  origin: Pick<Caller, "address" | "requestId">,
): Promise<Caller> {
  const { credentialId, organizationId } = await verifiedSubject(deps.keys, token);
  const owner = await credentials.findCredentialOwner(deps.db, credentialId);
  if (!owner && organizationId !== undefined && !(await findOrganization(deps.db, organizationId)))
    throw new AppError("organization_not_found");
  if (!owner || !isUsable(owner)) throw new AppError("unauthorized");
  if (!owner.api_enabled) throw new AppError("forbidden", undefined, { message: "API access is switched off." });
  await noteUse(deps.db, credentialId, owner);
  return {
    organizationId: owner.organization_id,
    memberId: owner.member_id,
    userId: owner.user_id,
    role: owner.role,
    channel: "api",
    credentialId,
    ...origin,
  };
}

/**
 * Records the last use of a credential, but at most once per minute per credential, to save writes.
 */
async function noteUse(db: Db, id: string, { last_used_at }: credentials.CredentialOwnerRow): Promise<void> {
  const at = now();
  if (last_used_at === null || Date.parse(at) - Date.parse(last_used_at) > 60_000)
    await credentials.updateLastUse(db, id, at);
}

interface Subject {
  credentialId: string;
  /** Undefined in tokens issued by versions that did not set this claim. */
  organizationId: string | undefined;
}

interface VerifiedToken extends Subject {
  kid: string | undefined;
  key: Uint8Array;
  expiresAtMs: number;
}

/**
 * Maximum number of verified tokens that are kept in memory. At about 1 KB each, they take 2 MB.
 */
const maxVerifiedTokens = 2_000;
/**
 * Tokens whose signature was found valid. Verifying the token on every request would delay each
 * request by 0.4 ms and occupy a thread of the thread pool.
 */
const verifiedTokens = new WeakMap<Keys, RecentMap<string, VerifiedToken>>();

async function verifiedSubject(keys: Keys, token: string | undefined): Promise<Subject> {
  if (!token || token.length > 2048) throw new AppError("unauthorized");
  const remembered = verifiedTokens.get(keys) ?? new RecentMap(maxVerifiedTokens);
  verifiedTokens.set(keys, remembered);
  const known = remembered.get(token);
  // The key may have expired or been revoked since the token was verified.
  if (known && known.expiresAtMs > Date.now() && (await keys.tokens.verifying(known.kid)) === known.key) return known;
  const verified = await verify(keys, token);
  remembered.set(token, verified);
  return verified;
}

async function verify(keys: Keys, token: string): Promise<VerifiedToken> {
  const { errors, jwtVerify } = await loadJose();
  try {
    const keyOf = async ({ kid }: { kid?: unknown }) => {
      const key = await keys.tokens.verifying(kid);
      if (!key) throw new AppError("unauthorized");
      return key;
    };
    const { payload, protectedHeader, key } = await jwtVerify(token, keyOf, {
      algorithms: [algorithm],
      typ: tokenType,
      ...claims,
      requiredClaims: ["exp", "sub"],
    });
    const { sub, exp, [organizationClaim]: organizationId } = payload;
    return {
      credentialId: sub as string,
      organizationId: typeof organizationId === "string" && isId(organizationId) ? organizationId : undefined,
      kid: protectedHeader.kid,
      key: key as Uint8Array,
      expiresAtMs: (exp as number) * 1000,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new AppError("unauthorized", undefined, { cause: error });
    throw error;
  }
}

const isUsable = (owner: credentials.CredentialOwnerRow): boolean =>
  owner.revoked_at === null && owner.status === "active" && (owner.expires_at === null || owner.expires_at > now());

const hash = (keys: Keys, secret: string): Buffer =>
  createHmac("sha256", keys.credentialPepper).update(secret).digest();

/** Lists all credentials of an organization, for the operator. */
export const listCredentials = (db: Db, organizationId: string): Promise<credentials.CredentialRow[]> =>
  credentials.listCredentials(db, { organizationId });

/**
 * Lists the credentials that a caller may see. Administrators see all, other members only their
 * own.
 */
export async function listCredentialsOf(db: Db, caller: Caller, page: PageRequest): Promise<ListPage<CredentialJson>> {
  const rows = await credentials.listCredentials(db, ownedBy(caller), page);
  return pageOf(rows, page, ({ created_at, id }) => [created_at, id], credentialJson);
}

/**
 * @throws AppError `credential_not_found` if the caller may not see the credential, or it is not
 * active
 */
export async function revokeCredentialOf(db: Db, caller: Caller, clientId: string): Promise<void> {
  const found = isId(clientId) && (await credentials.findCredential(db, ownedBy(caller), clientId));
  if (!found || !(await revoke(db, clientId, caller))) throw new AppError("credential_not_found");
}

/** @throws Error if there is no such credential, or it is already revoked */
export async function revokeCredential(db: Db, clientId: string, by: AuditActor): Promise<void> {
  if (!(await revoke(db, clientId, by))) throw new Error(`There is no active credential ${clientId}.`);
}

const ownedBy = ({ organizationId, memberId, role }: Caller): credentials.Owner =>
  role === "administrator" ? { organizationId } : { organizationId, memberId };

/** Returns false if there is nothing to revoke. */
async function revoke(db: Db, clientId: string, by: AuditActor): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const revoked = await credentials.revokeCredential(transaction, clientId, now());
    if (!revoked) return false;
    const { organization_id: organizationId, name } = revoked;
    const entry = { organizationId, action: "credential.revoked", target: clientId, detail: { name } };
    await recordAudit(transaction, by, entry);
    return true;
  });
}

const credentialJson = (row: credentials.CredentialRow): CredentialJson => ({
  client_id: row.id,
  name: row.name,
  member_id: row.member_id,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  revoked_at: row.revoked_at,
  expires_at: row.expires_at,
});
