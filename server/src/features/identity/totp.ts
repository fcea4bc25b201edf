/** Codes of authenticator apps: TOTP of RFC 6238 with SHA-1, six digits and steps of 30 seconds. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createOTP } from "@better-auth/utils/otp";

const stepMs = 30_000;
/** Number of steps by which the clock of the phone may be fast or slow. */
const tolerance = 1;
/** Number of random bytes in a secret. RFC 4226 requires at least 16. */
const secretBytes = 16;

/** Returns a new secret as text. Codes are computed with the UTF-8 bytes of the text as the key. */
export const newTotpSecret = (): string => randomBytes(secretBytes).toString("base64url");

/** Returns the URI of the secret, for a QR code, and the key in base32, for manual entry. */
export function totpSetupOf(secret: string, account: string): { uri: string; secret: string } {
  const uri = createOTP(secret).url("Sheaf", account);
  return { uri, secret: new URL(uri).searchParams.get("secret") ?? "" };
}

/**
 * Returns the first step after `lastStep` that has this code; undefined if no step within the
 * tolerance has it. A step is a number of half minutes since 1970.
 */
export async function stepOfCode(
  secret: string,
  code: string,
  { lastStep, nowMs }: { lastStep: number; nowMs: number },
): Promise<number | undefined> {
  const current = Math.floor(nowMs / stepMs);
  let found: number | undefined;
  for (let step = current - tolerance; step <= current + tolerance; step++) {
    const expected = await createOTP(secret).hotp(step);
    if (step > lastStep && isEqual(code, expected)) found ??= step;
  }
  return found;
}

function isEqual(text: string, expected: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
