/** Secrets at rest: AES-256-GCM under a key that is derived for the purpose, bound to the place where they belong. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keys } from "./keys.ts";

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/** `place` names the row: what is sealed for one can't be opened as another's. */
export function seal(keys: Keys, place: string, secret: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keys.sealing, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${sealed.toString("base64")}`;
}

/** @throws Error where it was not sealed with these keys for this place. */
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
