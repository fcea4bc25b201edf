/** Endpoints about the service itself. */
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { jsonObject } from "./formats.ts";
import { choice } from "./schema.ts";
import Type from "./type.ts";

const getOpenApi = defineEndpoint({
  operationId: "getOpenApi",
  method: "GET",
  path: "/v2/openapi.json",
  summary: "Get the OpenAPI document",
  description: "The OpenAPI 3.1 document of this service.",
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
  summary: "Liveness check",
  description: "Responds while the process is running.",
  tag: "Service",
  auth: "none",
  probe: true,
  responses: { 200: { description: "The process is running.", body: success(Type.Object({})) } },
  errors: [],
});

const part = choice(["ok"]);

const getReadiness = defineEndpoint({
  operationId: "getReadiness",
  method: "GET",
  path: "/readyz",
  summary: "Readiness check",
  description:
    "Checks the database, the stored files, the reading of documents and the antivirus. If parts are down, the error message names them.",
  tag: "Service",
  auth: "none",
  probe: true,
  responses: {
    200: {
      description: "All parts are available.",
      body: success(
        Type.Object({
          database: part,
          files: part,
          reading: part,
          antivirus: Type.Optional(choice(["ok"], { description: "Absent if no antivirus is configured." })),
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
    "Metrics of the service in the Prometheus text format. Requires the metrics token as " +
    "`authorization: Bearer …`.",
  tag: "Service",
  auth: "none",
  probe: true,
  responses: { 200: { description: "The metrics.", contentType: "text/plain; version=0.0.4; charset=utf-8" } },
  errors: ["unauthorized"],
});

export const serviceEndpoints = { getOpenApi, getHealth, getReadiness, getMetrics };
