/** The OpenAPI 3.1 document, made from the definitions of the endpoints that are served. */

import { deprecationHeaderSpecs, describe, overview } from "./describe.ts";
import { type Endpoint, type HeaderSpec, type ResponseSpec, type Tag, tags, takesIdempotencyKey } from "./endpoint.ts";
import type { EventName } from "./events.ts";
import { exampleOf } from "./example.ts";
import { idempotencyKey } from "./idempotency.ts";
import { Components, type JsonSchema } from "./json-schema.ts";
import { deliveryOperation, webhookOperations } from "./openapi-deliveries.ts";
import { errorResponses } from "./openapi-errors.ts";

export interface OpenApiOptions {
  title: string;
  /** Of the service, not of the interface: that one is in the path. */
  version: string;
  /** Absolute URL that the service is reached at; relative paths are meant without it. */
  serverUrl?: string;
  /** The events that are emitted; without them the document has no section on webhooks. */
  events?: readonly EventName[];
}

/** A document of OpenAPI 3.1, as JSON. */
export type OpenApiDocument = {
  openapi: "3.1.1";
  info: JsonSchema;
  servers?: JsonSchema[];
  tags: JsonSchema[];
  paths: Record<string, JsonSchema>;
  webhooks?: Record<string, JsonSchema>;
  components: { schemas: Record<string, JsonSchema>; headers: JsonSchema; securitySchemes: JsonSchema };
};

/**
 * Describes the endpoints given, and nothing else.
 * @example openApi(Object.values(endpoints), { title: "Sheaf", version: "1.0.0", events: eventNames })
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
    ...(options.serverUrl === undefined ? {} : { servers: [{ url: options.serverUrl }] }),
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
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-sheaf_session",
          description: "A session of the web application: see `createSession`. Requests of other sites are refused.",
        },
      },
    },
  };
}

/** By the draft of the IETF on rate limits; absent where the operator has switched the limit off. */
const limitHeaders = {
  RateLimitPolicy: {
    description: "How many requests the service takes in so many seconds, and of whom: a credential or an address.",
    schema: { type: "string" },
    example: '"credential";q=6000;w=60',
  },
  RateLimit: {
    description: "How many of them are left, and after how many seconds all of them will be.",
    schema: { type: "string" },
    example: '"credential";r=5999;t=1',
  },
};

function usedTags(endpoints: readonly Endpoint[]): Tag[] {
  return (Object.keys(tags) as Tag[]).filter((tag) => endpoints.some((endpoint) => endpoint.tag === tag));
}

/** The shape of a path, whatever its parameters are called: to OpenAPI paths of one shape are one path. */
export function pathShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, "{}");
}

/** Operations that share a path share the names of its parameters too, those of the first. */
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

/** Who may call, with the roles that they need: OpenAPI 3.1 has room for them. */
function security({ auth, app }: Endpoint): JsonSchema[] {
  if (auth === "none") return [];
  const roles = (needed: string) => (needed === "administrator" ? [needed] : []);
  return [{ apiKey: roles(auth) }, { session: roles(app ?? auth) }];
}

/** The parameters of the path in its order, under the names that the path has in the document. */
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
  if (!takesIdempotencyKey(endpoint)) return [];
  const description =
    "Makes it safe to send the request again: the same request with the same key gets the first answer for " +
    `${idempotencyKey.keptHours} hours; another request with it is 422 \`invalid_request\`, one that comes while the first is under way 409 ` +
    "`conflict`. Keys are those of one credential or user. Only successes are kept" +
    (endpoint.secretReply === undefined
      ? "."
      : "; the answer of this endpoint holds a secret and is not: the same request is then 409 `conflict` with `detail.reference`.");
  const schema = { type: "string", pattern: idempotencyKey.pattern.source, maxLength: 255 };
  return [{ name: "Idempotency-Key", in: "header", required: false, description, schema }];
}

function describedSchema({ description, ...schema }: JsonSchema): JsonSchema {
  return description === undefined ? { schema } : { description, schema };
}

function requestBody({ body = {}, bodyType = "application/json" }: Endpoint, components: Components): JsonSchema {
  return {
    required: true,
    content: { [bodyType]: { schema: components.convert(body), example: exampleOf(body) } },
  };
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
  { description, body, contentType = "application/json" }: ResponseSpec,
  headers: Readonly<Record<string, HeaderSpec>>,
  components: Components,
  endpoint: Endpoint,
): JsonSchema {
  const [mediaType = contentType] = contentType.split(";");
  const media =
    body === undefined
      ? { schema: { type: "string" } }
      : { schema: components.convert(body), example: exampleOf(body) };
  return withHeaders({ description, content: { [mediaType]: media } }, headers, endpoint);
}

function isPlainText({ content }: JsonSchema): boolean {
  return Object.hasOwn(content as object, "text/plain");
}

/** Every answer has `x-request-id`, and those of endpoints with a rate limit tell of it. */
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
