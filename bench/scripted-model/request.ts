/** Parses requests to the scripted model into the objects that rules receive. */

/** How the schema was given: as `response_format`, as a tool, or only as text in the prompt. */
export type AskedBy = "json_schema" | "tool" | "words";

export interface ScriptedRequest {
  model: string;
  /** Texts of the system messages, joined by line breaks. */
  system: string;
  /** Texts of the user messages, joined by line breaks. */
  prompt: string;
  /** Number of images in the request. */
  images: number;
  /**
   * Schema of the output: from `response_format`, from the tool, or from the last line of the
   * prompt. Undefined if the request asks for text.
   */
  schema: Schema | undefined;
  askedBy: AskedBy;
  stream: boolean;
  /** True if the client asked for the token usage at the end of the stream. */
  streamUse: boolean;
  body: Record<string, unknown>;
}

export type Schema = Record<string, unknown>;

export function readRequest(body: Record<string, unknown>): ScriptedRequest {
  const messages = (body.messages ?? []) as { role: string; content: unknown }[];
  const prompt = textsOf(messages, "user");
  const { schema, askedBy } = askedFor(body, prompt);
  return {
    model: String(body.model),
    system: textsOf(messages, "system"),
    prompt,
    images: messages.flatMap(({ content }) => partsOf(content)).filter(({ type }) => type === "image_url").length,
    schema,
    askedBy,
    stream: body.stream === true,
    streamUse: (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true,
    body,
  };
}

function textsOf(messages: readonly { role: string; content: unknown }[], role: string): string {
  const parts = messages.filter((message) => message.role === role).flatMap(({ content }) => partsOf(content));
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}

function partsOf(content: unknown): { type: string; text?: string }[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : ((content ?? []) as { type: string }[]);
}

function askedFor(body: Record<string, unknown>, prompt: string): { schema: Schema | undefined; askedBy: AskedBy } {
  const format = body.response_format as { json_schema?: { schema?: Schema } } | undefined;
  if (format?.json_schema !== undefined) return { schema: format.json_schema.schema, askedBy: "json_schema" };
  const [tool] = (body.tools ?? []) as { function: { parameters: Schema } }[];
  if (tool !== undefined) return { schema: tool.function.parameters, askedBy: "tool" };
  return { schema: schemaIn(prompt), askedBy: "words" };
}

function schemaIn(prompt: string): Schema | undefined {
  try {
    const schema: unknown = JSON.parse(prompt.slice(prompt.lastIndexOf("\n") + 1));
    return typeof schema === "object" && schema !== null ? (schema as Schema) : undefined;
  } catch {
    return undefined;
  }
}
