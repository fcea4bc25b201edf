/** Faults of the endpoint or of the model. */
import { setTimeout as delay } from "node:timers/promises";

export type Fault =
  /** A response with this status. `retryAfter` is the header value. */
  | { kind: "status"; status: number; retryAfter?: string; message?: string; location?: string }
  /** No byte is sent, not even a header. */
  | { kind: "stall-before" }
  /** Half of the response is sent, then the connection stalls. */
  | { kind: "stall-within" }
  /** Half of the response is sent, then the connection breaks. */
  | { kind: "cut" }
  /** The connection breaks before any byte. */
  | { kind: "reset" }
  /** A stream ends normally, but without its last events. */
  | { kind: "unfinished" }
  /** A stream reports an error in the middle of the output. */
  | { kind: "error-within" }
  /** The body is not JSON, and neither are the events of a stream. */
  | { kind: "broken-body" }
  /** The model's output is not JSON. */
  | { kind: "invalid-json" }
  /** The model's output is JSON with another schema. */
  | { kind: "wrong-schema" }
  /** The model's output has this many bytes. */
  | { kind: "huge"; bytes: number }
  /** The model stops at its output limit. */
  | { kind: "length" }
  /** A correct but delayed response. */
  | { kind: "slow"; ms: number }
  /** A correct response, for requests between those with faults. */
  | { kind: "none" };

/** Parts of the API that an endpoint may lack; each is refused with an error that names it. */
export type Refused = "json_schema" | "tools" | "stream_options" | "temperature" | "max_tokens" | "images";

/** Returns the output of a model with this fault instead of `text`. */
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
