/** The parts of the OpenAPI document that the reference shows. */
import type { JsonSchema } from "@sheaf/contract/json-schema.ts";

interface Content {
  schema: JsonSchema;
  example?: unknown;
  "x-itemSchema"?: JsonSchema;
}

interface Described {
  description?: string;
  schema?: JsonSchema;
  example?: unknown;
  $ref?: string;
}

export interface Parameter extends Described {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
}

export interface Response {
  description: string;
  content?: Record<string, Content>;
  headers?: Record<string, Described>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
  callbacks?: Record<string, Record<string, { post: Omit<Operation, "tags" | "operationId"> }>>;
}

export interface OpenApi {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export interface Endpoint extends Operation {
  /** Method and path pattern, such as `GET /v2/agents`. */
  route: string;
}

export const endpointsOf = ({ paths }: OpenApi): Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, ...operation })),
  );

/**
 * Returns the names of all schemas to which a part of the document refers, directly or through
 * other schemas.
 */
export function schemasIn(part: unknown, { components }: OpenApi, found = new Set<string>()): Set<string> {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    schemasIn(components.schemas[name], { components } as OpenApi, found);
  }
  return found;
}
