/**
 * Writes `client/src/generated/` from the contract. With `--check`, fails instead if a file is out
 * of date.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { type Endpoint, errorCodesOf } from "@sheaf/contract/endpoint.ts";
import { endpoints } from "@sheaf/contract/endpoints.ts";
import { type ErrorCode, errors } from "@sheaf/contract/errors.ts";
import { type EventName, eventNames, events } from "@sheaf/contract/events.ts";
import { Components, type JsonSchema } from "@sheaf/contract/json-schema.ts";
import { openApi } from "@sheaf/contract/openapi.ts";
import { pageQuery } from "@sheaf/contract/paging.ts";

const folder = resolve(import.meta.dirname, "../client/src/generated");
const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
const generated = '// Generated from the contract by "npm run generate".';

/**
 * Endpoints for which the client has methods. Excludes those that only Stripe or MCP clients call.
 */
const all: readonly Endpoint[] = Object.values<Endpoint>(endpoints).filter(
  ({ rawBody, tag }) => rawBody === undefined && tag !== "MCP",
);
const { schemas } = openApi(all, { title: "Sheaf", version: "", events: eventNames }).components;
const errorNames = Object.keys(schemas).filter((name) => name.endsWith("Error"));
/**
 * Types that requests use. Their lists are readonly. Lists in responses are not, because the caller
 * may change them.
 */
const sent = reachable(all.flatMap(({ body }) => (body === undefined ? [] : [new Components().convert(body)])));

/**
 * Descriptions that replace those of the JSON body for uploads. The client sends a form instead of
 * JSON, and may know the name of the file.
 */
const uploadComments: Record<string, string> = {
  filename: "Name of the file, with extension. Optional if the file has a name of its own: a path, a `File`.",
  file: "The file; its bytes are sent as they are.",
};

const files = { "types.ts": format("types.ts", types()), "operations.ts": format("operations.ts", operations()) };
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const path = join(folder, name);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (read(path) !== text) {
    console.error(`client/src/generated/${name} is not up to date: run "npm run generate".`);
    process.exitCode = 1;
  }
}

function types(): string {
  const components = Object.entries(schemas)
    .filter(([name]) => !errorNames.includes(name))
    .map(([name, schema]) => declaration(name, schema, sent.has(name)));
  const details = errorNames.flatMap((name) => {
    const { code, detail } = (schemas[name]?.properties ?? {}) as Record<string, JsonSchema>;
    return detail === undefined ? [] : [`${String(code?.const)}: ${typeOf(detail, false)};`];
  });
  return [
    generated,
    'import type { FileSource } from "../file-source.ts";',
    `/** The envelope of a success. */
    export interface Success<Data> { status: "success"; data: Data; }`,
    `/** The envelope of a list. */
    export interface List<Item> extends Success<Item[]> {
      /** Only present if a page was requested. */
      metadata?: PageMetadata;
    }`,
    `/** The requested page of a list. */
    export interface PageQuery ${typeOf(new Components().convert(pageQuery), true)}`,
    ...components,
    ...all.flatMap(answerDeclaration),
    `/** Every error code of the service, with its HTTP status. */
    export interface ErrorStatuses {${Object.entries(errors)
      .map(([code, { status }]) => `${code}: ${status};`)
      .join("\n")}}`,
    `/** Contents of \`detail\`, by error code. Codes that are not listed have none. */
    export interface ErrorDetails {${details.join("\n")}}`,
    `/** Contents of \`data\`, by event. */
    export interface EventData {${eventNames.map(eventMember).join("\n")}}`,
    `export const eventNames = ${JSON.stringify(eventNames)} as const satisfies (keyof EventData)[];`,
    "",
  ].join("\n\n");
}

function eventMember(name: EventName): string {
  return `${comment([events[name].summary])}${JSON.stringify(name)}: ${typeOf(new Components().convert(events[name].data), false)};`;
}

function declaration(name: string, schema: JsonSchema, isSent: boolean): string {
  const doc = comment([String(schema.description ?? "")]);
  return schema.properties === undefined
    ? `${doc}export type ${name} = ${typeOf(schema, isSent)};`
    : `${doc}export interface ${name} ${typeOf(schema, isSent)}`;
}

function answerDeclaration(endpoint: Endpoint): string[] {
  if (!isJson(endpoint)) return [];
  const bodies = Object.values(endpoint.responses).map(({ body = {} }) => answerType(new Components().convert(body)));
  const doc = comment([`The response of \`${endpoint.operationId}\`.`]);
  return [`${doc}export type ${answerName(endpoint)} = ${bodies.join(" | ")};`];
}

/**
 * Returns the type of a response. Uses the shared types `Success` and `List` if the response has
 * their structure.
 */
function answerType(schema: JsonSchema): string {
  const { status, data, ...others } = (schema.properties ?? {}) as Record<string, JsonSchema>;
  if (status?.const !== "success" || data === undefined) return typeOf(schema, false);
  if (Object.keys(others).length === 0) return `Success<${typeOf(data, false)}>`;
  const isList = data.type === "array" && String(others.metadata?.$ref).endsWith("/PageMetadata");
  return isList ? `List<${typeOf(data.items as JsonSchema, false)}>` : typeOf(schema, false);
}

function typeOf(schema: JsonSchema, isSent: boolean): string {
  const { $ref, anyOf, enum: words, const: constant, type } = schema;
  if (typeof $ref === "string") return nameOf($ref);
  if (Array.isArray(anyOf)) return anyOf.map((branch) => typeOf(branch, isSent)).join(" | ");
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.contentEncoding === "base64") return "FileSource";
  if (type === "array") return arrayType(schema, isSent);
  if (type === "object") return objectType(schema, isSent);
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "unknown";
}

function arrayType({ items = {}, minItems, maxItems }: JsonSchema, isSent: boolean): string {
  const item = typeOf(items as JsonSchema, isSent);
  if (minItems === maxItems && typeof minItems === "number") return `[${Array(minItems).fill(item).join(", ")}]`;
  return `${isSent ? "readonly " : ""}(${item})[]`;
}

function objectType({ properties = {}, required, additionalProperties }: JsonSchema, isSent: boolean): string {
  const members = Object.entries(properties as Record<string, JsonSchema>);
  const isUpload = members.some(([, { contentEncoding }]) => contentEncoding === "base64");
  const needed = new Set((required ?? []) as string[]);
  const lines = members.map(([name, member]) => {
    if (isUpload && name === "filename") needed.delete(name);
    return `${memberComment(member, isUpload ? name : "")}${name}${needed.has(name) ? "" : "?"}: ${typeOf(member, isSent)};`;
  });
  if (typeof additionalProperties === "object")
    lines.push(`[name: string]: ${typeOf(additionalProperties as JsonSchema, isSent)};`);
  if (additionalProperties === true) lines.push("[name: string]: unknown;");
  return lines.length === 0 ? "object" : `{\n${lines.join("\n")}\n}`;
}

function memberComment(member: JsonSchema, uploadName: string): string {
  const text = uploadComments[uploadName] ?? String(member.description ?? "");
  const tags = member.deprecated === true ? ["@deprecated"] : [];
  return comment([text, ...tags]);
}

function operations(): string {
  const imports = new Set<string>();
  const methods = all.map((endpoint) => method(endpoint, imports));
  return [
    generated,
    'import type { EventStream } from "../event-stream.ts";',
    `import { type AnswerStream, type RequestOptions, type Send, segment, type UploadOptions } from "../request.ts";`,
    `import type { ${[...imports].sort(withoutCase).join(", ")} } from "./types.ts";`,
    `/** One method per endpoint, named by its operation id. Each returns the body as received, including the envelope. */
    export abstract class Operations {
      protected abstract readonly send: Send;

      ${methods.join("\n\n")}
    }`,
    "",
  ].join("\n\n");
}

function method(endpoint: Endpoint, imports: Set<string>): string {
  const { operationId, path, auth, query, body, bodyType } = endpoint;
  const isUpload = endpoint.upload !== undefined || endpoint.uploads !== undefined;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const parameters = names.map((name) => `${camelCase(name)}: ${pathType(endpoint, name)}`);
  const bodyName = body === undefined ? undefined : nameOf(String(new Components().convert(body).$ref));
  if (bodyName !== undefined) imports.add(bodyName);
  if (isJson(endpoint)) imports.add(answerName(endpoint));
  const isPage = (query as unknown) === pageQuery;
  if (isPage) imports.add("PageQuery");
  const queryType = query && (isPage ? "PageQuery" : typeOf(new Components().convert(query), true));
  // If all query parameters are optional, they become part of the options.
  const optional = query && !query.required?.length ? Object.keys(query.properties) : undefined;
  if (query !== undefined && optional === undefined) parameters.push(`query: ${queryType}`);
  if (bodyName !== undefined) parameters.push(`body: ${bodyName}`);
  if (optional) parameters.push(`{ ${optional.join(", ")}, ...options }: RequestOptions & ${queryType} = {}`);
  else parameters.push(isUpload ? "options?: UploadOptions" : "options?: RequestOptions");
  const kind = isUpload ? "upload" : bodyType === undefined ? "json" : "form";
  const members = [
    `method: "${endpoint.method}"`,
    `path: \`${path.replace(/\{(\w+)\}/g, (_, name) => `\${segment(${camelCase(name)})}`)}\``,
    ...(auth === "none" ? ["anonymous: true"] : []),
    ...(optional ? [`query: { ${optional.join(", ")} }`] : query === undefined ? [] : ["query"]),
    ...(bodyName === undefined ? [] : [`${kind}: body`]),
  ];
  const event = eventName(endpoint);
  // The client throws the event "error", so it is not in the type.
  const eventType = `Exclude<${event}, { event: "error" }>`;
  if (event !== undefined) imports.add(event);
  const [answer, call] =
    event !== undefined
      ? [`EventStream<${eventType}>`, "events"]
      : isJson(endpoint)
        ? [answerName(endpoint), "answer"]
        : isBytes(endpoint)
          ? ["Uint8Array", "bytes"]
          : ["AnswerStream", "stream"];
  return `${methodComment(endpoint)}${operationId}(${parameters.join(", ")}): Promise<${answer}> {
    return this.send.${call}({ ${members.join(", ")} }, options);
  }`;
}

function methodComment(endpoint: Endpoint): string {
  const codes = errorCodesOf(endpoint).map((code: ErrorCode) => `\`${code}\``);
  return comment([
    `${endpoint.summary}: \`${endpoint.method} ${endpoint.path}\`.`,
    endpoint.description ?? "",
    `@throws SheafError ${codes.join(", ")}`,
    ...(endpoint.deprecated === undefined ? [] : [`@deprecated since ${endpoint.deprecated.since.slice(0, 10)}`]),
  ]);
}

function pathType({ pathParameters }: Endpoint, name: string): string {
  return typeOf(new Components().convert(pathParameters?.properties[name] ?? {}), true);
}

/** Returns the names of the components to which the schemas refer, directly or indirectly. */
function reachable(roots: readonly JsonSchema[], found = new Set<string>()): Set<string> {
  const text = JSON.stringify(roots);
  for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reachable([schemas[name] ?? {}], found);
  }
  return found;
}

function isJson({ responses }: Endpoint): boolean {
  return Object.values(responses).every(({ body }) => body !== undefined);
}

function isBytes({ responses }: Endpoint): boolean {
  return Object.values(responses).some(({ bytes }) => bytes);
}

/** Returns the type of an endpoint's server-sent events; undefined if it sends none. */
function eventName({ responses }: Endpoint): string | undefined {
  const schema = Object.values(responses).find(({ events }) => events !== undefined)?.events;
  return schema && nameOf(String(new Components().convert(schema).$ref));
}

function answerName({ operationId }: Endpoint): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Answer`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a doc comment, wrapped to the line width; empty if there is no text. */
function comment(paragraphs: readonly string[]): string {
  const lines = paragraphs.filter((text) => text !== "").flatMap((text) => wrap(text.replaceAll("*/", "*\\/"), 110));
  if (lines.length === 0) return "";
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function format(name: string, text: string): string {
  const path = `client/src/generated/${name}`;
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${path}`], {
    cwd: resolve(import.meta.dirname, ".."),
    input: text,
    encoding: "utf8",
  });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Sorts names in the same order as the formatter sorts imports. */
function withoutCase(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}
