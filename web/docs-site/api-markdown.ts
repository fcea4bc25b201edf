/** Describes an endpoint of the OpenAPI document in Markdown. */
import type { JsonSchema } from "@sheaf/contract/json-schema.ts";
import { type Field, fieldsOf, jsonBlock, table, typeText } from "@sheaf/contract/reference-types.ts";
import type { Endpoint, Operation, Parameter, Response } from "./open-api.ts";

/** Headers that nearly every response has. The overview of the API explains them. */
const usual = new Set(["x-request-id", "RateLimit-Policy", "RateLimit"]);

export function endpointMarkdown(endpoint: Endpoint): string[] {
  const { route, operationId, summary, description, deprecated, security } = endpoint;
  return [
    `## ${summary}`,
    `\`${route}\``,
    deprecated ? "**Deprecated.**" : "",
    description,
    security.length === 0 ? "No access token is needed." : "",
    `Method of the [client](client/README.md): \`${operationId}\``,
    ...parametersMarkdown(endpoint),
    ...bodyMarkdown(endpoint),
    ...Object.entries(endpoint.responses)
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, response]) => responseMarkdown(status, response)),
    ...callbacksMarkdown(endpoint),
    ...errorsMarkdown(endpoint.responses),
  ].filter((block) => block !== "");
}

/** Describes a schema of the document, with an anchor for links to it. */
export function typeMarkdown(name: string, schema: JsonSchema): string[] {
  return [
    `### <a id="type-${name.toLowerCase()}"></a>${name}`,
    String(schema.description ?? ""),
    ...schemaMarkdown(schema),
  ].filter((block) => block !== "");
}

function parametersMarkdown({ parameters = [] }: Pick<Operation, "parameters">): string[] {
  if (parameters.length === 0) return [];
  const field = ({ name, in: place, required = false, schema = {}, description = "" }: Parameter): Field => ({
    name,
    type: `${typeText(schema)}, in the ${place}`,
    isRequired: required,
    meaning: description,
  });
  return ["**Parameters**", fieldTable(parameters.map(field))];
}

/** Returns a table with only two columns, so that the meaning is visible even on a phone. */
const fieldTable = (fields: Field[]): string =>
  table(
    ["Field", "Meaning"],
    fields.map(({ name, type, isRequired, meaning }) => [
      `\`${name}\`<br>*${isRequired ? "required, " : ""}${type}*`,
      meaning,
    ]),
  );

const bodyMarkdown = ({ requestBody }: Pick<Operation, "requestBody">): string[] =>
  Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema, example }], index) =>
    // A form has the same fields as the JSON body, so they are not repeated. The form's example is
    // left out, because it would contain the bytes of a file.
    type === "multipart/form-data" && index > 0
      ? [`**Body** \`${type}\`, with the same fields`]
      : [`**Body** \`${type}\``, ...schemaMarkdown(schema), ...(example === undefined ? [] : [jsonBlock(example)])],
  );

function responseMarkdown(status: string, { description, content = {}, headers = {} }: Response): string[] {
  const rows = Object.entries(headers)
    .filter(([name]) => !usual.has(name))
    .map(([name, header]) => [`\`${name}\``, header.description ?? ""]);
  return [
    `**Response ${status}**: ${description}`,
    ...(rows.length === 0 ? [] : [table(["Header", "Meaning"], rows)]),
    ...Object.entries(content).flatMap(([type, { schema, example, "x-itemSchema": item }]) => [
      ...(type === "application/json" ? schemaMarkdown(schema) : [`Content type \`${type}\``]),
      ...(item === undefined ? [] : [`Each event: ${typeText(item)}`]),
      ...(example === undefined || typeof example === "string" ? [] : [jsonBlock(example)]),
    ]),
  ];
}

const callbacksMarkdown = ({ callbacks = {} }: Operation): string[] =>
  Object.values(callbacks).flatMap((paths) =>
    Object.values(paths).flatMap(({ post }) => [
      `**Callback** \`POST\` to the URL in \`callback\`: ${post.summary}`,
      post.description,
      ...parametersMarkdown(post),
      ...bodyMarkdown(post),
    ]),
  );

/**
 * Returns a table of errors. Each paragraph in the description of an error response contains one
 * code and its message.
 */
function errorsMarkdown(responses: Operation["responses"]): string[] {
  const rows = Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) < 400
      ? []
      : description.split("\n\n").map((paragraph) => {
          const [, code, message] = /^(`\w+`): (.*)$/s.exec(paragraph) ?? [];
          return [status, code ?? "", message ?? paragraph];
        }),
  );
  return rows.length === 0
    ? []
    : ["**[Errors](docs/reference/errors.md)**", table(["Status", "Code", "Message"], rows)];
}

const schemaMarkdown = (schema: JsonSchema): string[] => [
  schema.properties === undefined ? `Type: ${typeText(schema)}` : fieldTable(fieldsOf(schema)),
];
