/** The OpenAPI 3.1 document, generated from the definitions of the served endpoints. */

import { deprecationHeaderSpecs, describe, overview } from "./describe.ts";
import { type Endpoint, type HeaderSpec, type ResponseSpec, type Tag, tags, takesIdempotencyKey } from "./endpoint.ts";
import type { EventName } from "./events.ts";
import { exampleOf } from "./example.ts";
import { idempotencyKey } from "./idempotency.ts";
import { Components, type JsonSchema } from "./json-schema.ts";
import { deliveryOperation, webhookOperations } from "./openapi-deliveries.ts";
import { errorResponses } from "./openapi-errors.ts";
import { formMedia } from "./openapi-uploads.ts";

export interface OpenApiOptions {
  title: string;
  /** Version of the service. The version of the API is part of the path. */
  version: string;
  /** Absolute URL of the service; without it, paths are relative to the document's own origin. */
  serverUrl?: string;
  /** Emitted events. If absent, the document has no `webhooks` section. */
  events?: readonly EventName[];
}

/** An OpenAPI 3.1 document as JSON. */
export type OpenApiDocument = {
  openapi: "3.1.1";
  info: JsonSchema;
  servers: JsonSchema[];
  tags: JsonSchema[];
  paths: Record<string, JsonSchema>;
  webhooks?: Record<string, JsonSchema>;
  components: { schemas: Record<string, JsonSchema>; headers: JsonSchema; securitySchemes: JsonSchema };
};

/**
 * Describes the given endpoints.
 * @example
 * openApi(Object.values(endpoints), { title: "Sheaf", version: "1.0.0", events: eventNames })
 */
export function openApi(endpoints: readonly Endpoint[], options: OpenApiOptions): OpenApiDocument {
  const components = new Components();
  const paths = describePaths(endpoints, components);
  const webhooks = options.events === undefined ? undefined : webhookOperations(options.events, components);
  return {
    openapi: "3.1.1",
    info: {
      title: options.title,
      version: options.version,
      description: overview,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.serverUrl ?? "/", description: "This service." }],
    tags: usedTags(endpoints).map((name) => ({ name, description: tags[name] })),
    paths,
    ...(webhooks === undefined ? {} : { webhooks }),
    components: {
      schemas: components.schemas,
      headers: {
        RequestId: { description: "Identifies the request in the log.", schema: { type: "string" } },
        ...limitHeaders,
      },
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "The access token." },
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The access token, instead of `x-api-key`. Different tokens in both headers are refused.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-sheaf_session",
          description: "A session of the web application: see `createSession`. Cross-site requests are refused.",
        },
      },
    },
  };
}

/**
 * Rate limit headers, as in the IETF draft. A response has none if the operator has disabled the
 * limit.
 */
const limitHeaders = {
  RateLimitPolicy: {
    description:
      "Number of requests per time window, its length in seconds, and whether the limit applies to a credential or an address.",
    schema: { type: "string" },
    example: '"credential";q=6000;w=60',
  },
  RateLimit: {
    description: "Number of remaining requests, and number of seconds until the full quota is available.",
    schema: { type: "string" },
    example: '"credential";r=5999;t=1',
  },
};

function usedTags(endpoints: readonly Endpoint[]): Tag[] {
  return (Object.keys(tags) as Tag[]).filter((tag) => endpoints.some((endpoint) => endpoint.tag === tag));
}

/**
 * Returns a path without the names of its parameters, because OpenAPI treats paths that differ only
 * in these names as one path.
 */
export function pathShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, "{}");
}

/**
 * Describes the paths. Operations that share a path also share the parameter names, which are those
 * of the first operation.
 */
function describePaths(endpoints: readonly Endpoint[], components: Components): Record<string, JsonSchema> {
  const byShape = Map.groupBy(endpoints, ({ path }) => pathShape(path));
  const items = [...byShape.values()].map((operations) => {
    const path = operations[0]?.path ?? "";
    const described = operations.map((endpoint) => [
      endpoint.method.toLowerCase(),
      describeOperation(endpoint, parameterNames(path), components),
    ]);
    return [path, Object.fromEntries(described)] as const;
  });
  return Object.fromEntries(items);
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
}

function describeOperation(endpoint: Endpoint, names: readonly string[], components: Components): JsonSchema {
  const parameters = [
    ...pathParameters(endpoint, names, components),
    ...queryParameters(endpoint, components),
    ...headerParameters(endpoint),
  ];
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: describe(endpoint),
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    security: security(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : { requestBody: requestBody(endpoint, components) }),
    responses: responses(endpoint, components),
    ...(endpoint.callback === undefined ? {} : { callbacks: callbacks(endpoint.callback, components) }),
  };
}

/**
 * Returns the security requirements with the required roles. OpenAPI 3.1 allows roles in all types
 * of security requirements.
 */
function security({ auth, app }: Endpoint): JsonSchema[] {
  if (auth === "none") return [];
  const roles = (needed: string) => (needed === "administrator" ? [needed] : []);
  return [{ apiKey: roles(auth) }, { bearer: roles(auth) }, { session: roles(app ?? auth) }];
}

/**
 * Returns the path parameters in order, with the names that the path in the OpenAPI document uses.
 */
function pathParameters({ path, pathParameters: schema }: Endpoint, names: readonly string[], components: Components) {
  return parameterNames(path).map((own, index) => ({
    name: names[index] ?? own,
    in: "path",
    required: true,
    ...describedSchema(components.convert(schema?.properties[own] ?? {})),
  }));
}

function queryParameters({ query }: Endpoint, components: Components) {
  const required: readonly string[] = query?.required ?? [];
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...describedSchema(components.convert(schema)),
  }));
}

function headerParameters(endpoint: Endpoint): JsonSchema[] {
  const own = Object.entries(endpoint.requestHeaders ?? {}).map(([name, { description, example }]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
    ...(example !== undefined && { example }),
  }));
  return takesIdempotencyKey(endpoint) ? [...own, idempotencyKeyHeader(endpoint)] : own;
}

function idempotencyKeyHeader(endpoint: Endpoint): JsonSchema {
  const description =
    `Makes it safe to repeat the request. For ${idempotencyKey.keptHours} hours, the same request with the same key gets the first response. ` +
    "A different request with the same key is 422 `invalid_request`. A repetition while the first request is under way is 409 " +
    "`conflict`. Keys belong to one credential or user. Only successful responses are stored" +
    (endpoint.secretReply === undefined
      ? "."
      : ". The response of this endpoint contains a secret and is not stored: repeating the request is then 409 `conflict` with `detail.reference`.");
  const schema = { type: "string", pattern: idempotencyKey.pattern.source, maxLength: 255 };
  return { name: "Idempotency-Key", in: "header", required: false, description, schema };
}

function describedSchema({ description, ...schema }: JsonSchema): JsonSchema {
  return description === undefined ? { schema } : { description, schema };
}

function requestBody(endpoint: Endpoint, components: Components): JsonSchema {
  const { body = {}, bodyType = "application/json", upload, uploads } = endpoint;
  const media = { schema: components.convert(body), example: exampleOf(body) };
  const form = (upload ?? uploads) && { "multipart/form-data": formMedia(endpoint, components) };
  return { required: true, content: { [bodyType]: media, ...form } };
}

function responses(endpoint: Endpoint, components: Components): JsonSchema {
  const deprecation = deprecationHeaderSpecs(endpoint);
  const successes = Object.entries(endpoint.responses).map(([status, response]) => [
    status,
    successResponse(response, { ...response.headers, ...deprecation }, components, endpoint),
  ]);
  const failures = Object.entries(errorResponses(endpoint, components)).map(([status, response]) => [
    status,
    withHeaders(response, isPlainText(response) ? deprecation : {}, endpoint),
  ]);
  return Object.fromEntries([...successes, ...failures]);
}

function successResponse(
  { description, body, events, bytes, empty, contentType = "application/json" }: ResponseSpec,
  headers: Readonly<Record<string, HeaderSpec>>,
  components: Components,
  endpoint: Endpoint,
): JsonSchema {
  if (empty) return withHeaders({ description, content: {} }, headers, endpoint);
  const [mediaType = contentType] = contentType.split(";");
  const media =
    body === undefined
      ? {
          schema: { type: "string", ...(bytes && { format: "binary" }) },
          // OpenAPI 3.1 has no keyword for the schema of a stream's items.
          ...(events && { "x-itemSchema": components.convert(events) }),
        }
      : { schema: components.convert(body), example: exampleOf(body) };
  return withHeaders({ description, content: { [mediaType]: media } }, headers, endpoint);
}

function isPlainText({ content }: JsonSchema): boolean {
  return Object.hasOwn(content as object, "text/plain");
}

/**
 * Adds `x-request-id` and the rate limit headers. Responses to probes have no rate limit headers.
 */
function withHeaders(
  response: JsonSchema,
  specs: Readonly<Record<string, HeaderSpec>>,
  { probe }: Endpoint,
): JsonSchema {
  const described = Object.entries(specs).map(([name, { description, example }]) => [
    name,
    { description, schema: { type: "string" }, ...(example === undefined ? {} : { example }) },
  ]);
  const headers = { ...(response.headers as object), ...Object.fromEntries(described) };
  const shared = {
    "x-request-id": { $ref: "#/components/headers/RequestId" },
    ...(probe
      ? {}
      : {
          "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
          RateLimit: { $ref: "#/components/headers/RateLimit" },
        }),
  };
  return { ...response, headers: { ...shared, ...headers } };
}

function callbacks({ field, summary, body }: NonNullable<Endpoint["callback"]>, components: Components): JsonSchema {
  return { result: { [`{$request.body#/${field}}`]: { post: deliveryOperation(summary, body, false, components) } } };
}
