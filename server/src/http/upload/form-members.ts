/**
 * Converts the parts of a `multipart/form-data` body that are not files to the members of a JSON
 * body for the same endpoint. The conversion is as strict as the JSON parser.
 */
import type { Endpoint } from "@sheaf/contract/endpoint.ts";
import { shapeOf } from "@sheaf/contract/schema.ts";
import { invalidRequest } from "./invalid-request.ts";
import { parseFields } from "./parse-fields.ts";
import { pointerTo } from "./part-header.ts";
import { fieldLimits } from "./receive-upload.ts";
import { UploadScanner } from "./scanner.ts";

/**
 * How the text of a part becomes a value. `text`: the text itself. `texts`: a JSON array, or one
 * element of a list that several parts form. `json`: parsed as JSON.
 */
type Kind = "text" | "texts" | "json";

type Schema = NonNullable<Endpoint["body"]>;

export type MemberKinds = ReadonlyMap<string, Kind>;

/** Returns the kinds of the members of a body. */
export function memberKinds(body: Schema): MemberKinds {
  const { properties = {} } = body as { properties?: Record<string, Schema> };
  return new Map(Object.entries(properties).map(([name, schema]) => [name, kindOf(schema)]));
}

function kindOf(schema: Schema): Kind {
  const { type, items } = (shapeOf(schema) ?? schema) as { type?: string; items?: { type?: string } };
  if (type === "string") return "text";
  return type === "array" && items?.type === "string" ? "texts" : "json";
}

export class FormMembers {
  readonly #kinds: MemberKinds;
  /** JSON of each complete value. */
  readonly #values = new Map<string, string>();
  readonly #lists = new Map<string, string[]>();
  #bytes = 0;

  constructor(kinds: MemberKinds) {
    this.#kinds = kinds;
  }

  /** Counts bytes outside of files, before they are stored. Throws if there are too many. */
  count(bytes: number): void {
    this.#bytes += bytes;
    const { maxFieldsBytes } = fieldLimits;
    if (this.#bytes > maxFieldsBytes)
      throw invalidRequest("", `takes more than ${maxFieldsBytes} bytes besides the file`);
  }

  /** @throws AppError `invalid_request` */
  add(name: string, bytes: Buffer): void {
    const text = decodeUtf8(name, bytes);
    const kind = this.#kinds.get(name) ?? "text";
    const list = this.#lists.get(name);
    const isElement = kind === "texts" && !text.trimStart().startsWith("[");
    if (list !== undefined && isElement) list.push(JSON.stringify(text));
    else if (list !== undefined || this.#values.has(name)) throw invalidRequest(pointerTo(name), "is given twice");
    else if (isElement) this.#lists.set(name, [JSON.stringify(text)]);
    else this.#values.set(name, kind === "text" ? JSON.stringify(text) : checkedJson(name, text));
  }

  /** Returns the members as a JSON body would contain them, under the same limits. */
  parse(): Record<string, unknown> {
    const lists = [...this.#lists].map(([name, elements]) => [name, `[${elements.join(",")}]`] as const);
    const members = [...this.#values, ...lists].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    const scanner = new UploadScanner({ ...fieldLimits, maxFieldsBytes: Number.POSITIVE_INFINITY, withFile: false });
    const json = Buffer.from(`{${members.join(",")}}`);
    scanner.scan(json, 0);
    return parseFields(scanner.finish());
  }
}

/**
 * Checks that the text is a single JSON value. Otherwise a text such as `[],"file":1` could add
 * members to the body.
 */
function checkedJson(name: string, text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw invalidRequest(pointerTo(name), "is not valid JSON");
  }
}

function decodeUtf8(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidRequest(pointerTo(name), "is not valid UTF-8");
  }
}
