/**
 * Outbound posts that may be sent to URLs of strangers. The URL is judged when it is registered and again at each post; the addresses of a
 * name are judged each time that it is looked up, and only an address that was judged is connected to, so that nothing can change between
 * the two. Redirects are not followed, proxies of the environment not used, cookies not kept, connections not shared, bodies not inflated.
 */
import type { BlockList } from "node:net";
import { addressList } from "../lib/ip-addresses.ts";
import { mayConnect } from "./addresses.ts";
import type { PostAnswer, PostRequest } from "./exchange.ts";
import { lookUp, openResolver } from "./lookup.ts";
import { OutboundError } from "./outbound-error.ts";
import { type PostTarget, postTarget } from "./post-target.ts";

export { OutboundError } from "./outbound-error.ts";

export interface OutboundSettings {
  /** IP addresses and CIDRs that may be posted to though they are not public: `10.1.2.3`, `fd00:1::/64`. Names of internal domains stay refused. */
  allowed: readonly string[];
  /** Whether `http://` URLs are taken too. */
  allowHttp: boolean;
  /** DNS servers as `address` or `address:port`; undefined for those of the system. */
  dnsServers: readonly string[] | undefined;
  /** One attempt, from the lookup to the headers of the answer. Default: 10,000. */
  attemptMs?: number;
  /** Where the reading of a body stops. Default: 65,536. */
  maxResponseBytes?: number;
}

/** Time for looking up the name of a URL that is registered. */
const registrationLookupMs = 2_500;

const defaultLimits = { attemptMs: 10_000, maxResponseBytes: 65_536 };

export interface PostResult extends PostAnswer {
  durationMs: number;
}

/** Throws an Error that names an entry of `allowed` or `dnsServers` that is none. */
export function openOutbound(settings: OutboundSettings): Outbound {
  openResolver(settings.dnsServers);
  return new Outbound(settings);
}

export class Outbound {
  readonly #settings: Required<OutboundSettings>;
  readonly #allowed: BlockList;
  readonly #running = new Set<AbortController>();
  #closed = false;

  constructor(settings: OutboundSettings) {
    this.#settings = { ...defaultLimits, ...settings };
    this.#allowed = addressList(settings.allowed);
  }

  /**
   * Whether a URL may be registered: `https`, without credentials, of a public address or a name that is not internal and does not resolve
   * to a forbidden address. A name that does not resolve, or not soon, is accepted: each post looks it up again.
   */
  async mayPost(url: string): Promise<boolean> {
    const target = this.#target(url);
    if (target === undefined || target.isAddress) return target !== undefined;
    const addresses = await lookUp(
      target.host,
      this.#settings.dnsServers,
      AbortSignal.timeout(registrationLookupMs),
    ).catch(() => []);
    return addresses.every((address) => mayConnect(address, this.#allowed));
  }

  /**
   * Posts `body` once, within `attemptMs`. Whatever status comes is a result. Names of headers are in lower case.
   *
   * @throws OutboundError where no status came
   * @throws the reason of `signal`, where it ends the attempt before a status came
   */
  async post(url: string, request: PostRequest, signal?: AbortSignal): Promise<PostResult> {
    const startedAt = performance.now();
    if (this.#closed) throw new Error("No more posts: outbound is closed.");
    signal?.throwIfAborted();
    const target = this.#target(url);
    if (target === undefined) throw new OutboundError("refused_address", "the URL is forbidden");
    const attempt = new AbortController();
    const stop = (): void => attempt.abort(signal?.reason);
    const timer = setTimeout(
      () => attempt.abort(new OutboundError("timeout", `${this.#settings.attemptMs} ms have passed`)),
      this.#settings.attemptMs,
    );
    signal?.addEventListener("abort", stop);
    this.#running.add(attempt);
    try {
      const answer = await this.#attempt(target, request, attempt.signal);
      return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      this.#running.delete(attempt);
    }
  }

  /** Ends the posts under way, which reject, and takes no more. */
  close(): void {
    this.#closed = true;
    for (const attempt of this.#running) attempt.abort(new Error("Outbound was closed."));
  }

  async #attempt(target: PostTarget, request: PostRequest, signal: AbortSignal): Promise<PostAnswer> {
    const addresses = target.isAddress ? [target.host] : await this.#addressesOf(target.host, signal);
    signal.throwIfAborted();
    // Loaded with the first post: `node:http` as a module costs a start 60 ms of processor time.
    const { exchange } = await import("./exchange.ts");
    return exchange(target, addresses, request, { maxResponseBytes: this.#settings.maxResponseBytes, signal });
  }

  /** Refuses the name if any of its addresses is forbidden: an honest name has no such address among others. */
  async #addressesOf(name: string, signal: AbortSignal): Promise<string[]> {
    const addresses = await this.#lookUp(name, signal);
    const forbidden = addresses.find((address) => !mayConnect(address, this.#allowed));
    if (forbidden !== undefined) throw new OutboundError("refused_address", `${name} resolves to ${forbidden}`);
    return addresses;
  }

  async #lookUp(name: string, signal: AbortSignal): Promise<string[]> {
    try {
      return await lookUp(name, this.#settings.dnsServers, signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : new OutboundError("unreachable", error);
    }
  }

  #target(url: string): PostTarget | undefined {
    return postTarget(url, { allowed: this.#allowed, allowHttp: this.#settings.allowHttp });
  }
}
