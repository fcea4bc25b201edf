/** Tests that a process that uses the TCP proxy of the tests can exit. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

/**
 * Program that ends a connection and resets it right afterwards. Nothing then keeps its process
 * running, so the process should exit.
 */
const program = `
  import { once } from "node:events";
  import { connect, createServer } from "node:net";
  import { reset } from ${JSON.stringify(join(import.meta.dirname, "helpers/tcp-proxy.ts"))};
  const listener = createServer((socket) => {
    socket.on("error", () => {});
    socket.end();
    reset(socket);
    listener.close();
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  connect(listener.address().port, "127.0.0.1").on("error", () => {}).resume();
`;

test("a connection that is reset while it is closing does not keep the process from exiting", () => {
  // A process that loops at exit handles no signal; only SIGKILL ends it.
  const options = { timeout: 20_000, killSignal: "SIGKILL", encoding: "utf8" } as const;
  const { status, signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], options);
  assert.deepEqual([status, signal], [0, null], stderr);
});
