/** Tests the parser of server-sent events, with text that arrives in pieces of any length. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { eventsOf, type ServerEvent } from "./event-stream.ts";

async function* piecesOf(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}
async function read(pieces: AsyncIterable<string>): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of eventsOf(pieces)) events.push(event);
  return events;
}

describe("server-sent events", () => {
  test("comments, unknown fields and an incomplete last event are ignored", async () => {
    const text = ': keep-alive\n\nid: 1\nretry: 5\nevent: text\ndata: {"a":1}\n\nevent: empty\n\ndata:2\n\ndata: 3\n';
    assert.deepEqual(await read(piecesOf(text)), [
      { event: "text", data: { a: 1 } },
      { event: "message", data: 2 },
    ]);
    assert.deepEqual(await read(piecesOf("data: [1,\ndata: 2]\n\n")), [{ event: "message", data: [1, 2] }]);
    assert.deepEqual(await read(piecesOf()), []);
  });

  test("data that is not JSON and an endless line fail with unexpected_answer", async () => {
    await assert.rejects(read(piecesOf("data: <html>\n\n")), { code: "unexpected_answer" });
    async function* endless() {
      for (;;) yield "x".repeat(1024 * 1024);
    }
    await assert.rejects(read(endless()), { code: "unexpected_answer" });
  });

  test("the events do not depend on the kind of line end or on how the text is split", async () => {
    const events = fc.array(
      fc.record({ event: fc.constantFrom("text", "done", "message"), data: fc.jsonValue({ maxDepth: 2 }) }),
      { maxLength: 5 },
    );
    const cuts = fc.array(fc.nat(400), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(events, fc.constantFrom("\n", "\r\n", "\r"), cuts, async (sent, end, cuts) => {
        const text = sent
          .map(({ event, data }) => `:${end}event: ${event}${end}data: ${JSON.stringify(data)}${end}${end}`)
          .join("");
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
        const expected = sent.map(({ event, data }) => ({ event, data: JSON.parse(JSON.stringify(data)) }));
        assert.deepEqual(await read(piecesOf(...pieces)), expected);
      }),
    );
  });
});
