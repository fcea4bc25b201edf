/** The service about itself. */
import { defineEndpoint } from "./endpoint.ts";
import { jsonObject } from "./formats.ts";

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

export const serviceEndpoints = { getOpenApi };
