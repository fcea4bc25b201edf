/**
 * Measures how long a new connection waits before it is accepted, by opening a probe connection to
 * our own port. The event loop accepts one connection per socket per turn. A flood of connections
 * therefore waits in the operating system. Neither the length of event loop turns nor the number of
 * requests shows this wait.
 */
import { type AddressInfo, connect, type Server, type Socket } from "node:net";

export class AcceptDelay implements Disposable {
  readonly #server: Server;
  #probing: { socket: Socket; startedAt: number } | undefined;
  #lastMs = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => this.#opened(socket.remotePort));
    server.on("drop", (data) => this.#opened(data?.remotePort));
  }

  /**
   * Returns the delay that the last probe measured, or the time that the current probe has waited
   * so far, if that is longer.
   */
  get ms(): number {
    return Math.max(this.#lastMs, this.#probing ? performance.now() - this.#probing.startedAt : 0);
  }

  /** Starts a measurement unless one is under way. */
  probe(): void {
    const address = this.#server.address() as AddressInfo | null;
    if (this.#probing || address === null) return;
    const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
    const socket = connect(address.port, everywhere[address.address] ?? address.address);
    this.#probing = { socket, startedAt: performance.now() };
    // Ignore errors; the next probe measures again.
    socket.on("error", () => {}).on("close", () => this.#forget(socket));
  }

  [Symbol.dispose](): void {
    this.#probing?.socket.destroy();
  }

  #opened(remotePort: number | undefined): void {
    if (this.#probing === undefined || this.#probing.socket.localPort !== remotePort) return;
    this.#lastMs = performance.now() - this.#probing.startedAt;
    this.#probing.socket.destroy();
    this.#probing = undefined;
  }

  #forget(socket: Socket): void {
    if (this.#probing?.socket === socket) this.#probing = undefined;
  }
}
