/**
 * Prints a hash of an OpenAPI document without its descriptions and summaries. Changes that only
 * concern wording do not change the hash.
 * @example git show v0.1.0:docs/reference/openapi.json | node scripts/hash-openapi.ts
 */
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";

const prose = new Set(["description", "summary"]);
/**
 * Keys of objects that map names to schemas or other definitions, such as `properties`. In such an
 * object, `description` is one of the names, not a description.
 */
const namespaces = new Set(["properties", "headers", "responses", "schemas", "paths", "securitySchemes", "callbacks"]);

function withoutProse(value: unknown, isNamespace = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const kept = entries.filter(([key, each]) => isNamespace || !prose.has(key) || typeof each !== "string");
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutProse(each, !isNamespace && namespaces.has(key))]));
}

const shape = JSON.stringify(withoutProse(JSON.parse(await text(process.stdin))));
console.log(createHash("sha256").update(shape).digest("hex"), `${shape.length} characters`);
