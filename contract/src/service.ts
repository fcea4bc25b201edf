/** The service about itself. */
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { jsonObject } from "./formats.ts";
import { choice } from "./schema.ts";
import Type from "./type.ts";

const getOpenApi = defineEndpoint({
  operationId: "getOpenApi",
  method: "GET",
  path: "/v2/openapi.json",
  summary: "Get this description",
  description: "The OpenAPI 3.1 document of the interface, as this service serves it.",
  tag: "Service",
  auth: "none",
  responses: {
    200: {
      description: "The document.",
      body: jsonObject(
        {},
        {
          description: "An OpenAPI 3.1 document.",
          examples: [{ openapi: "3.1.1", info: { title: "Sheaf", version: "0.1.0" }, paths: {} }],
        },
      ),
    },
  },
  errors: [],
});

const getHealth = defineEndpoint({
  operationId: "getHealth",
  method: "GET",
  path: "/healthz",
  summary: "Whether the service runs",
  description: "Answers as long as the process does.",
  tag: "Service",
  auth: "none",
  probe: true,
  responses: { 200: { description: "It runs.", body: success(Type.Object({})) } },
  errors: [],
});

const part = choice(["ok"]);

const getReadiness = defineEndpoint({
  operationId: "getReadiness",
  method: "GET",
  path: "/readyz",
  summary: "Whether the service can do its work",
  description:
    "Looks at the database, the stored files, the reading of documents and the antivirus. Where one is down, the message says which.",
  tag: "Service",
  auth: "none",
  probe: true,
  responses: {
    200: {
      description: "Every part is well.",
      body: success(
        Type.Object({
          database: part,
          files: part,
          reading: part,
          antivirus: Type.Optional(choice(["ok"], { description: "Absent where the operator has set none." })),
        }),
      ),
    },
  },
  errors: ["agent_unavailable"],
});

const getMetrics = defineEndpoint({
  operationId: "getMetrics",
  method: "GET",
  path: "/metrics",
  summary: "Get the metrics",
  description:
    "What the service measures of itself, in the text format of Prometheus, to whoever sends the token of the metrics as " +
    "`authorization: Bearer …`.",
  tag: "Service",
  auth: "none",
  probe: true,
  responses: { 200: { description: "The metrics.", contentType: "text/plain; version=0.0.4; charset=utf-8" } },
  errors: ["unauthorized"],
});

export const serviceEndpoints = { getOpenApi, getHealth, getReadiness, getMetrics };
