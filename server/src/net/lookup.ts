/**
 * Resolves names by DNS only. `/etc/hosts`, multicast DNS and search domains are not used: a
 * receiver is on the internet, or on a network whose DNS resolves it. Every lookup has its own
 * sockets. getaddrinfo is avoided, because two slow names would block its few threads for all
 * others.
 */
import { promises as dns } from "node:dns";

/**
 * Maximum time of one lookup with all queries and retries, in milliseconds. Chosen by hand,
 * 2026-11.
 */
const lookupMs = 5_000;
/**
 * Maximum time that the addresses of one family wait for those of the other, in milliseconds: some
 * DNS servers never respond for IPv6. Chosen by hand, 2026-11.
 */
const otherFamilyMs = 1_000;

/**
 * Returns the IPv4 addresses of a name, then its IPv6 addresses: nearly every receiver has IPv4,
 * and half-configured IPv6 costs seconds. Returns at least one; rejects with the DNS error if there
 * is none.
 *
 * @param servers DNS servers as `address` or `address:port`; undefined for those of the system
 * @param signal cancels the lookup, which then rejects
 */
export async function lookUp(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const resolver = openResolver(servers);
  const cancel = (): void => resolver.cancel();
  const timers = [setTimeout(cancel, lookupMs)];
  signal.addEventListener("abort", cancel);
  const cancelSoon = (): void => void timers.push(setTimeout(cancel, otherFamilyMs));
  try {
    const ipv4 = resolver.resolve4(name);
    const ipv6 = resolver.resolve6(name);
    ipv4.then(cancelSoon, () => undefined);
    ipv6.then(cancelSoon, () => undefined);
    const results = await Promise.allSettled([ipv4, ipv6]);
    const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    if (addresses.length === 0) await ipv4;
    return addresses;
  } finally {
    timers.forEach(clearTimeout);
    signal.removeEventListener("abort", cancel);
  }
}

/** @throws if an entry of `servers` is not `address` or `address:port`. */
export function openResolver(servers: readonly string[] | undefined): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 1_500, tries: 3 });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}
