/** Recovery codes: random text for people to write down. */
import { createHmac, randomInt } from "node:crypto";
import type { Keys } from "../../lib/keys.ts";

const count = 10;
const length = 10;
/** Crockford's base 32, which has no letters that look like digits. A code has 50 random bits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns new codes, such as `7k3qm-x92fd`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newRecoveryCode);

function newRecoveryCode(): string {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`;
}

/**
 * Returns the keyed hash of a code. Ignores case, spaces and hyphens, and accepts the letters O, I
 * and L as digits.
 */
export const hashOfRecoveryCode = ({ credentialPepper }: Keys, userId: string, code: string): string =>
  createHmac("sha256", credentialPepper)
    .update(`recovery code ${userId} ${normalized(code)}`)
    .digest("hex");

const normalized = (code: string): string =>
  code.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
