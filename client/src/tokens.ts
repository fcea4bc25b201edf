/**
 * The access token: fetched when needed, kept until shortly before it expires, and renewed once for
 * all waiting requests.
 */
import { abortable } from "./deadline.ts";
import type { Token } from "./generated/types.ts";

/**
 * How long before its expiry a token is renewed. A token with a short lifetime is renewed after
 * four fifths of that lifetime.
 */
const marginMs = 60_000;

export class Tokens {
  readonly #fetchToken: () => Promise<Token>;
  #current: { token: string; renewAt: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(fetchToken: () => Promise<Token>) {
    this.#fetchToken = fetchToken;
  }

  get(signal: AbortSignal): Promise<string> {
    if (this.#current !== undefined && Date.now() < this.#current.renewAt) return Promise.resolve(this.#current.token);
    this.#pending ??= this.#renew();
    return abortable(this.#pending, signal);
  }

  /** Discards a token that the service refused, unless it has already been renewed. */
  forget(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }

  async #renew(): Promise<string> {
    const begin = Date.now();
    try {
      const { access_token: token, expires_in } = await this.#fetchToken();
      const lifetimeMs = Number(expires_in) * 1000;
      this.#current = { token, renewAt: begin + lifetimeMs - Math.min(marginMs, lifetimeMs / 5) };
      return token;
    } finally {
      this.#pending = undefined;
    }
  }
}
