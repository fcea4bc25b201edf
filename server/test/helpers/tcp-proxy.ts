/** A TCP proxy between a service and its database that breaks connections in the ways that networks do. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy extends AsyncDisposable {
  port: number;
  /** Connections that were made until now. */
  made: number;
  /**
   * Until it is closed: connections, old and new, stay open, and every byte is swallowed. Those that have been in the hole never
   * work again.
   */
  openHole(): { close(): void };
  /** Resets every connection. Returns how many there were. */
  cut(): number;
  /** Called with what a client sends; with `cut`, the connection is reset once the server has it. Undefined: nothing happens. */
  onSent: ((bytes: Buffer) => "cut" | undefined) | undefined;
}

/**
 * Resets a connection; one that was ended already is only destroyed. Node refuses a reset while it ends the connection, forgets to
 * close it, and then spins for ever when the process should exit.
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
        // The server gets it, and its answer is lost.
        pair.swallows = true;
        setTimeout(end, 100);
      });
      // In a hole the end of a connection doesn't arrive either.
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
