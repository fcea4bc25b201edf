/** Faults of an endpoint or a model that the scripted model can simulate. */
import { setTimeout as delay } from "node:timers/promises";

export type Fault =
  /** Responds with this status. `retryAfter` is the value of the `Retry-After` header. */
  | { kind: "status"; status: number; retryAfter?: string; message?: string; location?: string }
  /** Sends nothing, not even a header. */
  | { kind: "stall-before" }
  /** Sends half of the response, then nothing more, but keeps the connection open. */
  | { kind: "stall-within" }
  /** Sends half of the response, then closes the connection. */
  | { kind: "cut" }
  /** Closes the connection before sending anything. */
  | { kind: "reset" }
  /** Ends a stream normally, but without its last events. */
  | { kind: "unfinished" }
  /** Reports an error in the middle of a stream. */
  | { kind: "error-within" }
  /** Sends a body or stream events that are not JSON. */
  | { kind: "broken-body" }
  /** Returns model output that is not JSON. */
  | { kind: "invalid-json" }
  /** Returns model output that is JSON, but does not match the schema. */
  | { kind: "wrong-schema" }
  /** Returns model output with this number of bytes. */
  | { kind: "huge"; bytes: number }
  /** Stops at the output limit of the model. */
  | { kind: "length" }
  /** Responds correctly, but after a delay. */
  | { kind: "slow"; ms: number }
  /** Responds correctly. Used between requests with faults. */
  | { kind: "none" };

/**
 * Parts of the API that an endpoint may not support. A request that uses one is refused with an
 * error that names the part.
 */
export type Refused = "json_schema" | "tools" | "stream_options" | "temperature" | "max_tokens" | "images";

/** Returns the output that a model with this fault gives instead of `text`. */
export function saidWith(fault: Fault, text: string): string {
  if (fault.kind === "invalid-json") return "I am sorry, I can't put that into a form.";
  if (fault.kind === "wrong-schema") return JSON.stringify({ unexpected: [1, 2, { deep: true }] });
  if (fault.kind === "huge") return "x".repeat(fault.bytes);
  if (fault.kind === "length") return text.slice(0, Math.ceil(text.length / 2));
  return text;
}

export async function waitedFor(fault: Fault): Promise<void> {
  if (fault.kind === "slow") await delay(fault.ms);
}
