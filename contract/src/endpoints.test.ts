import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type BodyOf,
  type Endpoint,
  errorCodesOf,
  type PathParametersOf,
  type QueryOf,
  type ResponseOf,
} from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";

const all: [string, Endpoint][] = Object.entries(endpoints);
/** Error codes that every endpoint has, because of `auth`, rate limits and load shedding. */
const shared = ["unauthorized", "forbidden", "rate_limited", "agent_unavailable", "internal_error"];

test("the key of each endpoint is its operation id", () => {
  for (const [name, { operationId }] of all) assert.equal(name, operationId);
});

test("no two endpoints have the same method and path", () => {
  const routes = all.map(([, { method, path }]) => `${method} ${path}`);
  assert.equal(new Set(routes).size, routes.length);
});

test("each path parameter has a schema, and each schema belongs to a path parameter", () => {
  for (const [name, { path, pathParameters }] of all) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    assert.deepEqual(Object.keys(pathParameters?.properties ?? {}), inPath, name);
  }
});

test("an upload has a body with filename and file", () => {
  for (const [name, { upload, body }] of all) {
    if (upload === undefined) continue;
    const { required } = body as { required: string[] };
    assert.ok(required.includes("filename") && required.includes("file"), name);
  }
});

// Error codes as listed in the contract, or in the decisions if the contract lists none.
const codes: Partial<Record<keyof typeof endpoints, string[]>> = {
  listAgents: ["invalid_request"],
  createAgent: [
    "conflict",
    "quota_exceeded",
    "organization_not_found",
    "invalid_config",
    "invalid_agent_type",
    "invalid_request",
  ],
  getAgent: ["agent_not_found"],
  updateAgent: [
    "agent_not_found",
    "invalid_config",
    "invalid_agent_type",
    "invalid_request",
    // Occurs with If-Quality only, which is not part of the contract.
    "quality_lost",
    "conflict",
    "extraction_failed",
    "agent_timeout",
    "quota_exceeded",
  ],
  deleteAgent: ["agent_not_found", "invalid_agent_type"],
  uploadDocument: [
    "conflict",
    "quota_exceeded",
    "agent_not_found",
    "document_already_exists",
    "file_too_large",
    "invalid_agent_type",
    "unsupported_file_type",
    "infected_file",
    "antivirus_unavailable",
    "invalid_request",
  ],
  listDocuments: ["agent_not_found", "invalid_agent_type", "invalid_request"],
  deleteDocument: ["agent_not_found", "document_not_found", "invalid_agent_type"],
  askKnowledge: [
    "conflict",
    "agent_not_found",
    "thread_not_found",
    "extraction_failed",
    "agent_timeout",
    "invalid_request",
  ],
  askDocumentalist: ["conflict", "agent_not_found", "thread_not_found", "gone", "invalid_request"],
  getUsage: ["organization_not_found"],
  putWebhook: ["organization_not_found", "invalid_request"],
  listWebhooks: ["organization_not_found", "invalid_request"],
  deleteWebhook: ["organization_not_found", "webhook_not_found", "invalid_request"],
};

for (const [name, own] of Object.entries(codes))
  test(`the errors of ${name} are those listed in the contract`, () => {
    const answered = errorCodesOf(endpoints[name as keyof typeof endpoints]);
    assert.deepEqual(answered.toSorted(), [...own, ...shared].toSorted());
  });

test("the token endpoints never respond with unauthorized or forbidden", () => {
  assert.deepEqual(errorCodesOf(endpoints.getToken), [
    "invalid_client",
    "rate_limited",
    "agent_unavailable",
    "internal_error",
  ]);
});

test("monitoring endpoints have no rate limit", () => {
  assert.deepEqual(errorCodesOf(endpoints.getHealth), ["internal_error"]);
});

test("static types are derived from the definitions", () => {
  const body: BodyOf<typeof endpoints.extract> = {
    filename: "a.pdf",
    file: "",
    params: [
      { name: "lines", format: "list", description: "", items: [{ name: "a", format: "date", description: "" }] },
    ],
    include: ["evidence"],
  };
  const path: PathParametersOf<typeof endpoints.deleteDocument> = { reference: "a", documentReference: "b" };
  const query: QueryOf<typeof endpoints.getToken> = { client_id: "a", client_secret: "b" };
  const created: ResponseOf<typeof endpoints.putWebhook, 201> = {
    status: "success",
    data: { event: "extraction.completed", url: "https://example.com", secret: "whsec_" },
  };
  const answer: ResponseOf<typeof endpoints.extract> = {
    status: "success",
    data: [{ lines: [{ a: null }] }],
    metadata: { filename: "a.pdf", duration: 0.5, tokens_consumed: 0, thread_id: "" },
  };
  const none: BodyOf<typeof endpoints.listAgents> = undefined;
  const stream: ResponseOf<typeof endpoints.askDocumentalist> = "text";
  // @ts-expect-error a status that the endpoint does not have
  const missing: ResponseOf<typeof endpoints.putWebhook, 204> = undefined;
  assert.ok([body, path, query, created, answer, stream].every(Boolean) && none === missing);
});
