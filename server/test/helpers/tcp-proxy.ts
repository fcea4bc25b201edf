/**
 * A TCP proxy between a service and its database. It breaks connections in the ways that networks
 * do.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy extends AsyncDisposable {
  port: number;
  /** Number of connections made so far. */
  made: number;
  /**
   * Simulates a network that loses every packet: until `close` is called, all bytes on old and new
   * connections are dropped, while the connections stay open. A connection that was affected never
   * works again.
   */
  openHole(): { close(): void };
  /** Resets every connection except those whose bytes are dropped. Returns their number. */
  cut(): number;
  /**
   * Called with the bytes that a client sends. If it returns `cut`, the server still receives the
   * bytes, and then the connection is reset.
   */
  onSent: ((bytes: Buffer) => "cut" | undefined) | undefined;
}

/**
 * Resets a connection. If its writable side has already ended, the connection is only destroyed:
 * Node would neither reset nor close it, and the process would loop forever at exit.
 */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

export async function openProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<{ client: Socket; server: Socket; swallows: boolean }>();
  let hole = false;
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    proxy.made++;
    const pair = { client, server: connect(target, "127.0.0.1"), swallows: hole };
    pairs.add(pair);
    const end = () => {
      reset(client);
      pair.server.destroy();
      pairs.delete(pair);
    };
    for (const [from, to] of [
      [client, pair.server],
      [pair.server, client],
    ] as const) {
      from.on("data", (bytes: Buffer) => {
        if (pair.swallows) return;
        const what = from === client ? proxy.onSent?.(bytes) : undefined;
        to.write(bytes);
        if (what !== "cut") return;
        // The server receives these bytes, but its response no longer reaches the client.
        pair.swallows = true;
        setTimeout(end, 100);
      });
      // While bytes are dropped, the end of a connection is not passed on to the other side either.
      from.on("end", () => !pair.swallows && to.end());
      from.on("error", () => !pair.swallows && end());
      from.on("close", () => !pair.swallows && end());
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const proxy: TcpProxy = {
    port: (listener.address() as { port: number }).port,
    made: 0,
    onSent: undefined,
    openHole: () => {
      hole = true;
      for (const pair of pairs) pair.swallows = true;
      return {
        close: () => {
          hole = false;
        },
      };
    },
    cut: () => {
      const open = [...pairs].filter(({ swallows }) => !swallows);
      for (const { client, server } of open) {
        reset(client);
        server.destroy();
      }
      return open.length;
    },
    [Symbol.asyncDispose]: async () => {
      listener.close();
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
    },
  };
  return proxy;
}
