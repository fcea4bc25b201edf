/**
 * Encrypts secrets at rest, with AES-256-GCM and a key derived for this purpose. The encrypted text
 * is bound to the row that contains it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keys } from "./keys.ts";

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param place identifies the row. Text encrypted for one place cannot be decrypted for another.
 */
export function seal(keys: Keys, place: string, secret: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keys.sealing, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${sealed.toString("base64")}`;
}

/** @throws Error if the text was not encrypted with these keys for this place */
export function unseal(keys: Keys, place: string, text: string): string {
  const [prefix, encoded = ""] = text.split(".", 2);
  const bytes = Buffer.from(encoded, "base64");
  if (prefix !== version || bytes.length < nonceBytes + tagBytes) throw new Error("not a sealed secret");
  const decipher = createDecipheriv("aes-256-gcm", keys.sealing, bytes.subarray(0, nonceBytes)).setAAD(
    Buffer.from(place),
  );
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("utf8");
}
