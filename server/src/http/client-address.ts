/**
 * The address of whoever makes a request: the peer's, or behind proxies that the operator trusts the last one in X-Forwarded-For that is
 * none of theirs. What stands left of it, and the header of anybody else, can be forged and counts for nothing.
 */
import { isIP } from "node:net";
import { addressList, groupsOf, hasAddress } from "../lib/ip-addresses.ts";

/** From the peer's address and the X-Forwarded-For header to an IP address; IPv4 where it is IPv4 wrapped into IPv6. */
export type AddressOf = (peer: string | undefined, forwardedFor: string | undefined) => string;

/** For a peer without an address: a connection that has gone meanwhile. */
const unknownAddress = "0.0.0.0";

/**
 * @param trustedProxies addresses and networks, as in `10.0.0.0/8`.
 * @param onUntrusted is told of the first peer that sends X-Forwarded-For and is not trusted: perhaps a proxy that was forgotten.
 */
export function openAddressOf(trustedProxies: readonly string[], onUntrusted?: (peer: string) => void): AddressOf {
  const trusted = addressList(trustedProxies);
  let tell = onUntrusted;
  return (peer, forwardedFor) => {
    let address = peerAddress(peer);
    if (tell && forwardedFor !== undefined && !hasAddress(trusted, address)) {
      tell(address);
      tell = undefined;
    }
    const hops = forwardedFor?.split(",") ?? [];
    while (hops.length > 0 && hasAddress(trusted, address)) {
      const next = plainAddress(hops.pop() ?? "");
      // A proxy that passes on what is no address tells nothing of who is behind it.
      if (next === undefined) break;
      address = next;
    }
    return address;
  };
}

/** Returns the address of a connection's peer; IPv4 if it is IPv4 wrapped into IPv6. */
export const peerAddress = (peer: string | undefined): string => plainAddress(peer ?? "") ?? unknownAddress;

/** An IP address without port, brackets and zone; undefined where the text is none. */
function plainAddress(text: string): string | undefined {
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(text.trim()) ?? [];
  const [address = ""] = (bracketed ?? beforePort ?? text.trim()).split("%", 1);
  const family = isIP(address);
  if (family === 0) return undefined;
  return family === 6 ? unwrapped(address) : address;
}

function unwrapped(address: string): string {
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return address.toLowerCase();
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
