/**
 * From a name to its addresses, by DNS alone. `/etc/hosts`, multicast DNS and search domains are not consulted: a receiver is on the
 * internet, or on a network whose DNS knows it. Every lookup has sockets of its own; getaddrinfo's few threads, where two slow names hold
 * up all others, are not used.
 */
import { promises as dns } from "node:dns";

/** One lookup, all queries and repetitions included. */
const lookupMs = 5_000;
/** How long the addresses of one family wait for those of the other: some DNS servers never answer about IPv6. */
const otherFamilyMs = 1_000;

/**
 * The IPv4 addresses of a name and then its IPv6 addresses: nearly every receiver has IPv4, and IPv6 that is set up by half costs seconds.
 * At least one; rejects with the error of the DNS where there is none.
 *
 * @param servers DNS servers as `address` or `address:port`; undefined for those of the system
 * @param signal ends the lookup, which then rejects
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

/** Throws where an entry of `servers` is no `address` or `address:port`. */
export function openResolver(servers: readonly string[] | undefined): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 1_500, tries: 3 });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}
