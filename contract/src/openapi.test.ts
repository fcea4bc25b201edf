import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import Type from "typebox";
import { defineEndpoint, type Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { errors } from "./errors.ts";
import { eventNames } from "./events.ts";
import { openApi } from "./openapi.ts";
import { component } from "./schema.ts";

const all: Endpoint[] = Object.values(endpoints);
const document = JSON.parse(JSON.stringify(openApi(all, { title: "Sheaf", version: "1.2.3", events: eventNames })));
const operations: Operation[] = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, path, method })),
);

interface Media {
  schema: Record<string, unknown>;
  example?: unknown;
}
interface Operation {
  path: string;
  method: string;
  operationId: string;
  description: string;
  deprecated?: boolean;
  security: unknown[];
  parameters?: { name: string; in: string; description: string; required: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content: Record<string, Media>; headers: Record<string, unknown> }>;
  callbacks?: { result: Record<string, { post: Operation }> };
}

const operation = (id: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === id);
  assert.ok(found, id);
  return found;
};

/** Yields every value of a JSON tree with its key. */
function* walk(value: unknown, key = ""): Generator<[string, unknown]> {
  yield [key, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* walk(member, name);
}

test("the document of all endpoints and events is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(structuredClone(document));
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(result.valid, true);
});

test("the document describes every endpoint of the API", () => {
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.equal(described.length, Object.keys(endpoints).length);
  // Endpoints promised to clients; the API may have more.
  for (const promised of [
    "DELETE /v2/agents/{reference}",
    "DELETE /v2/agents/{reference}/documents/{documentReference}",
    "DELETE /v2/organization/webhooks/{event}",
    "GET /healthz",
    "GET /readyz",
    "GET /v2/agents",
    "GET /v2/agents/{reference}",
    "GET /v2/agents/{reference}/documents",
    "GET /v2/classification/async/{classification_id}",
    "GET /v2/extractor/async/{agentReference}",
    "GET /v2/openapi.json",
    "GET /v2/organization/usage",
    "GET /v2/organization/webhooks",
    "GET /v2/token",
    "PATCH /v2/agents/{reference}",
    "POST /v2/agents",
    "POST /v2/agents/{reference}/documents",
    "POST /v2/classification/async",
    "POST /v2/documentalist/{agent_id}",
    "POST /v2/extractor",
    "POST /v2/extractor/async",
    "POST /v2/extractor/async/{agentReference}",
    "POST /v2/extractor/{agentReference}",
    "POST /v2/knowledge/{agentReference}",
    "POST /v2/stripe/webhook",
    "POST /v2/token",
    "PUT /v2/organization/webhooks/{event}",
  ])
    assert.ok(described.includes(promised), promised);
});

test("every reference has a target, and every component is referenced", () => {
  const referred = new Set<string>();
  for (const [key, value] of walk(document))
    if (key === "$ref") {
      const name = String(value).replace("#/components/schemas/", "");
      referred.add(name);
      if (String(value).startsWith("#/components/schemas/")) assert.ok(document.components.schemas[name], name);
    }
  for (const name of Object.keys(document.components.schemas)) assert.ok(referred.has(name), name);
});

test("the document contains no annotations that only our code or TypeBox uses", () => {
  for (const [key] of walk(document)) assert.ok(!key.startsWith("~") && key !== "$id" && key !== "$defs", key);
});

describe("examples", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, "document");
  const check = (name: string, { schema, example }: Media) =>
    test(name, () => {
      const validate = ajv.compile({ ...localRefs(schema) });
      assert.ok(validate(example), `${ajv.errorsText(validate.errors)}\n${JSON.stringify(example)}`);
    });

  for (const { operationId, requestBody, responses } of operations) {
    for (const media of Object.values(requestBody?.content ?? {})) check(`${operationId}: the request is valid`, media);
    for (const [status, { content }] of Object.entries(responses))
      for (const media of Object.values(content))
        if (media.example !== undefined) check(`${operationId}: the answer ${status} is valid`, media);
  }
  for (const [name, { post }] of Object.entries<{ post: Operation }>(document.webhooks))
    for (const media of Object.values(post.requestBody?.content ?? {})) check(`${name}: the delivery is valid`, media);

  function localRefs(schema: Record<string, unknown>): Record<string, unknown> {
    return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
  }
});

describe("operations", () => {
  test("paths that differ only in parameter names share these names, but keep their own descriptions", () => {
    const { parameters } = operation("getExtraction");
    assert.deepEqual(
      parameters?.map(({ name, description }) => [name, description]),
      [["agentReference", "`extract_id` of the extraction."]],
    );
  });

  test("each operation has exactly the parameters of its path", () => {
    for (const { path, parameters = [] } of operations) {
      const named = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `{${name}}`);
      assert.deepEqual(named, path.match(/\{[^}]*\}/g) ?? []);
    }
  });

  test("all endpoints require the token, except token, session, public and monitoring endpoints", () => {
    const open = operations.filter(({ security }) => security.length === 0).map(({ operationId }) => operationId);
    assert.deepEqual(open.sort(), [
      "acceptInvitation",
      "askPublic",
      "changePassword",
      "completeSignOn",
      "confirmTotp",
      "createFirstSession",
      "createPasskey",
      "createPasskeySession",
      "createSession",
      "deletePasskey",
      "deleteSession",
      "deleteTotp",
      "endMcpSession",
      "endSession",
      "getAuthorizationServer",
      "getHealth",
      "getMetrics",
      "getOpenApi",
      "getProtectedMcp",
      "getProtectedResource",
      "getReadiness",
      "getSession",
      "getSignOnAvailability",
      "getToken",
      "listPasskeys",
      "listSessions",
      "openMcpStream",
      "postToken",
      "receiveStripeEvent",
      "startPasskey",
      "startPasskeySession",
      "startSignOn",
      "startTotp",
      "updateSession",
    ]);
  });

  test("only usage, the organization and the caller's own credentials do not require an administrator", () => {
    const forMembers = operations.filter(
      ({ security, description }) => security.length > 0 && !description.includes("administrator of"),
    );
    assert.deepEqual(forMembers.map(({ operationId }) => operationId).sort(), [
      "createCredential",
      "getOrganization",
      "getUsage",
      "listCredentials",
      "revokeCredential",
    ]);
    for (const { operationId, security } of operations) {
      if (security.length === 0) continue;
      const needed = forMembers.some((each) => each.operationId === operationId) ? [] : ["administrator"];
      assert.deepEqual(security.slice(0, 2), [{ apiKey: needed }, { bearer: needed }], operationId);
    }
    assert.deepEqual(operation("listAgents").security, [
      { apiKey: ["administrator"] },
      { bearer: ["administrator"] },
      { session: [] },
    ]);
    assert.deepEqual(operation("listMembers").security[2], { session: ["administrator"] });
  });

  test("errors are listed under the status of their code", () => {
    const { responses } = operation("uploadDocument");
    assert.deepEqual(Object.keys(responses), ["202", "401", "403", "404", "409", "413", "422", "429", "500", "503"]);
    assert.deepEqual(responses["403"]?.content["application/json"]?.schema, {
      oneOf: [{ $ref: "#/components/schemas/ForbiddenError" }, { $ref: "#/components/schemas/QuotaExceededError" }],
      discriminator: {
        propertyName: "code",
        mapping: {
          forbidden: "#/components/schemas/ForbiddenError",
          quota_exceeded: "#/components/schemas/QuotaExceededError",
        },
      },
    });
    assert.ok(responses["503"]?.headers["Retry-After"] && responses["429"]?.headers["Retry-After"]);
  });

  test("responses have rate limit headers, except those to probes", () => {
    for (const { responses, path } of operations)
      for (const { headers } of Object.values(responses))
        assert.equal(
          "RateLimit" in headers && "RateLimit-Policy" in headers,
          !/^\/((health|ready)z|metrics)$/.test(path),
          path,
        );
  });

  test("the deprecated stream responds in plain text, even with status 404", () => {
    const { deprecated, responses } = operation("askDocumentalist");
    assert.equal(deprecated, true);
    assert.deepEqual(responses["200"]?.content, { "text/plain": { schema: { type: "string" } } });
    assert.deepEqual(responses["404"]?.content, {
      "text/plain": { schema: { type: "string", enum: ["agent_not_found", "thread_not_found"] } },
    });
    assert.deepEqual(Object.keys(responses["422"]?.content ?? {}), ["application/json"]);
    for (const status of ["200", "404"])
      assert.deepEqual(
        ["Deprecation", "Sunset", "Link"].filter((name) => responses[status]?.headers[name] === undefined),
        [],
      );
  });

  test("the token response has no envelope", () => {
    assert.deepEqual(operation("getToken").responses["200"]?.content["application/json"]?.schema, {
      $ref: "#/components/schemas/Token",
    });
    assert.deepEqual(document.components.schemas.Token.required, ["access_token", "token_type", "expires_in"]);
  });

  test("the configuration of an agent has one schema per type of agent", () => {
    const { configuration, type } = document.components.schemas.CreateAgentRequest.properties;
    assert.deepEqual(configuration.anyOf, [
      { $ref: "#/components/schemas/ExtractorConfiguration" },
      { $ref: "#/components/schemas/DocumentalistConfigurationInput" },
      { $ref: "#/components/schemas/PersonalConfigurationInput" },
    ]);
    assert.deepEqual(type.enum, ["EXTRACTOR", "DOCUMENTALIST", "PERSONAL"]);
  });

  test("the schema of params refers to itself", () => {
    const { ExtractionParam } = document.components.schemas;
    assert.deepEqual(ExtractionParam.properties.items.items, { $ref: "#/components/schemas/ExtractionParam" });
  });

  test("requests allow unknown members", () => {
    for (const { requestBody } of operations)
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        const name = String(schema.$ref).split("/").at(-1) ?? "";
        const { additionalProperties } = schema.$ref === undefined ? schema : document.components.schemas[name];
        assert.equal(additionalProperties, undefined, name);
      }
  });

  test("each body with a file is described as JSON and as a form that contains the file's bytes", () => {
    const forms = operations.filter(({ requestBody }) => requestBody?.content["multipart/form-data"]);
    assert.deepEqual(forms.map(({ operationId }) => operationId).sort(), [
      "extract",
      "extractWithAgent",
      "inferFields",
      "startClassification",
      "startExtraction",
      "startExtractionWithAgent",
      "uploadDocument",
    ]);
    const media = operation("extract").requestBody?.content["multipart/form-data"];
    const { schema, encoding } = { encoding: {}, ...media } as Media & { encoding: object };
    assert.deepEqual(schema.required, ["file", "params"]);
    assert.equal((schema.properties as Record<string, { format?: string }>).file?.format, "binary");
    assert.deepEqual(encoding, { params: { contentType: "application/json" } });
  });

  test("an asynchronous request describes the body of its callback", () => {
    const { callbacks } = operation("startExtraction");
    const post = callbacks?.result["{$request.body#/callback}"]?.post;
    assert.deepEqual(post?.requestBody?.content["application/json"]?.schema, {
      $ref: "#/components/schemas/ExtractionOutcome",
    });
    assert.deepEqual(
      post?.parameters?.map(({ required }) => required),
      [false, false, false, false],
    );
  });

  test("every response has a request id", () => {
    for (const { responses } of operations)
      for (const { headers } of Object.values(responses)) assert.ok(headers["x-request-id"]);
  });
});

describe("options", () => {
  test("only the given endpoints and the components they use are described", () => {
    const small = openApi([endpoints.getUsage], { title: "Small", version: "1.0.0" });
    assert.deepEqual(Object.keys(small.paths), ["/v2/organization/usage"]);
    assert.deepEqual(
      small.tags.map(({ name }) => name),
      ["Usage"],
    );
    assert.deepEqual(Object.keys(small.components.schemas), [
      "AgentUnavailableError",
      "Consumption",
      "ForbiddenError",
      "InternalError",
      "OrganizationNotFoundError",
      "Quotas",
      "RateLimitedError",
      "Subscription",
      "UnauthorizedError",
      "Usage",
    ]);
    assert.equal(small.webhooks, undefined);
    assert.deepEqual(
      small.servers.map(({ url }) => url),
      ["/"],
    );
  });

  test("title, version and URL are taken from the options", () => {
    const { info, servers } = openApi([], { title: "T", version: "9.9.9", serverUrl: "https://docs.example.com" });
    const [{ url } = {}] = servers;
    assert.deepEqual([info.title, info.version, url], ["T", "9.9.9", "https://docs.example.com"]);
  });

  test("the given events are described as signed webhooks", () => {
    assert.deepEqual(Object.keys(document.webhooks), [...eventNames]);
    const { parameters } = document.webhooks["extraction.completed"].post;
    assert.deepEqual(
      parameters.map((parameter: { name: string; required: boolean }) => [parameter.name, parameter.required]),
      [
        ["x-service-signature", true],
        ["webhook-id", true],
        ["webhook-timestamp", true],
        ["webhook-signature", true],
      ],
    );
  });

  test("two different schemas with the same name are refused", () => {
    const answer = (value: Endpoint["body"] & object) =>
      defineEndpoint({
        ...endpoints.getUsage,
        path: `/${Math.random()}`,
        responses: { 200: { description: "", body: value } },
      });
    const twice = [answer(component("Same", Type.String())), answer(component("Same", Type.Number()))];
    assert.throws(() => openApi(twice, { title: "T", version: "1" }), /two schemas are named Same/);
  });
});

test("the registry and the document agree on every status", () => {
  for (const { responses } of operations)
    for (const [status, { content }] of Object.entries(responses))
      for (const [, code] of walk(content["application/json"]?.schema)) {
        const known = typeof code === "string" && code in errors ? errors[code as keyof typeof errors] : undefined;
        if (known) assert.equal(String(known.status), status);
      }
});
