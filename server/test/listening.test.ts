/**
 * Several sockets of the service listen on one port. No other process can listen on that port, and
 * it is free after the service has stopped.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { openTestService } from "./helpers/service.ts";

const isLinux = process.platform === "linux";

/** Returns the number of listening sockets on a port, as the operating system reports it. */
async function socketsOn(port: number): Promise<number> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const rows = (await readFile("/proc/net/tcp", "utf8")).split("\n").map((line) => line.trim().split(/\s+/));
  return rows.filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === "0A").length;
}

test("the service accepts connections at several sockets, and serves each of them", {
  skip: !isLinux && "the system does not share ports",
}, async () => {
  const service = await openTestService("sqlite");
  const port = Number(new URL(service.url).port);
  try {
    assert.equal(await socketsOn(port), 16);
    // The operating system distributes new connections over the sockets.
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = connect(port, "127.0.0.1");
        let received = "";
        socket.on("data", (data) => {
          received += data;
        });
        socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        await once(socket, "close");
        return received.slice(9, 12);
      }),
    );
    assert.deepEqual(new Set(statuses), new Set(["200"]));
    // No other process can listen on the port, whether or not it sets the option to share ports.
    const other = createServer().listen(port, "127.0.0.1");
    await assert.rejects(once(other, "listening"), { code: "EADDRINUSE" });
  } finally {
    await service[Symbol.asyncDispose]();
  }
  assert.equal(await socketsOn(port), 0);
  const next = createServer().listen(port, "127.0.0.1");
  await once(next, "listening");
  next.close();
});
