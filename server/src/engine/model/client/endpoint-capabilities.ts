/** What an endpoint doesn't take, learnt from its refusals: OpenAI-compatible servers and their models each lack something else. */
import type { Refusal } from "./endpoint.ts";

/** How a JSON value is asked for: by a schema for the answer, by a tool whose input it is, or in words. */
export type Structure = "schema" | "tool" | "words";

export interface Dialect {
  structure: Structure;
  /** Reasoning models of some vendors take none but their own. */
  temperature: boolean;
  outputLimit: "max_tokens" | "max_completion_tokens";
  /** `stream_options`: whether the token use is asked for at the end of a stream. */
  streamUse: boolean;
  /** Streams an answer if asked to. Endpoints that respond in plain JSON all the same are asked for that from then on. */
  streams: boolean;
  /** Answers begin in the middle of a thought, whose beginning the chat template has put into the prompt; undefined: not known yet. */
  thinksAtOnce: boolean | undefined;
}

export const firstDialect: Dialect = {
  structure: "schema",
  temperature: true,
  outputLimit: "max_tokens",
  streamUse: true,
  streams: true,
  thinksAtOnce: undefined,
};

const tooLong = /context.{0,20}(length|size|window)|too (long|large|many)/i;

/** What servers respond to a parameter that they do not know. */
const isAboutRequest: ReadonlySet<number> = new Set([400, 422]);
const namesSchema = /response_format|json_schema|schema|grammar|tool/i;

/** What a request asks of the endpoint, beside the text. */
export interface Wanted {
  /** An answer that fits a schema. */
  value: boolean;
  stream: boolean;
}

/** Returns what to do without after a refusal; undefined if there is nothing left that the endpoint could mean. */
export function without(refusal: Refusal, dialect: Dialect, wanted: Wanted): Partial<Dialect> | undefined {
  const { reason } = refusal;
  if (tooLong.test(reason)) return undefined;
  if (dialect.outputLimit === "max_tokens" && reason.includes("max_completion_tokens"))
    return { outputLimit: "max_completion_tokens" };
  if (dialect.temperature && reason.includes("temperature")) return { temperature: false };
  const asksForUse = wanted.stream && dialect.streams && dialect.streamUse;
  if (asksForUse && reason.includes("stream_options")) return { streamUse: false };
  const asksForStructure = wanted.value && dialect.structure !== "words";
  if (wanted.stream && dialect.streams && /\bstream/i.test(reason)) return { streams: false };
  // A refusal that names nothing may mean any of these; the form of the answer is what servers lack most.
  if (asksForStructure && (namesSchema.test(reason) || !asksForUse))
    return { structure: dialect.structure === "schema" ? "tool" : "words" };
  return asksForUse && isAboutRequest.has(refusal.status) ? { streamUse: false } : undefined;
}
