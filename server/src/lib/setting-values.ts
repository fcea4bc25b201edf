/**
 * Parsers of setting values. Each parser returns the parsed value or throws an Error. The error
 * message is the rest of a sentence that begins with the name of the setting.
 */
import { accessSync, constants } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";

export const text = (value: string): string => value;

export const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };

export const oneOf =
  <const T extends string>(...allowed: T[]) =>
  (value: string): T => {
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(", ")}`);
    return found;
  };

export const url =
  (...protocols: string[]) =>
  (value: string): string => {
    const protocol = URL.canParse(value) ? new URL(value).protocol : "";
    if (!protocols.includes(protocol))
      throw new Error(`must be a URL beginning with ${protocols.map((p) => `${p}//`).join(" or ")}`);
    return value;
  };

export const languages = (value: string): string[] => {
  if (!/^\w+(\+\w+)*$/.test(value)) throw new Error("must be one or more languages joined by +, as in eng+deu");
  return value.split("+");
};

export const commaSeparated = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

export const networks = (value: string): string[] => {
  const parts = commaSeparated(value);
  for (const part of parts) {
    const [address = "", bits, ...more] = part.split("/");
    const most = isIP(address) === 6 ? 128 : 32;
    const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || !isPrefix || more.length > 0)
      throw new Error(`must be addresses and networks separated by commas; ${part} is neither`);
  }
  return parts;
};

export const stripeSecret = (value: string): string => {
  if (!/^whsec_\S+$/.test(value)) throw new Error("must be the signing secret of a Stripe webhook, whsec_…");
  return value;
};

export const stripePrices = (value: string): ReadonlyMap<string, string> => {
  const prices = new Map<string, string>();
  for (const part of commaSeparated(value)) {
    const [, price, plan] = /^(price_\w+):([^:\s]+)$/.exec(part) ?? [];
    if (price === undefined || plan === undefined || prices.has(price))
      throw new Error(
        `must be pairs of a Stripe price and a plan, as in price_123:pro; ${part} is invalid or occurs twice`,
      );
    prices.set(price, plan);
  }
  return prices;
};

export const clamdAddress = (value: string): { host: string; port: number } | { path: string } | undefined => {
  if (value === "none") return undefined;
  const [, path] = /^clamd:\/\/(\/.+)$/.exec(value) ?? [];
  if (path !== undefined) return { path };
  const [, ipv6, host = ipv6, port = "3310"] =
    /^clamd:\/\/(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d+))?$/i.exec(value) ?? [];
  if (host !== undefined && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
  throw new Error("must be none, clamd://host:port or clamd:///path/to/socket");
};

export const token = (value: string): string => {
  if (!/^[\x21-\x7e]{16,}$/.test(value)) throw new Error("must have at least 16 characters and no white space");
  return value;
};

export const headers = (value: string): Record<string, string> => {
  const pairs = commaSeparated(value).map((pair) => pair.split(/=(.*)/s, 2).map((side) => decoded(side.trim())));
  if (!pairs.every(([name = "", text]) => /^[\w-]+$/.test(name) && text !== undefined))
    throw new Error("must be headers separated by commas, as in name=value");
  return Object.fromEntries(pairs);
};

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

/** Parses `s3://bucket/prefix`. The prefix is empty or ends with a slash. */
export const s3Location = (value: string): { bucket: string; prefix: string } => {
  const [, bucket, path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(value) ?? [];
  const segments = path.split("/").filter((each) => each !== "");
  // Names that begin with a dot, such as `.trash`, are reserved for Sheaf.
  if (bucket === undefined || !segments.every((each) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(each)))
    throw new Error("must be a bucket and a prefix, as in s3://bucket/prefix");
  return { bucket, prefix: segments.map((each) => `${each}/`).join("") };
};

/**
 * Parses the server-side encryption of stored files. Returns undefined for the bucket's default.
 */
export const s3Encryption = (value: string): { algorithm: "AES256" | "aws:kms"; key?: string } | undefined => {
  if (value === "bucket") return undefined;
  if (value === "AES256" || value === "aws:kms") return { algorithm: value };
  const [, key] = /^aws:kms:(\S+)$/.exec(value) ?? [];
  if (key === undefined) throw new Error("must be bucket, AES256, aws:kms or aws:kms:KEY");
  return { algorithm: "aws:kms", key };
};

export const fraction = (value: string): number => {
  const number = Number(value);
  if (value.trim() === "" || !(number >= 0 && number <= 1)) throw new Error("must be a number from 0 to 1");
  return number;
};

export const program = (value: string): string => {
  try {
    accessSync(value, constants.X_OK);
  } catch {
    throw new Error("must be the path of a program");
  }
  return resolve(value);
};
