/**
 * Error responses of an endpoint in OpenAPI: one response per HTTP status. Errors with the same
 * status are distinguished by their code.
 */
import { type Endpoint, errorCodesOf } from "./endpoint.ts";
import { errorEnvelope } from "./envelope.ts";
import { type ErrorCode, errors } from "./errors.ts";
import type { Components, JsonSchema } from "./json-schema.ts";

/** Codes whose response has a `Retry-After` header, in seconds. */
const temporary: ReadonlySet<ErrorCode> = new Set(["agent_unavailable", "antivirus_unavailable", "rate_limited"]);

/** Returns the error responses of an endpoint, by status. */
export function errorResponses(endpoint: Endpoint, components: Components): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => errors[code].status);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(statuses.map(([status, codes]) => [status, errorResponse(endpoint, codes, components)]));
}

function errorResponse(endpoint: Endpoint, codes: readonly ErrorCode[], components: Components): JsonSchema {
  const plain = codes.filter((code) => endpoint.plainTextErrors?.includes(code));
  const enveloped = codes.filter((code) => !plain.includes(code));
  const content: JsonSchema = {};
  if (enveloped.length > 0) content["application/json"] = { schema: envelopeSchema(enveloped, components) };
  if (plain.length > 0) content["text/plain"] = { schema: { type: "string", enum: plain } };
  const headers: JsonSchema = {};
  if (codes.some((code) => temporary.has(code)))
    headers["Retry-After"] = { description: "Seconds to wait before a retry.", schema: { type: "string" } };
  return { description: describe(codes), headers, content };
}

function envelopeSchema(codes: readonly ErrorCode[], components: Components): JsonSchema {
  const references = codes.map((code) => [code, components.convert(errorEnvelope(code))] as const);
  const [first] = references;
  if (references.length === 1 && first !== undefined) return first[1];
  return {
    oneOf: references.map(([, reference]) => reference),
    discriminator: {
      propertyName: "code",
      mapping: Object.fromEntries(references.map(([code, { $ref }]) => [code, $ref])),
    },
  };
}

function describe(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errors[code].message}`).join("\n\n");
}
