/**
 * Remembers the tenant of a request's credentials, so that load shedding can be fair before
 * authentication, which is expensive.
 */
import type { IncomingHttpHeaders } from "node:http";

/** Maximum number of credentials remembered. At about 1 KB per token this takes 2 MB. */
const maxCredentials = 2_000;

export class KnownTenants {
  /** Tenants by credentials, oldest first. */
  readonly #tenants = new Map<string, string>();

  /** Call with the headers of an authenticated request. */
  remember(headers: IncomingHttpHeaders, tenant: string): void {
    const credentials = credentialsOf(headers);
    if (credentials === undefined || this.#tenants.has(credentials)) return;
    this.#tenants.set(credentials, tenant);
    if (this.#tenants.size > maxCredentials) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const oldest of this.#tenants.keys()) {
      this.#tenants.delete(oldest);
      return;
    }
  }

  /** Returns the tenant of earlier requests with these credentials. They may be invalid by now: use it for load shedding only. */
  of(headers: IncomingHttpHeaders): string | undefined {
    const credentials = credentialsOf(headers);
    return credentials === undefined ? undefined : this.#tenants.get(credentials);
  }
}

function credentialsOf({ "x-api-key": token, cookie }: IncomingHttpHeaders): string | undefined {
  return typeof token === "string" ? token : cookie;
}
