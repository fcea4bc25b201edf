/**
 * Remembers the tenant of a request's credentials, so that load shedding can be fair before
 * authentication, which is expensive.
 */
import type { IncomingHttpHeaders } from "node:http";
import { RecentMap } from "../lib/recent-map.ts";
import { tokenOf } from "./presented-tokens.ts";

/**
 * Maximum number of credentials remembered. At about 1 KB per token this takes 2 MB, at most 8 MB.
 */
const maxCredentials = 2_000;
/**
 * Longer credentials, in characters, are not remembered. A cookie header may hold anything besides
 * the session.
 */
const maxLength = 4_096;

export class KnownTenants {
  /** Tenants by credentials. */
  readonly #tenants = new RecentMap<string, string>(maxCredentials);

  /**
   * Call with the headers of an authenticated request. The tenant may change: sessions switch
   * organizations.
   */
  remember(headers: IncomingHttpHeaders, tenant: string): void {
    const credentials = credentialsOf(headers);
    if (credentials === undefined || credentials.length > maxLength) return;
    this.#tenants.set(credentials, tenant);
  }

  /**
   * Returns the tenant of earlier requests with these credentials. They may be invalid by now: use
   * it for load shedding only.
   */
  of(headers: IncomingHttpHeaders): string | undefined {
    const credentials = credentialsOf(headers);
    return credentials === undefined ? undefined : this.#tenants.get(credentials);
  }
}

const credentialsOf = (headers: IncomingHttpHeaders): string | undefined => tokenOf(headers) ?? headers.cookie;
