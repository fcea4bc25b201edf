/** Parses IP addresses and lists of them. Opens no connections. */
import { BlockList, isIP } from "node:net";

/**
 * Parses addresses and CIDRs such as `10.1.2.3`, `10.1.0.0/16`, `::1`, `fd00::/8`.
 * @throws Error that names the first invalid entry
 */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return list;
}

/** Returns whether a list contains an address, or a network that includes the address. */
export function hasAddress(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Returns the eight 16-bit groups of an IPv6 address. */
export function groupsOf(address: string): number[] {
  // The URL parser converts dotted and long forms to the canonical form.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head, tail] = canonical.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = new Array<string>(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill("0");
  return [...(head ?? []), ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
}

function addEntry(list: BlockList, entry: string): void {
  const [, address = "", prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  if (family === 0 || Number(prefix ?? bits) > bits)
    throw new Error(`"${entry}" is neither an IP address nor a CIDR such as 10.0.0.0/8`);
  list.addSubnet(address, Number(prefix ?? bits), family === 4 ? "ipv4" : "ipv6");
}

/**
 * Returns the network that counts as one client: an IPv4 address itself, or the /64 network of an
 * IPv6 address. One customer usually controls a whole /64 network.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
