/**
 * Random requests generated from the OpenAPI document. Most are almost valid, because such requests
 * find the most errors.
 */
import fc from "fast-check";
import { describeService } from "../../src/http/openapi.routes.ts";
import { anything, hostileText } from "./hostile-text.ts";

export interface RandomRequest {
  method: string;
  path: string;
  /** Request body as text; undefined if there is none. */
  body: string | undefined;
  headers: Record<string, string>;
}

/** Ids of resources that exist, such as agents, documents and threads. */
export interface Known {
  references: readonly string[];
}

type Schema = Record<string, unknown>;
interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = JSON.parse(JSON.stringify(describeService(undefined))) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/**
 * URLs for webhooks and callbacks. No request leaves this machine: the host names never resolve,
 * and the service refuses the IP address.
 */
const urls = fc.constantFrom(
  "https://hooks.example.invalid/a",
  "https://127.0.0.1/a",
  "http://a.invalid",
  "https://a.invalid:444/?b=c",
);
const files = fc.oneof(
  { weight: 20, arbitrary: fc.base64String({ maxLength: 100 }) },
  { weight: 5, arbitrary: fc.constantFrom("JVBERi0xLjQK", "UEsDBA==", "iVBORw0KGgo=", "AA!!AA", "data:,AA==", "AAA") },
);

/**
 * Generates values that match a schema, except that one in eight is arbitrary. Inside arrays and
 * objects, arbitrary values are rarer.
 */
function valuesOf(schema: Schema, known: Known, name = "", depth = 0): fc.Arbitrary<unknown> {
  const right = rightValuesOf(schema, known, name, depth);
  return fc.oneof({ weight: 7 + 4 * depth, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function rightValuesOf(schema: Schema, known: Known, name: string, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === "string") {
    const target = document.components.schemas[schema.$ref.split("/").pop() ?? ""];
    return depth > 6 ? fc.constant(null) : rightValuesOf(target ?? {}, known, name, depth);
  }
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => rightValuesOf(choice, known, name, depth)));
  const types = [schema.type].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => rightValuesOf({ ...schema, type }, known, name, depth)));
  const examples = Array.isArray(schema.examples) ? [fc.constantFrom(...schema.examples)] : [];
  switch (types[0]) {
    case "string":
      return fc.oneof(...textsOf(schema, known, name), ...(/^(url|callback|file)$/.test(name) ? [] : examples));
    case "integer":
    case "number":
      return fc.oneof(
        fc.integer({ min: Number(schema.minimum ?? -5), max: Number(schema.maximum ?? 100) }),
        ...examples,
      );
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valuesOf((schema.items ?? {}) as Schema, known, "", depth + 1), { maxLength: depth > 4 ? 0 : 3 });
    case "object":
      return objectsOf(schema, known, depth);
    default:
      return anything;
  }
}

function textsOf(schema: Schema, { references }: Known, name: string): fc.Arbitrary<unknown>[] {
  if (name === "file") return [files];
  if (name === "url" || name === "callback") return [urls];
  if (schema.format === "uuid" || /reference|_id$/.test(name)) return [fc.constantFrom(...references), fc.uuid()];
  if (typeof schema.pattern === "string") return [fc.stringMatching(new RegExp(schema.pattern))];
  return [fc.string({ minLength: Math.min(Number(schema.minLength ?? 0), 20), maxLength: 20 })];
}

function objectsOf(schema: Schema, known: Known, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = (schema.required ?? []) as string[];
  const members = Object.fromEntries(properties.map(([key, value]) => [key, valuesOf(value, known, key, depth + 1)]));
  const whole = fc.record(members, { requiredKeys: required });
  const partial = fc.record({ ...members, extra: anything }, { requiredKeys: [] });
  return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: partial });
}

/** Generates the JSON text of a body. One text in ten contains a single syntax error. */
const textOf = (body: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(
      body,
      fc.integer({ min: 0, max: 9 }),
      fc.nat(),
      fc.constantFrom("", "{", "}", '"', ",", "\\", "\u0000", "\ufeff"),
    )
    .map(([value, damage, at, piece]) => {
      const text = JSON.stringify(value) ?? "";
      if (damage > 0) return text;
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + 1);
    });

const formOf = (value: unknown): string =>
  Object.entries(Object(value))
    .map(([name, member]) => `${encoded(name)}=${encoded(member)}`)
    .join("&");

const encoded = (value: unknown): string =>
  encodeURIComponent((typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed());

function requestsOf(method: string, path: string, operation: Operation, known: Known): fc.Arbitrary<RandomRequest> {
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query");
  const segments = inPath.map(({ name, schema }) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...known.references) },
      valuesOf(schema, known, name),
      hostileText,
    ),
  );
  const query = inQuery.map(({ name, schema }) =>
    fc.option(fc.oneof(valuesOf(schema, known, name), hostileText).map((value) => `${name}=${encoded(value)}`)),
  );
  const [type = "application/json", content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isForm = type !== "application/json";
  const body: fc.Arbitrary<string | undefined> = content
    ? isForm
      ? valuesOf(content.schema, known).map((value) => formOf(value))
      : textOf(valuesOf(content.schema, known))
    : fc.constant(undefined);
  const headers = fc.record(
    {
      "content-type": fc.oneof(
        { weight: 30, arbitrary: fc.constant(type) },
        fc.constantFrom("text/plain", "application/json;x"),
      ),
      "idempotency-key": fc.constantFrom("a", "b", "é".repeat(3), "x".repeat(300)),
      cookie: fc.constantFrom("a=b", "sheaf=x; __Host-sheaf=y"),
      authorization: fc.constantFrom("Basic YTpi", "Bearer x"),
    },
    { requiredKeys: content ? ["content-type"] : [] },
  );
  return fc.tuple(fc.tuple(...segments), fc.tuple(...query), body, headers).map(([values, pairs, text, heads]) => {
    const filled = inPath.reduce(
      (at, { name }, index) => at.replace(`{${name}}`, encoded(values[index]) || "%20"),
      path,
    );
    const given = pairs.filter((pair) => pair !== null);
    return {
      method: method.toUpperCase(),
      path: given.length === 0 ? filled : `${filled}?${given.join("&")}`,
      body: text,
      headers: heads as Record<string, string>,
    };
  });
}

/** Generates requests to every operation of the document. */
export function randomRequests(known: Known): fc.Arbitrary<RandomRequest> {
  const each = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => requestsOf(method, path, operation, known)),
  );
  return fc.oneof(...each);
}
