/** API credentials and the access tokens that they are exchanged for. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { errors as joseErrors, jwtVerify, SignJWT } from "jose";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Keys } from "../../lib/keys.ts";
import type { Db } from "../../records/records.ts";
import { type AuditActor, recordAudit } from "../audit/audit.service.ts";
import * as credentials from "./credentials.repo.ts";
import { findAdministrator } from "./organizations.repo.ts";

export interface CredentialDeps {
  db: Db;
  keys: Keys;
  tokenLifetimeSeconds: number;
}

export interface NewCredential {
  clientId: string;
  /** Shown once: only its hash is kept. */
  clientSecret: string;
}

export interface AccessToken {
  accessToken: string;
  lifetimeSeconds: number;
}

const algorithm = "HS256";
const claims = { issuer: "sheaf", audience: "sheaf-api" };
const tokenType = "at+jwt";
const noCredential = "00000000-0000-7000-8000-000000000000";

/** Makes a credential of the organization's first administrator; `db` is a transaction. */
export async function createCredential(
  deps: Pick<CredentialDeps, "db" | "keys">,
  organizationId: string,
  name: string,
  by: AuditActor,
): Promise<NewCredential> {
  const member = await findAdministrator(deps.db, organizationId);
  if (!member) throw new Error("The organization has no active administrator that a credential could belong to.");
  const clientSecret = `sheaf_${randomBytes(32).toString("base64url")}`;
  const credential = {
    id: newId(),
    organizationId,
    memberId: member.id,
    name,
    secretHash: hash(deps.keys, clientSecret).toString("hex"),
    now: now(),
  };
  await credentials.insertCredential(deps.db, credential);
  const detail = { name, member: member.id };
  await recordAudit(deps.db, by, { organizationId, action: "credential.created", target: credential.id, detail });
  return { clientId: credential.id, clientSecret };
}

/** @throws AppError `invalid_client`, the same for an unknown id, a wrong secret and a credential that may not be used. */
export async function issueToken(deps: CredentialDeps, clientId: string, clientSecret: string): Promise<AccessToken> {
  const owner = await credentials.findCredentialOwner(deps.db, isId(clientId) ? clientId : noCredential);
  // An unknown id costs the same hash and comparison as a known one.
  const expected = Buffer.from(owner?.secret_hash ?? "0".repeat(64), "hex");
  const matches = timingSafeEqual(hash(deps.keys, clientSecret), expected);
  if (!owner || !matches || !isUsable(owner)) throw new AppError("invalid_client");
  const lifetimeSeconds = deps.tokenLifetimeSeconds;
  const accessToken = await new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: tokenType })
    .setIssuer(claims.issuer)
    .setAudience(claims.audience)
    .setSubject(clientId)
    .setJti(newId())
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(deps.keys.signing);
  return { accessToken, lifetimeSeconds };
}

/**
 * The caller that a token stands for. What the token says is confirmed by the records every time, so that a revoked credential, a
 * disabled member or a switched-off API takes effect with the next request.
 * @throws AppError `unauthorized`; `forbidden` where the organization's API access is switched off.
 */
export async function authenticate(
  deps: Pick<CredentialDeps, "db" | "keys">,
  token: string | undefined,
  origin: Pick<Caller, "address" | "requestId">,
): Promise<Caller> {
  const credentialId = await verifiedSubject(deps.keys, token);
  const owner = await credentials.findCredentialOwner(deps.db, credentialId);
  if (!owner || !isUsable(owner)) throw new AppError("unauthorized");
  if (!owner.api_enabled) throw new AppError("forbidden");
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

async function verifiedSubject(keys: Keys, token: string | undefined): Promise<string> {
  if (!token || token.length > 2048) throw new AppError("unauthorized");
  try {
    const { payload } = await jwtVerify(token, keys.signing, {
      algorithms: [algorithm],
      typ: tokenType,
      ...claims,
      requiredClaims: ["exp", "sub"],
    });
    return payload.sub as string;
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) throw new AppError("unauthorized", undefined, { cause: error });
    throw error;
  }
}

const isUsable = (owner: credentials.CredentialOwnerRow): boolean =>
  owner.revoked_at === null && owner.status === "active";

const hash = (keys: Keys, secret: string): Buffer =>
  createHmac("sha256", keys.credentialPepper).update(secret).digest();

export const listCredentials = credentials.listCredentials;

/** @throws Error where there is no such credential, or it is revoked already. */
export async function revokeCredential(db: Db, clientId: string, by: AuditActor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const revoked = await credentials.revokeCredential(transaction, clientId, now());
    if (!revoked) throw new Error(`There is no active credential ${clientId}.`);
    const { organization_id: organizationId, name } = revoked;
    const entry = { organizationId, action: "credential.revoked", target: clientId, detail: { name } };
    await recordAudit(transaction, by, entry);
  });
}
