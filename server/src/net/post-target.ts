/**
 * Checks whether posting to a URL is allowed, judging by the URL alone. The addresses of a name are
 * checked when the URL is registered and when a connection is made.
 */
import { type BlockList, isIP } from "node:net";
import { mayConnect } from "./addresses.ts";

/** Maximum length of a URL, in characters. */
const maxUrlLength = 2_048;

/**
 * Domains whose names are refused, because they are not in the public DNS or are internal to
 * networks (RFC 6761, 6762, 7686, 8375, 9476, and similar domains in use). `test`, `example` and
 * `invalid` are not listed because they never resolve. `arpa` contains only infrastructure.
 */
const internalDomains = new Set([
  "alt",
  "arpa",
  "consul",
  "corp",
  "home",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "localdomain6",
  "localhost",
  "onion",
  "private",
  "svc",
]);

/** Names outside `internalDomains` at which cloud providers serve instance metadata. */
const metadataNames = new Set(["metadata.goog", "metadata.tencentyun.com"]);

/** A URL to which posting is allowed, judging by the URL alone. */
export interface PostTarget {
  url: URL;
  /** An address without brackets, or a name without a dot at its end. */
  host: string;
  isAddress: boolean;
}

export interface PostRules {
  /** Non-public addresses that receivers may have. */
  allowed: BlockList;
  /** True if `http://` URLs are accepted as well. */
  allowHttp: boolean;
}

/** Parses a URL. Returns undefined if posting to it is not allowed; the reason is not reported. */
export function postTarget(text: string, { allowed, allowHttp }: PostRules): PostTarget | undefined {
  // Parsers disagree about blanks and backslashes, which legitimate URLs do not contain.
  if (text.length > maxUrlLength || /[\s\\\p{Cc}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:"))) return undefined;
  if (url.username !== "" || url.password !== "" || url.port === "0") return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isAddress = isIP(host) !== 0;
  return (isAddress ? mayConnect(host, allowed) : isPublicName(host)) ? { url, host, isAddress } : undefined;
}

/**
 * Returns true if a host name is public. The URL parser has already converted the name to lower
 * case and ASCII, and decoded percent-encoding.
 */
function isPublicName(name: string): boolean {
  const labels = name.split(".");
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
    !internalDomains.has(labels.at(-1) ?? "") &&
    !metadataNames.has(name)
  );
}
