/** Parses the header of one part of a `multipart/form-data` body, strictly. */
import { invalidRequest } from "./invalid-request.ts";

export interface PartHeader {
  /** Name of the part. It becomes the name of a member of the JSON body. */
  name: string;
  /** Undefined if the part is not a file. */
  filename: string | undefined;
}

/** Transfer encodings that leave the bytes of a part unchanged (RFC 7578, 4.7). */
const plainEncodings = new Set(["7bit", "8bit", "binary"]);

/** @throws AppError `invalid_request` */
export function parsePartHeader(bytes: Buffer): PartHeader {
  const values = new Map<string, string>();
  for (const line of decodeUtf8(bytes).split("\r\n")) {
    const colon = line.indexOf(":");
    const key = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!/^[\w-]+$/.test(key) || values.has(key)) throw malformed();
    values.set(key, line.slice(colon + 1).trim());
  }
  const disposition = values.get("content-disposition") ?? "";
  const parameters = /^form-data\s*(;|$)/i.test(disposition) ? headerParameters(disposition) : undefined;
  const name = parameters?.get("name");
  if (name === undefined || name === "")
    throw invalidRequest("", "a part has no Content-Disposition: form-data with a name");
  const encoding = values.get("content-transfer-encoding")?.toLowerCase();
  if (encoding !== undefined && !plainEncodings.has(encoding))
    throw invalidRequest(pointerTo(name), "must be sent as it is, without Content-Transfer-Encoding");
  return { name, filename: extendedValue(parameters?.get("filename*")) ?? parameters?.get("filename") };
}

/** Returns the JSON pointer to a member. Only the first 100 characters of the name are included. */
export const pointerTo = (name: string): string => `/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * Returns the parameters of a header by lowercase name. The parameters follow the first semicolon.
 * Returns undefined if a parameter is malformed or given twice.
 */
export function headerParameters(value: string): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  const start = value.indexOf(";");
  const pattern = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*)?/gy;
  pattern.lastIndex = start < 0 ? value.length : start;
  while (pattern.lastIndex < value.length) {
    const match = pattern.exec(value);
    if (match === null) return undefined;
    const [, name, quoted, token = ""] = match;
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    // Browsers do not escape backslashes, so only `\"` and `\\` are decoded. Any other backslash is
    // kept.
    parameters.set(key, quoted?.replace(/\\(["\\])/g, "$1") ?? token);
  }
  return parameters;
}

/**
 * Decodes an extended value (RFC 8187), which some clients use for file names that are not ASCII.
 */
function extendedValue(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(text) ?? [];
  try {
    return decodeURIComponent(encoded ?? "%");
  } catch {
    throw malformed();
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

const malformed = () => invalidRequest("", "the header of a part is malformed");
