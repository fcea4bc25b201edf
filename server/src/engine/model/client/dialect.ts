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
  /** Answers begin in the middle of a thought, whose beginning the chat template has put into the prompt; undefined: not known yet. */
  thinksAtOnce: boolean | undefined;
}

export const firstDialect: Dialect = {
  structure: "schema",
  temperature: true,
  outputLimit: "max_tokens",
  streamUse: true,
  thinksAtOnce: undefined,
};

const tooLong = /context.{0,20}(length|size|window)|too (long|large|many)/i;

/** What to do without, after a refusal; undefined where there is nothing that the endpoint could mean. */
export function without(refusal: Refusal, dialect: Dialect, request: "object" | "text"): Partial<Dialect> | undefined {
  const { reason } = refusal;
  if (tooLong.test(reason)) return undefined;
  if (dialect.outputLimit === "max_tokens" && reason.includes("max_completion_tokens"))
    return { outputLimit: "max_completion_tokens" };
  if (dialect.temperature && reason.includes("temperature")) return { temperature: false };
  if (request === "text" && dialect.streamUse && reason.includes("stream_options")) return { streamUse: false };
  if (request === "text" || dialect.structure === "words") return undefined;
  return { structure: dialect.structure === "schema" ? "tool" : "words" };
}
