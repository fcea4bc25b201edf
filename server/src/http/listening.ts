/** Listens on the configured address, and drains connections at shutdown. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../lib/errors.ts";

/**
 * Number of listening sockets on the port. The event loop accepts one connection per socket per
 * turn, so with a single socket, a flood of connections makes all other clients wait. Their wait
 * was measured with 1,000 new connections per second and turns of 5 ms, 2026-11: 3.5 to 9.3 s with
 * 1 socket, 0.3 to 1.1 s with 8.
 */
const listeningSockets = process.platform === "linux" ? 16 : 1;
/**
 * Backlog of each socket, for bursts of connections that arrive faster than the event loop accepts
 * them.
 */
const waitingConnections = listeningSockets === 1 ? 1024 : 128;

/** How long a stopping service waits for requests in progress, in milliseconds. */
const drainMs = 7_000;

/** The listening sockets of an application. */
export class Listener {
  readonly #app: FastifyInstance;
  /** All sockets except the first, which the application opens and closes itself. */
  readonly #others: Server[] = [];

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /**
   * Listens with several sockets if the operating system can share one port among them.
   * @throws Error if the port is in use.
   */
  async listen({ host, port }: { host: string; port: number }): Promise<void> {
    const options = { backlog: waitingConnections, reusePort: listeningSockets > 1 };
    try {
      if (options.reusePort) await checkFree(host, port);
      await this.#app.listen({ host, port, ...options });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      throw new Error(`Port ${port} of ${host} is in use: set SHEAF_PORT to a different port.`, { cause: error });
    }
    const { address, port: found } = this.#app.server.address() as AddressInfo;
    for (let count = 1; count < listeningSockets; count++) {
      // Node sets the same options on the sockets of an HTTP server.
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        this.#app.server.emit("connection", socket),
      );
      this.#others.push(server.listen({ host: address, port: found, ...options }));
      await once(server, "listening");
    }
  }

  /** URL that reaches the service from this machine. */
  get url(): string {
    const { address, family, port } = this.#app.server.address() as AddressInfo;
    const host = address === "0.0.0.0" || address === "::" ? "localhost" : family === "IPv6" ? `[${address}]` : address;
    return `http://${host}:${port}`;
  }

  /**
   * Stops accepting connections and waits for the requests in progress. After a deadline these fail
   * with an error, and the remaining connections are closed.
   */
  async drain(shutdown: AbortController): Promise<void> {
    const stopping = new AppError("agent_unavailable", undefined, { message: "The service is stopping." });
    const timers = [
      setTimeout(() => shutdown.abort(stopping), drainMs),
      setTimeout(() => this.#app.server.closeAllConnections(), drainMs + 1_000),
    ];
    // Each socket waits for the connections that it has accepted.
    const closed = this.#others.map((server) => new Promise((resolve) => server.close(resolve)));
    await Promise.all([this.#app.close(), ...closed]);
    shutdown.abort(stopping);
    timers.forEach(clearTimeout);
  }
}

/**
 * Throws if another service uses the port. Opens the port for a moment without sharing it, because
 * opening it for sharing could succeed even if it is in use. Not needed for port 0, for which the
 * system chooses an unused port.
 * @throws Error `EADDRINUSE`
 */
async function checkFree(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
