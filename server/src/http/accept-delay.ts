/**
 * How long a new connection waits before it is accepted. The event loop accepts one per socket and turn, so that a flood of them waits in the
 * operating system, where neither turns nor requests tell of it. The service knocks at its own door to find out.
 */
import { type AddressInfo, connect, type Server, type Socket } from "node:net";

export class AcceptDelay implements Disposable {
  readonly #server: Server;
  #knocking: { socket: Socket; startedAt: number } | undefined;
  #lastMs = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => this.#opened(socket.remotePort));
    server.on("drop", (data) => this.#opened(data?.remotePort));
  }

  /** Of the last connection that was accepted, or of the one that waits. */
  get ms(): number {
    return Math.max(this.#lastMs, this.#knocking ? performance.now() - this.#knocking.startedAt : 0);
  }

  /** Measures anew, unless a measurement is under way. */
  knock(): void {
    const address = this.#server.address() as AddressInfo | null;
    if (this.#knocking || address === null) return;
    const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
    const socket = connect(address.port, everywhere[address.address] ?? address.address);
    this.#knocking = { socket, startedAt: performance.now() };
    // Whatever else happens to it: the next one measures again.
    socket.on("error", () => {}).on("close", () => this.#forget(socket));
  }

  [Symbol.dispose](): void {
    this.#knocking?.socket.destroy();
  }

  #opened(remotePort: number | undefined): void {
    if (this.#knocking === undefined || this.#knocking.socket.localPort !== remotePort) return;
    this.#lastMs = performance.now() - this.#knocking.startedAt;
    this.#knocking.socket.destroy();
    this.#knocking = undefined;
  }

  #forget(socket: Socket): void {
    if (this.#knocking?.socket === socket) this.#knocking = undefined;
  }
}
