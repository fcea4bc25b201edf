/**
 * A sign-in in progress. It is kept in an encrypted cookie of the browser that started it, so the
 * service stores nothing, however many sign-ins a stranger starts.
 */
import { createHash } from "node:crypto";
import type { Keys } from "../../lib/keys.ts";
import { seal, unseal } from "../../lib/sealed.ts";
import type { Checks } from "./provider.ts";

export interface Attempt extends Checks {
  organizationId: string;
  issuer: string;
  clientId: string;
  expiresAt: string;
}

const validSeconds = 600;
const place = "sign-on attempt";

/** The prefix `__Host-` makes browsers send the cookie only to this host, and only over TLS. */
const nameOf = (secure: boolean): string => (secure ? "__Host-sheaf_sign_on" : "sheaf_sign_on");

/** Returns the cookie that stores a new sign-in in progress. */
export function attemptCookie(keys: Keys, secure: boolean, started: Omit<Attempt, "expiresAt">): string {
  const attempt: Attempt = { ...started, expiresAt: new Date(Date.now() + validSeconds * 1000).toISOString() };
  return cookieOf(secure, seal(keys, place, JSON.stringify(attempt)), validSeconds);
}

/** Returns the cookie that removes the sign-in in progress. */
export const noAttemptCookie = (secure: boolean): string => cookieOf(secure, "", 0);

/**
 * Reads the sign-in in progress from a Cookie header. Returns undefined if there is none, or it has
 * expired.
 */
export function readAttempt(keys: Keys, secure: boolean, header: string | undefined): Attempt | undefined {
  const prefix = `${nameOf(secure)}=`;
  const sealed = (header ?? "")
    .split(";")
    .map((each) => each.trim())
    .find((each) => each.startsWith(prefix));
  if (sealed === undefined) return undefined;
  try {
    const attempt = JSON.parse(unseal(keys, place, sealed.slice(prefix.length))) as Attempt;
    return Date.parse(attempt.expiresAt) > Date.now() ? attempt : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key under which the attempt is recorded as used. */
export const hashOf = ({ state }: Attempt): string => createHash("sha256").update(`sign-on ${state}`).digest("hex");

const cookieOf = (secure: boolean, value: string, maxAge: number): string =>
  `${nameOf(secure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
