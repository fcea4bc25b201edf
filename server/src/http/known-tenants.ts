/**
 * Maps credentials to the tenant that they belonged to at the last request. This lets load shedding
 * be fair to tenants without authenticating each request, which would be expensive.
 */
import type { IncomingHttpHeaders } from "node:http";
import { RecentMap } from "../lib/recent-map.ts";
import { tokenOf } from "./presented-tokens.ts";

/**
 * Maximum number of credentials remembered. They take 2 MB at about 1 KB per token, and 8 MB if
 * each has the maximum length.
 */
const maxCredentials = 2_000;
/**
 * Maximum length of remembered credentials, in characters. A cookie header may contain anything
 * besides the session.
 */
const maxLength = 4_096;

export class KnownTenants {
  /** Tenants by credentials. */
  readonly #tenants = new RecentMap<string, string>(maxCredentials);

  /**
   * Remembers the tenant of an authenticated request. The tenant of a session changes if its user
   * switches to another organization.
   */
  remember(headers: IncomingHttpHeaders, tenant: string): void {
    const credentials = credentialsOf(headers);
    if (credentials === undefined || credentials.length > maxLength) return;
    this.#tenants.set(credentials, tenant);
  }

  /**
   * Returns the tenant of the last request that was authenticated with these credentials. Use it
   * for load shedding only, because the credentials may no longer be valid.
   */
  of(headers: IncomingHttpHeaders): string | undefined {
    const credentials = credentialsOf(headers);
    return credentials === undefined ? undefined : this.#tenants.get(credentials);
  }
}

const credentialsOf = (headers: IncomingHttpHeaders): string | undefined => tokenOf(headers) ?? headers.cookie;
