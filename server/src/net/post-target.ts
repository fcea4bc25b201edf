/**
 * Which URLs may be posted to, judged by the URL alone. What a name resolves to is judged when the URL is registered and when a connection
 * is made.
 */
import { type BlockList, isIP } from "node:net";
import { mayConnect } from "./addresses.ts";

const maxUrlLength = 2_048;

/**
 * The last labels of names that are not in the public DNS, or stand for something inside a network (RFC 6761, 6762, 7686, 8375, 9476, and
 * what is reserved or in use beside them); `test`, `example` and `invalid` resolve to nothing. Under `arpa` there is only infrastructure.
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

/** Names outside these domains by which clouds tell a machine about itself. */
const metadataNames = new Set(["metadata.goog", "metadata.tencentyun.com"]);

/** A URL that may be posted to, as far as it tells. */
export interface PostTarget {
  url: URL;
  /** An address without brackets, or a name without a dot at its end. */
  host: string;
  isAddress: boolean;
}

export interface PostRules {
  /** Addresses that may be posted to though they are not public. */
  allowed: BlockList;
  /** Whether `http://` URLs are taken too. */
  allowHttp: boolean;
}

/** Undefined for what may not be posted to: the caller is told no more than that. */
export function postTarget(text: string, { allowed, allowHttp }: PostRules): PostTarget | undefined {
  // Parsers differ about blanks and backslashes, and no honest URL has them.
  if (text.length > maxUrlLength || /[\s\\\p{Cc}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:"))) return undefined;
  if (url.username !== "" || url.password !== "" || url.port === "0") return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isAddress = isIP(host) !== 0;
  return (isAddress ? mayConnect(host, allowed) : isPublicName(host)) ? { url, host, isAddress } : undefined;
}

/** The parser of URLs has lowered it, turned it into ASCII and decoded what was percent-encoded. */
function isPublicName(name: string): boolean {
  const labels = name.split(".");
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
    !internalDomains.has(labels.at(-1) as string) &&
    !metadataNames.has(name)
  );
}
