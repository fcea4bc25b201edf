/**
 * Infers from an endpoint's refusals which features it lacks. OpenAI-compatible servers and models
 * differ in the features that they support.
 */
import type { Refusal } from "./model-endpoint.ts";

/**
 * How a JSON value is requested: with a response schema, as the input of a tool, or with the schema
 * in words in the prompt.
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
  /**
   * True if requests set `stream_options`, so that the endpoint reports the token use at the end of
   * a stream.
   */
  streamUse: boolean;
  /**
   * True if streams are requested. Set to false when the endpoint responds to such a request with
   * plain JSON.
   */
  streams: boolean;
  /**
   * True if responses begin inside reasoning output. This happens if the chat template puts the
   * opening tag into the prompt. Undefined if not known yet.
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

/** HTTP statuses that servers return if they refuse a parameter that they do not know. */
const isAboutRequest: ReadonlySet<number> = new Set([400, 422]);
const namesSchema = /response_format|json_schema|schema|grammar|tool/i;

/** Features, besides text, that a request uses. */
export interface Wanted {
  /** True if the request asks for a response that fits a schema. */
  value: boolean;
  stream: boolean;
}

/**
 * Returns the change to the capabilities that may avoid the refusal, or undefined if none of the
 * remaining features can be its cause.
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
  // A refusal that names no feature may be about any of the remaining features. For a stream, the
  // token counts are given up first. Otherwise, structured output is given up, which servers lack
  // most often.
  if (asksForStructure && (namesSchema.test(reason) || !asksForUse))
    return { structure: capabilities.structure === "schema" ? "tool" : "words" };
  return asksForUse && isAboutRequest.has(refusal.status) ? { streamUse: false } : undefined;
}
