/**
 * Which URLs may be posted to, judged by the URL alone: no name is looked up, so the answer takes the same time whatever stands behind it.
 * What a name resolves to is judged when a connection is made.
 */
import { type BlockList, isIP } from "node:net";
import { mayConnect } from "./addresses.ts";

const maxUrlLength = 2_048;

/** The last labels of names that stand for something inside a network; under `arpa` there is only infrastructure, `home.arpa` included. */
const internalDomains = new Set([
  "arpa",
  "corp",
  "home",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "localdomain6",
  "localhost",
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
  if (url.username !== "" || url.password !== "") return undefined;
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
