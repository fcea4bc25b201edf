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
    200: { description: "The document.", body: jsonObject({}, { description: "An OpenAPI 3.1 document." }) },
  },
  errors: [],
});

export const serviceEndpoints = { getOpenApi };
