import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { ping, scanStream } from "./clamd.ts";
import { eicar } from "./self-test.ts";
import { type Behaviour, type ClamdServer, openClamdServer } from "./testing/clamd-server.ts";

const soon = () => AbortSignal.timeout(10_000);
const clean = [Buffer.alloc(65_536, "a"), Buffer.alloc(65_536, "b"), Buffer.from("c")];

function* endless(): Generator<Buffer> {
  for (;;) yield clean[0] as Buffer;
}

async function allClosed(server: ClamdServer): Promise<void> {
  server.hear();
  for (const until = performance.now() + 10_000; server.open() > 0; await sleep(5))
    assert.ok(performance.now() < until, `${server.open()} connections are open`);
}

describe("clamd", { concurrency: true }, () => {
  for (const behaviour of ["work", "byteByByte"] as const)
    test(`returns the verdict of a server with behaviour ${behaviour}`, async () => {
      await using server = await openClamdServer(behaviour);
      assert.deepEqual(await scanStream(server, clean, soon()), { infected: false });
      assert.deepEqual(await scanStream(server, [], soon()), { infected: false });
      const [start, end] = [eicar.subarray(0, 20), eicar.subarray(20)];
      const found = { infected: true, signature: "Eicar-Test-Signature" };
      assert.deepEqual(await scanStream(server, [...clean, start, end], soon()), found);
      await allClosed(server);
    });

  const reasons: Partial<Record<Behaviour, RegExp>> = {
    closeEarly: /closed the connection without a verdict|EPIPE|ECONNRESET/,
    reset: /ECONNRESET|EPIPE/,
    closeLate: /closed the connection without a verdict/,
    truncate: /closed the connection without a verdict/,
    error: /clamd responded "Error processing command\. ERROR"/,
    limit: /clamd responded "INSTREAM size limit exceeded\. ERROR"|ECONNRESET|EPIPE/,
    hasty: /clamd responded "stream: OK"|ECONNRESET|EPIPE/,
    endless: /clamd's response is too long/,
  };
  for (const [behaviour, message] of Object.entries(reasons))
    test(`returns no verdict of a server with behaviour ${behaviour}`, async () => {
      await using server = await openClamdServer(behaviour as Behaviour);
      const large = Array.from({ length: 500 }, () => clean[0] as Buffer);
      await assert.rejects(scanStream(server, large, soon()), { name: "ClamdError", message });
      await allClosed(server);
    });

  for (const behaviour of ["hang", "deaf"] as const)
    test(`disconnects from a server with behaviour ${behaviour} when the signal aborts`, async () => {
      await using server = await openClamdServer(behaviour);
      const signal = AbortSignal.timeout(200);
      await assert.rejects(scanStream(server, behaviour === "deaf" ? endless() : clean, signal), {
        name: "TimeoutError",
      });
      await allClosed(server);
    });

  test("disconnects after five seconds from a server that accepts no bytes", async () => {
    await using server = await openClamdServer("deaf");
    const began = performance.now();
    await assert.rejects(scanStream(server, endless(), soon()), { message: "clamd does not accept the file" });
    assert.ok(performance.now() - began < 20_000);
    await allClosed(server);
  });

  test("fails if the server does not exist or refuses the connection", async () => {
    const server = await openClamdServer();
    const { host, port } = server;
    await server[Symbol.asyncDispose]();
    await assert.rejects(scanStream({ host, port }, clean, soon()), { name: "ClamdError", message: /ECONNREFUSED/ });
    await assert.rejects(scanStream({ path: "/nowhere/clamd" }, clean, soon()), { message: /ENOENT/ });
    const aborted = AbortSignal.abort(new Error("gone"));
    await assert.rejects(scanStream({ host, port }, clean, aborted), { message: "gone" });
  });

  test("throws the error of reading the file, and closes the connection", async () => {
    await using server = await openClamdServer();
    async function* broken() {
      yield clean[0] as Buffer;
      throw new Error("the disk is broken");
    }
    await assert.rejects(scanStream(server, broken(), soon()), { message: "the disk is broken" });
    await allClosed(server);
  });

  test("reports a file as clean only if clamd responds OK", async () => {
    await using server = await openClamdServer("answer");
    const words = fc.constantFrom("stream: ", "OK", "FOUND", "ERROR", " ", "\0", "\n", "stream: OK\0", "Eicar");
    const replies = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.array(words, { maxLength: 5 }).map((parts) => Buffer.from(parts.join(""))),
    );
    await fc.assert(
      fc.asyncProperty(replies, async (reply) => {
        server.answer = reply;
        const verdict = await scanStream(server, clean, soon()).catch((error) => error.name);
        const text = reply.includes(0) ? reply.toString("latin1").split("\0")[0] : undefined;
        if (text === "stream: OK") assert.deepEqual(verdict, { infected: false });
        else if (text && /^stream: .+ FOUND$/s.test(text)) assert.equal(verdict.infected, true);
        else assert.equal(verdict, "ClamdError");
      }),
      { numRuns: 300 },
    );
    await allClosed(server);
  });

  test("pings", async () => {
    await using server = await openClamdServer();
    await ping(server, soon());
    for (const behaviour of ["closeLate", "error", "endless"] as const) {
      server.behaviour = behaviour;
      await assert.rejects(ping(server, soon()), { name: "ClamdError" });
    }
    server.behaviour = "hang";
    await assert.rejects(ping(server, AbortSignal.timeout(50)), { name: "TimeoutError" });
    await allClosed(server);
  });
});
