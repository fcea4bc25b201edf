/** Operations of the OpenAPI document, and requests to them. */
import assert from "node:assert/strict";
import { describeService } from "../../src/http/openapi.routes.ts";
import type { TestClient } from "./service.ts";

interface Schema {
  $ref?: string;
  format?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /**
   * Alternative ways to authenticate, each with the required roles; empty if no authentication is
   * needed.
   */
  security: Partial<Record<"apiKey" | "session", string[]>>[];
  parameters: { name: string; in: "path" | "query" | "header" }[];
  requestBody: { mediaType: string; schema: Schema } | undefined;
}

const document = describeService(undefined) as {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Schema> };
};

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, security, parameters = [], requestBody }]) => {
    const [body] = Object.entries((requestBody as { content: Record<string, { schema: Schema }> })?.content ?? {});
    return {
      operationId,
      method: method.toUpperCase(),
      path,
      security,
      parameters,
      requestBody: body && { mediaType: body[0], schema: body[1].schema },
    } as Operation;
  }),
);

export const namesOf = ({ parameters }: Operation, place: "path" | "query" | "header"): string[] =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

interface IdMember {
  name: string;
  isList: boolean;
}

/**
 * Returns the members of a request body that contain an id or a list of ids. Fails if an id is
 * nested more deeply, because the tests that send the ids of another organization would not cover
 * such an id.
 */
export function idMembers({ operationId, requestBody }: Operation): IdMember[] {
  const isId = (schema: Schema) => resolved(schema).format === "uuid";
  const hides = (schema: Schema, depth = 0): boolean => {
    if (depth > 6) return false;
    const { properties = {}, items, anyOf = [] } = resolved(schema);
    const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
    return inner.some((each) => isId(each) || hides(each, depth + 1));
  };
  const members = Object.entries(resolved(requestBody?.schema ?? {}).properties ?? {});
  return members.flatMap(([name, schema]): IdMember[] => {
    const { items } = resolved(schema);
    if (isId(schema)) return [{ name, isList: false }];
    if (items && isId(items)) return [{ name, isList: true }];
    assert.ok(!hides(schema), `${operationId} has an id inside ${name}, which no test would try`);
    return [];
  });
}

/**
 * Path parameters whose values are not ids, but words or numbers that the contract defines, such as
 * an event name.
 */
export const words = new Set(["event", "page", "segmentIndex", "number", "templateName"]);

/** Values of required query parameters by name; null if a parameter is optional. */
const queries: Record<string, string | null> = {
  client_id: "unknown",
  client_secret: "unknown",
  width: null,
  lang: null,
  limit: null,
  cursor: null,
  order: null,
  since: null,
  action: null,
  archived: null,
  agent: null,
  status: null,
  needs_review: null,
  from: null,
};

/**
 * Returns the URL path with its parameters filled in, followed by the required query parameters.
 */
export function urlFor(of: Operation, filled: Record<string, string>): string {
  const path = of.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(filled[name] ?? ""));
  const query = namesOf(of, "query").flatMap((name) => {
    const value = queries[name];
    assert.ok(value !== undefined, `no test knows the query parameter ${name} of ${of.operationId}`);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

/** Sends the request with a body in the media type that the operation expects. */
export function request(
  send: TestClient["send"],
  of: Operation,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  if (body === undefined) return send(of.method, url, undefined, headers);
  const { mediaType = "application/json" } = of.requestBody ?? {};
  if (mediaType === "application/json") return send(of.method, url, body, headers);
  return send(of.method, url, new URLSearchParams(body as Record<string, string>).toString(), {
    "content-type": mediaType,
    ...headers,
  });
}
