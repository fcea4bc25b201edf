/** What can go wrong with an endpoint and with a model. */
import { setTimeout as delay } from "node:timers/promises";

export type Fault =
  /** An answer with that status. `retryAfter`: the header as it is sent. */
  | { kind: "status"; status: number; retryAfter?: string; message?: string; location?: string }
  /** Nothing comes, not even a header. */
  | { kind: "stall-before" }
  /** Half of the answer comes, and then nothing more. */
  | { kind: "stall-within" }
  /** Half of the answer comes, and the connection breaks. */
  | { kind: "cut" }
  /** The connection breaks before anything comes. */
  | { kind: "reset" }
  /** A stream ends in good order, but without its last events. */
  | { kind: "unfinished" }
  /** A stream says in the middle that it has failed. */
  | { kind: "error-within" }
  /** The body is no JSON, and the events of a stream are none. */
  | { kind: "broken-body" }
  /** What the model says is no JSON. */
  | { kind: "invalid-json" }
  /** What the model says is JSON of another form. */
  | { kind: "wrong-schema" }
  /** What the model says has so many bytes. */
  | { kind: "huge"; bytes: number }
  /** The model stops at the limit of its output. */
  | { kind: "length" }
  /** The answer comes as it should, so much later. */
  | { kind: "slow"; ms: number }
  /** The answer comes as it should: for the requests between others. */
  | { kind: "none" };

/** Parts of the API that an endpoint may not have; each is refused with an error that names it. */
export type Refused = "json_schema" | "tools" | "stream_options" | "temperature" | "max_tokens" | "images";

/** What a model with this fault says in place of `text`. */
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
