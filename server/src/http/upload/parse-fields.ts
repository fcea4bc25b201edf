/**
 * Strict JSON parser for objects. `JSON.parse` checks the grammar; this module also refuses invalid
 * UTF-8, duplicate keys in one object, unpaired surrogates and numbers beyond the range of a
 * double.
 */
import { invalidRequest } from "./invalid-request.ts";

/**
 * Parses a JSON object given as UTF-8. Objects have no prototype, so that `__proto__` is a key like
 * any other. The caller must limit depth and number of values: 20,000 values take up to 15 ms.
 * @throws AppError `invalid_request`
 */
export function parseFields(bytes: Buffer): Record<string, unknown> {
  const text = decodeUtf8(bytes);
  const parsed = parseJson(text);
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined) throw invalidRequest(repeated, "is given twice");
  return copyChecked(parsed, []) as Record<string, unknown>;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidRequest("", "is not valid UTF-8");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest("", "is not valid JSON");
  }
}

/**
 * Copies a parsed value and checks every string and number. Objects of the copy have no prototype.
 */
function copyChecked(value: unknown, path: (string | number)[]): unknown {
  if (typeof value === "string") return checkedString(value, path);
  if (typeof value === "number" && !Number.isFinite(value))
    throw invalidRequest(pointer(path), "is a number out of range");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => copyMember(item, index, path));
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    copy[checkedString(key, path)] = copyMember((value as Record<string, unknown>)[key], key, path);
  }
  return copy;
}

function copyMember(member: unknown, key: string | number, path: (string | number)[]): unknown {
  path.push(key);
  const copy = copyChecked(member, path);
  path.pop();
  return copy;
}

function checkedString(text: string, path: readonly (string | number)[]): string {
  if (!text.isWellFormed()) throw invalidRequest(pointer(path), "contains an unpaired surrogate");
  return text;
}

/** An object or array that has not ended at the current position. */
interface Open {
  /** The keys read so far; undefined in an array. */
  keys: Set<string> | undefined;
  /** Key or index of the member being read. */
  member: string | number;
}

/** Returns the JSON pointer of the first duplicate key. `text` must be valid JSON. */
function findRepeatedKey(text: string): string | undefined {
  const open: Open[] = [];
  let last = "";
  for (let at = 0; at < text.length; at++) {
    const innermost = open.at(-1);
    switch (text[at]) {
      case '"': {
        const end = closingQuote(text, at);
        last = text.slice(at, end + 1);
        at = end;
        break;
      }
      case ":": {
        const key = last.includes("\\") ? (JSON.parse(last) as string) : last.slice(1, -1);
        if (innermost?.keys === undefined) break;
        innermost.member = key;
        if (innermost.keys.has(key)) return pointer(open.map(({ member }) => member));
        innermost.keys.add(key);
        break;
      }
      case ",":
        if (typeof innermost?.member === "number") innermost.member++;
        break;
      case "{":
        open.push({ keys: new Set(), member: "" });
        break;
      case "[":
        open.push({ keys: undefined, member: 0 });
        break;
      case "}":
      case "]":
        open.pop();
        break;
    }
  }
  return undefined;
}

/** Returns the index of the quote that closes the string opened at `open`. */
function closingQuote(text: string, open: number): number {
  for (let at = open + 1; ; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
}

/**
 * Builds a JSON pointer (RFC 6901). Called only when there is an issue to report, because escaping
 * long keys takes time.
 */
function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
