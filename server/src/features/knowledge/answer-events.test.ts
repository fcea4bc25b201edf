/** Unit tests of the heartbeat, with a simulated clock. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import type { AnswerEventJson } from "@sheaf/contract/knowledge.ts";
import { heartbeatMs } from "../../lib/server-sent-events.ts";
import { withHeartbeat } from "./answer-events.ts";

const text = (text: string): AnswerEventJson => ({ event: "text", data: { text } });

describe("withHeartbeat", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  test("a comment is sent after each period without an event, and never inside an event", async () => {
    const next = Promise.withResolvers<void>();
    let ended = false;
    const pieces = withHeartbeat(
      (async function* () {
        try {
          yield text("one\n\ndata: two\r\u2028");
          await next.promise;
          yield text("three");
        } finally {
          ended = true;
        }
      })(),
    );
    assert.equal((await pieces.next()).value, 'event: text\ndata: {"text":"one\\n\\ndata: two\\r\u2028"}\n\n');
    for (let beat = 0; beat < 3; beat++) {
      const silent = pieces.next();
      mock.timers.tick(heartbeatMs - 1);
      assert.equal(await Promise.race([silent, Promise.resolve("waits")]), "waits");
      mock.timers.tick(1);
      assert.equal((await silent).value, ": keep-alive\n\n");
    }
    next.resolve();
    assert.equal((await pieces.next()).value, 'event: text\ndata: {"text":"three"}\n\n');
    assert.equal((await pieces.next()).done, true);
    assert.ok(ended);
  });

  test("the source of the events is closed when the reader stops reading", async () => {
    let ended = false;
    const pieces = withHeartbeat(
      (async function* () {
        try {
          for (;;) yield text("more");
        } finally {
          ended = true;
        }
      })(),
    );
    await pieces.next();
    await pieces.return(undefined);
    assert.ok(ended);
  });
});
