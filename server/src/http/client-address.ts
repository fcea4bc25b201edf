/**
 * Determines the client address of a request. This is the address of the peer or, behind trusted
 * proxies, the last untrusted address in X-Forwarded-For. Entries before that one, and the header
 * of an untrusted peer, can be forged and are ignored.
 */
import { isIP } from "node:net";
import { addressList, groupsOf, hasAddress } from "../lib/ip-addresses.ts";

/**
 * Maps the peer address and the X-Forwarded-For header to an IP address. An IPv4-mapped IPv6
 * address becomes IPv4.
 */
export type AddressOf = (peer: string | undefined, forwardedFor: string | undefined) => string;

/** Stands for the address of a connection that is already closed. */
const unknownAddress = "0.0.0.0";

/**
 * @param trustedProxies addresses and networks, as in `10.0.0.0/8`
 * @param onUntrusted called with the first untrusted peer that sends X-Forwarded-For: it may be a
 * proxy missing from the settings
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
      // The entry is not an address, so the client is unknown: the proxy that added it counts as
      // the client.
      if (next === undefined) break;
      address = next;
    }
    return address;
  };
}

/** Returns the address of a connection's peer. An IPv4-mapped IPv6 address becomes IPv4. */
export const peerAddress = (peer: string | undefined): string => plainAddress(peer ?? "") ?? unknownAddress;

/**
 * Parses an IP address and drops port, brackets and zone. Returns undefined if the text is not an
 * address.
 */
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
