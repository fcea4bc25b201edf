/**
 * IP addresses to which connections are allowed: public ones, and those that the operator allows.
 *
 * The lists follow the IANA registries of special-purpose addresses. IPv6 addresses that contain an
 * IPv4 address (IPv4-mapped, NAT64, 6to4, Teredo, ISATAP) are always refused. Legitimate receivers
 * do not use them. If a network uses some of its own global addresses as a NAT64 prefix, this
 * cannot be detected.
 */
import { type BlockList, isIP } from "node:net";
import { addressList, groupsOf, hasAddress } from "../lib/ip-addresses.ts";

const specialIpv4 = addressList([
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by customers of a carrier
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's services for its own machines
  "169.254.0.0/16", // link-local, and the metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // multicast tunnels
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
]);

const globalUnicast = addressList(["2000::/3"]);

const specialIpv6 = addressList([
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // the former test network
  "3fff::/20", // documentation
]);

const mapped = addressList(["::ffff:0:0/96"]);

/**
 * Returns true if a connection to `address` is allowed. `address` is an IPv4 or IPv6 address in any
 * spelling, without brackets.
 */
export function mayConnect(address: string, allowed: BlockList): boolean {
  const family = isIP(address);
  if (family === 4) return hasAddress(allowed, address) || !hasAddress(specialIpv4, address);
  if (family !== 6 || address.includes("%")) return false;
  // Checked before the operator's list, which would treat an IPv4-mapped address like the IPv4
  // address that it contains.
  if (hasAddress(mapped, address)) return false;
  if (hasAddress(allowed, address)) return true;
  return hasAddress(globalUnicast, address) && !hasAddress(specialIpv6, address) && !isIsatap(address);
}

/** Detects an ISATAP interface identifier: `0:5efe` or `200:5efe`, then an IPv4 address. */
function isIsatap(address: string): boolean {
  const groups = groupsOf(address);
  return groups[5] === 0x5efe && ((groups[4] ?? 0) & ~0x200) === 0;
}
