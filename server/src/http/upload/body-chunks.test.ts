import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { AppError } from "../../lib/errors.ts";
import { readUntilAborted } from "./body-chunks.ts";
import { receiveUpload, uploadLimits } from "./receive-upload.ts";
import { MemorySink } from "./testing/receive.ts";

test("ends with the signal's reason while the body is silent", async () => {
  const body = new PassThrough();
  const controller = new AbortController();
  const reason = new Error("the client has disconnected");
  const receiving = receiveUpload(body, new MemorySink(), uploadLimits(1000), { signal: controller.signal });
  body.write('{"file":"QUJD');
  setImmediate(() => controller.abort(reason));
  await assert.rejects(receiving, (error) => error === reason);
});

test("reads nothing if the signal has aborted", async () => {
  const reason = new Error("too late");
  const chunks = readUntilAborted(new PassThrough(), AbortSignal.abort(reason));
  await assert.rejects(chunks.next(), (error) => error === reason);
});

test("leaves no listener on the signal or the body", async () => {
  const body = new PassThrough();
  const listeners = body.eventNames();
  const { signal } = new AbortController();
  body.write("not JSON at all");
  await assert.rejects(receiveUpload(body, new MemorySink(), uploadLimits(1000), { signal }), {
    code: "invalid_request",
  });
  await new Promise(setImmediate);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
  assert.deepEqual(body.eventNames(), listeners);
  assert.equal(body.destroyed, false);
});

test("the refusal reaches a client that is still sending", async () => {
  const server = createServer((incoming, outgoing) => {
    receiveUpload(incoming, new MemorySink(), uploadLimits(1000)).catch((error: unknown) => {
      outgoing.writeHead(422, { connection: "close" }).end(error instanceof AppError ? error.code : String(error));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sending = request({ port, host: "127.0.0.1", method: "POST" });
  sending.on("error", () => {}); // The server closes the connection while the body is still being sent.
  sending.write('{"file":"QUJD!');
  const [reply] = await once(sending, "response");
  assert.equal(reply.statusCode, 422);
  assert.equal(await text(reply), "invalid_request");
  sending.destroy();
  server.close();
  await once(server, "close");
});
