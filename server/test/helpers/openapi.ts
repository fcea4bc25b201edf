/** Checks responses against the OpenAPI document that the service serves. */
import assert from "node:assert/strict";
import { pathShape } from "@sheaf/contract/openapi.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describeService } from "../../src/http/openapi.routes.ts";
import { servedEndpoints } from "../../src/http/served-endpoints.ts";
import type { Answer } from "./service.ts";

const document = describeService(undefined);
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema({ $id: "openapi", ...document });
const validators = new Map<string, ValidateFunction>();

/**
 * Returns the response, after asserting that its status is described and its body matches the
 * schema. A response to an unknown path must be an envelope with status 404.
 */
export function checkAgainstOpenApi(method: string, path: string, answer: Answer): Answer {
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  const template = templateOf(method, path.split("?")[0] ?? "");
  if (template === undefined) {
    assert.equal(answer.status, 404);
    assert.deepEqual(Object.keys(answer.body), ["status", "code", "error"]);
    return answer;
  }
  const response = `#/paths/${escaped(template)}/${method.toLowerCase()}/responses/${answer.status}`;
  const contentType = answer.headers.get("content-type");
  if (contentType === null || Buffer.isBuffer(answer.body)) {
    const described = describedAt(template, method, answer.status);
    assert.deepEqual(Object.keys(described?.content ?? {}), contentType === null ? [] : [contentType]);
    return answer;
  }
  const [media = ""] = (contentType ?? "text/plain").split(";");
  const pointer = `${response}/content/${media.replace("/", "~1")}/schema`;
  const validate = validatorOf(pointer);
  assert.ok(
    validate(answer.body),
    `${method} ${path} ${answer.status}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(answer.body)}`,
  );
  return answer;
}

function describedAt(template: string, method: string, status: number): { content?: object } | undefined {
  const paths = document.paths as Record<string, Record<string, { responses?: Record<string, object> }>>;
  const described = paths[template]?.[method.toLowerCase()]?.responses?.[status];
  assert.ok(described, `${method} ${template} describes no ${status}`);
  return described;
}

function templateOf(method: string, path: string): string | undefined {
  const matches = servedEndpoints.filter((endpoint) => {
    const pattern = endpoint.path.replace(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.");
    return endpoint.method === method && new RegExp(`^${pattern}/?$`, "i").test(path);
  });
  // As in the router, the path with the fewest parameters takes precedence.
  const [match] = matches.sort((a, b) => a.path.split("{").length - b.path.split("{").length);
  // Endpoints whose paths differ only in parameter names share one path in the OpenAPI document.
  return (
    match && Object.keys(document.paths as object).find((described) => pathShape(described) === pathShape(match.path))
  );
}

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known) return known;
  const validator = ajv.getSchema(`openapi${pointer}`);
  assert.ok(validator, `the OpenAPI document has nothing at ${pointer}`);
  validators.set(pointer, validator);
  return validator;
}

const escaped = (segment: string): string => encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"));
