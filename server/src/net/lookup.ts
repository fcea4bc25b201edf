/**
 * Resolves names with DNS only. `/etc/hosts`, multicast DNS and search domains are not used,
 * because the names of receivers are in the public DNS, or in the DNS of a private network. Every
 * lookup has its own sockets. `getaddrinfo` is not used, because it runs in a few threads. Two slow
 * names would block these threads for all other names.
 */
import { promises as dns } from "node:dns";

/**
 * Maximum time of one lookup, including all queries and retries, in milliseconds. Chosen by hand,
 * 2026-11.
 */
const lookupMs = 5_000;
/**
 * Maximum time to wait for the IPv6 addresses after the IPv4 addresses have arrived, or vice versa,
 * in milliseconds. Some DNS servers never respond to queries for IPv6 addresses. Chosen by hand,
 * 2026-11.
 */
const otherFamilyMs = 1_000;

/**
 * Returns the IPv4 addresses of a name, followed by its IPv6 addresses. IPv4 comes first because
 * nearly every receiver has it, and trying misconfigured IPv6 takes seconds. Rejects with the DNS
 * error if there are no addresses.
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
