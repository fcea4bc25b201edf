/**
 * Passkeys of users (Web Authentication). The device verifies the user, so signing in with a
 * passkey requires neither a password nor a code. Decision 0058 explains the details.
 */
import type { AssertionJson, NewCredentialJson, PasskeyJson } from "@sheaf/contract/passkeys.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { isId, newId } from "../../lib/ids.ts";
import type { Db } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Source } from "./acting-user.ts";
import { newChallenge, readChallenge } from "./passkey-challenge.ts";
import * as passkeys from "./passkeys.repo.ts";
import type { SecondFactorDeps, SignedIn } from "./second-factor.service.ts";
import { checkPassword } from "./users.service.ts";

/** Origin of the web application that the request comes from: `https://sheaf.example.com`. */
type WebOrigin = string;

const maxPasskeys = 20;
const timeoutMs = 5 * 60_000;
/**
 * Ed25519, ES256 and RS256. The library's default also includes algorithms that are experimental in
 * Node.
 */
const algorithms = [-8, -7, -257];

/**
 * Loads the WebAuthn library on the first request that needs it, because loading its 60 modules
 * would delay every start.
 */
const loadWebAuthn = () => import("@simplewebauthn/server");

const creation = (userId: string): string => `creation ${userId}`;
const signIn = "sign-in";

/**
 * Returns the options for creating a passkey.
 * @throws AppError `unauthorized` if the password is wrong; `rate_limited`
 */
export async function startPasskey(
  { db, keys }: SecondFactorDeps,
  { user }: SignedIn,
  { password, origin }: { password: string; origin: WebOrigin },
  source: Source,
) {
  await checkPassword(db, user, password, source);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const existing = await passkeys.listPasskeys(db, user.id);
  return generateRegistrationOptions({
    rpName: "Sheaf",
    rpID: hostOf(origin),
    userName: user.email,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge: newChallenge(keys, creation(user.id)),
    timeout: timeoutMs,
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/**
 * Stores a passkey that the browser has created.
 * @throws AppError `invalid_request` if the passkey does not match a valid challenge; `conflict` if
 * the user already has the maximum number of passkeys
 */
export async function createPasskey(
  { db, keys }: SecondFactorDeps,
  { user, actor }: SignedIn,
  { name, credential, origin }: { name: string; credential: NewCredentialJson; origin: WebOrigin },
): Promise<PasskeyJson> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  if (await hasCertificates(credential)) throw invalidCredential();
  let challenge: ReturnType<typeof readChallenge>;
  const verified = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: (text) => {
      challenge = readChallenge(keys, creation(user.id), text);
      return challenge !== undefined;
    },
    expectedOrigin: origin,
    expectedRPID: hostOf(origin),
    supportedAlgorithmIDs: algorithms,
  }).catch((cause) => {
    throw invalidCredential(cause);
  });
  if (!verified.verified || challenge === undefined) throw invalidCredential();
  const { hash, expiresAt } = challenge;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const row = {
    id: newId(),
    user_id: user.id,
    name,
    credential_id: id,
    public_key: Buffer.from(publicKey).toString("base64url"),
    host: hostOf(origin),
    counter,
    created_at: now(),
  };
  await db.transaction().execute(async (transaction) => {
    if (!(await passkeys.useChallenge(transaction, hash, expiresAt))) throw invalidCredential();
    if ((await passkeys.listPasskeys(transaction, user.id)).length >= maxPasskeys)
      throw new AppError("conflict", undefined, {
        message: `You already have ${maxPasskeys} passkeys, the maximum: delete one first.`,
      });
    if (!(await passkeys.insertPasskey(transaction, row))) throw invalidCredential();
    await recordAudit(transaction, actor, { action: "passkey.created", target: user.id, detail: { passkey: row.id } });
  });
  return passkeyJson({ ...row, last_used_at: null });
}

/**
 * Returns whether a credential contains certificates of the device's manufacturer, although none
 * were requested. For a credential with certificates, the library would download the manufacturer's
 * revocation list. This service must not make requests that nobody configured.
 */
async function hasCertificates({ response }: NewCredentialJson): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const bytes = new Uint8Array(Buffer.from(response.attestationObject, "base64url"));
    const attestation = decodeAttestationObject(bytes);
    const format = attestation.get("fmt");
    return format !== "none" && (format !== "packed" || attestation.get("attStmt").get("x5c") !== undefined);
  } catch (cause) {
    throw invalidCredential(cause);
  }
}

export const listPasskeys = async (db: Db, userId: string): Promise<PasskeyJson[]> =>
  (await passkeys.listPasskeys(db, userId)).map(passkeyJson);

/** @throws AppError `not_found` */
export async function deletePasskey(db: Db, { user, actor }: SignedIn, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!isId(id) || !(await passkeys.deletePasskey(transaction, user.id, id))) throw new AppError("not_found");
    await recordAudit(transaction, actor, { action: "passkey.deleted", target: user.id, detail: { passkey: id } });
  });
}

/** Returns the options for signing in with any passkey that was created for the host. */
export async function startSignIn({ keys }: Pick<SecondFactorDeps, "keys">, origin: WebOrigin) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: hostOf(origin),
    challenge: newChallenge(keys, signIn),
    timeout: timeoutMs,
    userVerification: "required",
  });
}

/**
 * Returns the user whose passkey has signed a valid challenge.
 * @throws AppError `unauthorized`; an unknown passkey and a wrong signature cause the same error
 */
export async function checkPasskey(
  { db, keys }: SecondFactorDeps,
  credential: AssertionJson,
  origin: WebOrigin,
): Promise<string> {
  const passkey = await passkeys.findPasskey(db, credential.id);
  // Compares the host, because a subdomain could otherwise use the passkeys of its parent domain.
  if (passkey === undefined || passkey.host !== hostOf(origin)) throw wrongPasskey();
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  let challenge: ReturnType<typeof readChallenge>;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: (text) => {
      challenge = readChallenge(keys, signIn, text);
      return challenge !== undefined;
    },
    expectedOrigin: origin,
    expectedRPID: passkey.host,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
      counter: Number(passkey.counter),
    },
  }).catch((cause) => {
    throw wrongPasskey(cause);
  });
  if (!verified || challenge === undefined) throw wrongPasskey();
  const { hash, expiresAt } = challenge;
  await db.transaction().execute(async (transaction) => {
    if (!(await passkeys.useChallenge(transaction, hash, expiresAt))) throw wrongPasskey();
    await passkeys.noteUse(transaction, passkey.id, { counter: authenticationInfo.newCounter, now: now() });
  });
  return passkey.user_id;
}

/** Marks a challenge as used. Sign-on also uses this function, for its `state` values. */
export const { useChallenge } = passkeys;

const hostOf = (origin: WebOrigin): string => new URL(origin).hostname;

const wrongPasskey = (cause?: unknown): AppError =>
  new AppError("unauthorized", undefined, { message: "The passkey is unknown or not valid for this site.", cause });

const invalidCredential = (cause?: unknown): AppError => {
  const issues = [{ path: "/credential", message: "does not match the challenge, or is not a new passkey" }];
  return new AppError("invalid_request", { issues }, { cause });
};

const passkeyJson = ({ id, name, created_at, last_used_at }: passkeys.PasskeyRow): PasskeyJson => ({
  id,
  name,
  created_at,
  last_used_at,
});
