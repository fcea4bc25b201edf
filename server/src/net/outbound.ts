/**
 * Outbound requests to untrusted URLs. The URL is checked when it is registered and again at each
 * request. The addresses of a host name are checked at each lookup, and connections are made only
 * to the checked addresses. So a name cannot resolve to a harmless address during the check and to
 * a forbidden one for the connection. Redirects, environment proxies, cookies, shared connections
 * and decompression are not supported.
 */
import type { BlockList } from "node:net";
import { startDeadline } from "../lib/deadline.ts";
import { addressList } from "../lib/ip-addresses.ts";
import { mayConnect } from "./addresses.ts";
import type { Answer, OutboundRequest } from "./exchange.ts";
import { lookUp, openResolver } from "./lookup.ts";
import { OutboundError } from "./outbound-error.ts";
import { type PostTarget, postTarget } from "./post-target.ts";

export { OutboundError } from "./outbound-error.ts";

export interface OutboundSettings {
  /**
   * Non-public IP addresses and networks that receivers may have, such as `10.1.2.3` and
   * `fd00:1::/64`. Names of internal domains are always refused.
   */
  allowed: readonly string[];
  /** True if `http://` URLs are accepted as well. */
  allowHttp: boolean;
  /** DNS servers as `address` or `address:port`; undefined for those of the system. */
  dnsServers: readonly string[] | undefined;
  /**
   * Maximum time of one attempt, from the lookup to the headers of the response, in milliseconds.
   * Default: 10,000.
   */
  attemptMs?: number;
  /** Maximum number of bytes of a body that are read. Default: 65,536. */
  maxResponseBytes?: number;
}

/**
 * Maximum time to look up the host name when a URL is registered, in milliseconds. Chosen by hand,
 * 2026-11.
 */
const registrationLookupMs = 2_500;

const defaultLimits = { attemptMs: 10_000, maxResponseBytes: 65_536 };

/** Maximum number of bytes that are kept of the response to a post. */
const keptOfPost = 1_024;

export type PostRequest = Pick<OutboundRequest, "headers" | "body">;

export interface PostResult {
  status: number;
  /**
   * First kilobyte of the body as UTF-8, without NUL. It is untrusted and must never be shown to
   * others.
   */
  body: string;
  durationMs: number;
}

/** @throws Error that quotes the invalid entry of `allowed` or `dnsServers`. */
export function openOutbound(settings: OutboundSettings): Outbound {
  openResolver(settings.dnsServers);
  return new Outbound(settings);
}

export class Outbound {
  readonly #settings: Required<OutboundSettings>;
  readonly #allowed: BlockList;
  readonly #closing = new AbortController();

  constructor(settings: OutboundSettings) {
    this.#settings = { ...defaultLimits, ...settings };
    this.#allowed = addressList(settings.allowed);
  }

  /**
   * Returns true if a URL may be registered. It must be an `https` URL without credentials. Its
   * host must be a public address or a public name. The name must not resolve to a forbidden
   * address. A name that does not resolve in time is accepted, because each post looks it up again.
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
   * Posts `body` once, within `attemptMs`. Resolves with the response, whatever its status. Header
   * names are in lower case.
   *
   * @throws OutboundError if no status arrived
   * @throws the reason of `signal`, if it aborts before a status arrived
   */
  async post(url: string, request: PostRequest, signal?: AbortSignal): Promise<PostResult> {
    const startedAt = performance.now();
    const { status, body } = await this.#attempt(url, { method: "POST", ...request }, keptOfPost, signal);
    return { status, body: textOf(body), durationMs: Math.round(performance.now() - startedAt) };
  }

  /**
   * Sends a request once and returns the whole response, with any status. Use it for URLs whose
   * content the service interprets.
   *
   * @throws OutboundError if the response did not arrive, or is longer than `maxResponseBytes`
   * @throws the reason of `signal`, if it aborts before a status arrived
   */
  async fetch(url: string, request: OutboundRequest, signal?: AbortSignal): Promise<Omit<Answer, "isComplete">> {
    const { isComplete, ...answer } = await this.#attempt(url, request, this.#settings.maxResponseBytes, signal);
    if (!isComplete) throw new OutboundError("protocol", "the response is incomplete or too long");
    return answer;
  }

  /** Cancels running requests, so that they reject, and refuses new requests. */
  close(): void {
    this.#closing.abort(new Error("Outbound was closed."));
  }

  async #attempt(url: string, request: OutboundRequest, keptBytes: number, signal?: AbortSignal): Promise<Answer> {
    if (this.#closing.signal.aborted) throw new Error("Outbound HTTP is closed: the service is stopping.");
    signal?.throwIfAborted();
    const target = this.#target(url);
    if (target === undefined) throw new OutboundError("refused_address", "the URL is forbidden");
    const { attemptMs } = this.#settings;
    const stop = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    using attempt = startDeadline(attemptMs, stop, () => new OutboundError("timeout", `${attemptMs} ms have passed`));
    return await this.#exchange(target, request, keptBytes, attempt.signal);
  }

  async #exchange(
    target: PostTarget,
    request: OutboundRequest,
    keptBytes: number,
    signal: AbortSignal,
  ): Promise<Answer> {
    const addresses = target.isAddress ? [target.host] : await this.#addressesOf(target.host, signal);
    signal.throwIfAborted();
    // Loaded with the first post, because loading `node:http` would take 60 ms of processor time at
    // start-up.
    const { exchange } = await import("./exchange.ts");
    const { maxResponseBytes } = this.#settings;
    return exchange(target, addresses, request, { maxResponseBytes, keptBytes, signal });
  }

  /**
   * Returns the addresses of a name. Throws if any of them is forbidden, because the names of
   * legitimate receivers have no forbidden addresses.
   */
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

/** Decodes UTF-8 and drops an incomplete character at the end. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD");
}
