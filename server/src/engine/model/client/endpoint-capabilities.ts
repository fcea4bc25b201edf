/**
 * Records which features an endpoint lacks, learned from its refusals. OpenAI-compatible servers
 * and models each lack different ones.
 */
import type { Refusal } from "./model-endpoint.ts";

/**
 * How a JSON value is requested: with a response schema, as the input of a tool, or with the schema
 * in the prompt.
 */
export type Structure = "schema" | "tool" | "words";

export interface Capabilities {
  structure: Structure;
  /**
   * False if the model accepts only its default temperature, as reasoning models of some vendors
   * do.
   */
  temperature: boolean;
  outputLimit: "max_tokens" | "max_completion_tokens";
  /** True if requests set `stream_options`, which asks for the token use at the end of a stream. */
  streamUse: boolean;
  /**
   * True while streams are requested. False once the endpoint has responded in plain JSON to such a
   * request.
   */
  streams: boolean;
  /**
   * True if responses begin inside reasoning output, because the chat template has put the opening
   * mark into the prompt. Undefined if not known yet.
   */
  reasonsAtOnce: boolean | undefined;
}

export const initialCapabilities: Capabilities = {
  structure: "schema",
  temperature: true,
  outputLimit: "max_tokens",
  streamUse: true,
  streams: true,
  reasonsAtOnce: undefined,
};

const tooLong = /context.{0,20}(length|size|window)|too (long|large|many)/i;

/** Statuses with which servers refuse an unknown parameter. */
const isAboutRequest: ReadonlySet<number> = new Set([400, 422]);
const namesSchema = /response_format|json_schema|schema|grammar|tool/i;

/** Features that a request needs from the endpoint, besides text. */
export interface Wanted {
  /** True if the request asks for a response that fits a schema. */
  value: boolean;
  stream: boolean;
}

/**
 * Returns the capability to give up after a refusal. Undefined if the refusal can mean none of
 * those that are left.
 */
export function without(
  refusal: Refusal,
  capabilities: Capabilities,
  wanted: Wanted,
): Partial<Capabilities> | undefined {
  const { reason } = refusal;
  if (tooLong.test(reason)) return undefined;
  if (capabilities.outputLimit === "max_tokens" && reason.includes("max_completion_tokens"))
    return { outputLimit: "max_completion_tokens" };
  if (capabilities.temperature && reason.includes("temperature")) return { temperature: false };
  const asksForUse = wanted.stream && capabilities.streams && capabilities.streamUse;
  if (asksForUse && reason.includes("stream_options")) return { streamUse: false };
  const asksForStructure = wanted.value && capabilities.structure !== "words";
  if (wanted.stream && capabilities.streams && /\bstream/i.test(reason)) return { streams: false };
  // A refusal that names no feature may mean any of these. Structured output is the feature that
  // servers lack most often.
  if (asksForStructure && (namesSchema.test(reason) || !asksForUse))
    return { structure: capabilities.structure === "schema" ? "tool" : "words" };
  return asksForUse && isAboutRequest.has(refusal.status) ? { streamUse: false } : undefined;
}
