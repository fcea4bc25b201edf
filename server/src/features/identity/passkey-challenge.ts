/**
 * Challenges for passkeys. A challenge is signed and contains its expiry time, so it need not be
 * stored when it is issued. A stranger who requests many challenges therefore cannot fill the
 * database.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Keys } from "../../lib/keys.ts";

const validMs = 5 * 60_000;
const randomLength = 16;
const timeLength = 8;
const contentLength = randomLength + timeLength;

/** @param purpose the only purpose for which the challenge is valid */
export function newChallenge(keys: Keys, purpose: string): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(timeLength);
  time.writeBigUInt64BE(BigInt(Date.now() + validMs));
  const content = Buffer.concat([randomBytes(randomLength), time]);
  return new Uint8Array(Buffer.concat([content, signatureOf(keys, purpose, content)]));
}

/**
 * Returns the hash and the expiry time of a base64url-encoded challenge; undefined if the challenge
 * is invalid.
 */
export function readChallenge(
  keys: Keys,
  purpose: string,
  challenge: string,
): { hash: string; expiresAt: string } | undefined {
  const bytes = Buffer.from(challenge, "base64url");
  if (bytes.length <= contentLength) return undefined;
  const [content, signature] = [bytes.subarray(0, contentLength), bytes.subarray(contentLength)];
  const expected = signatureOf(keys, purpose, content);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  const expiresMs = Number(content.readBigUInt64BE(randomLength));
  if (expiresMs < Date.now()) return undefined;
  return { hash: createHash("sha256").update(bytes).digest("hex"), expiresAt: new Date(expiresMs).toISOString() };
}

const signatureOf = ({ credentialPepper }: Keys, purpose: string, content: Uint8Array): Buffer =>
  createHmac("sha256", credentialPepper).update(`passkey ${purpose} `).update(content).digest();
