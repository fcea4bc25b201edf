/** Reads server-sent events, and checks each against the contract. */
import assert from "node:assert/strict";
import { AnswerEvent, type AnswerEventJson } from "@sheaf/contract/knowledge.ts";
import { LiveEvent, type LiveEventJson } from "@sheaf/contract/live-states.ts";
import { compile } from "@sheaf/contract/validate.ts";

/** Yields the events of an answer as they arrive. */
export const eventsOf = (response: Response) => blocksOf<AnswerEventJson>(response, compile(AnswerEvent));

/** Yields changes of state as they arrive. */
export const liveEventsOf = (response: Response) => blocksOf<LiveEventJson>(response, compile(LiveEvent));

/**
 * Yields the events of a stream. Every block must be a comment, or one event with one line of data.
 */
async function* blocksOf<Event>(response: Response, issuesOf: ReturnType<typeof compile>): AsyncGenerator<Event> {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  let text = "";
  for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (!block.startsWith(":")) yield eventOf(block, issuesOf) as Event;
    }
  }
  assert.equal(text, "", "the stream ended within an event");
}

export async function allEventsOf(response: Response): Promise<AnswerEventJson[]> {
  const events: AnswerEventJson[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

function eventOf(block: string, issuesOf: ReturnType<typeof compile>): unknown {
  const [, event, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  const parsed = { event, data: JSON.parse(data) };
  assert.deepEqual(issuesOf(parsed), [], block);
  return parsed;
}

export type EventData<Name extends AnswerEventJson["event"]> = Extract<AnswerEventJson, { event: Name }>["data"];

/** Returns the data of the only event of this name. */
export function dataOf<Name extends AnswerEventJson["event"]>(events: AnswerEventJson[], name: Name): EventData<Name> {
  const found = events.filter(({ event }) => event === name);
  assert.equal(found.length, 1, `${found.length} events ${name}`);
  return found[0]?.data as EventData<Name>;
}

/** Returns the joined text events. */
export const textOf = (events: AnswerEventJson[]): string =>
  events.map((each) => (each.event === "text" ? each.data.text : "")).join("");
