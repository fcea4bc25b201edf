/** The `multipart/form-data` body of endpoints that accept files, in OpenAPI. */
import type { TSchema } from "typebox";
import type { Endpoint } from "./endpoint.ts";
import { exampleOf } from "./example.ts";
import type { Components, JsonSchema } from "./json-schema.ts";
import { shapeOf } from "./schema.ts";

const fileBytes = { type: "string", format: "binary" };
const exampleBytes = "%PDF-1.7 …";

/**
 * Describes the upload as a form. The form has the members of the JSON body, but contains the file
 * as bytes instead of base64. The schema has no component name, because clients only need the type
 * of the JSON body.
 */
export function formMedia({ body, uploads }: Endpoint, components: Components): JsonSchema {
  const { properties, required = [] } = body as unknown as { properties: Record<string, TSchema>; required?: string[] };
  const { files, ...others } = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, components.convert(schema)]),
  );
  const example = Object.fromEntries(
    Object.entries(exampleOf(body as TSchema) as object).filter(([name]) => name !== "files"),
  );
  const encodings = Object.entries(properties)
    .filter(([name, schema]) => name !== "files" && isJson(schema))
    .map(([name]) => [name, { contentType: "application/json" }]);
  const parts = uploads
    ? { files: { ...files, items: fileBytes } }
    : { file: { ...fileBytes, description: "The file's bytes. `filename` is optional if this part has a file name." } };
  return {
    schema: {
      type: "object",
      required: required.filter((name) => name !== "filename"),
      properties: { ...others, ...parts },
    },
    ...(encodings.length > 0 && { encoding: Object.fromEntries(encodings) }),
    example: { ...example, ...(uploads ? { files: [exampleBytes] } : { file: exampleBytes }) },
  };
}

/**
 * Returns whether a member is sent as a form part that contains JSON. A list of texts is not: it is
 * sent as repeated parts.
 */
function isJson(schema: TSchema): boolean {
  const { type, items } = (shapeOf(schema) ?? schema) as { type?: string; items?: { type?: string } };
  return type !== "string" && type !== "boolean" && items?.type !== "string";
}
