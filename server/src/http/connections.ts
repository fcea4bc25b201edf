/**
 * Limits connections: their total number, their number per network, and how long they stay open
 * after we have ended our side.
 */
import { readFile } from "node:fs/promises";
import type { Server, ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import { hasAddress, networkOf } from "../lib/ip-addresses.ts";
import type { Logger } from "../lib/log.ts";
import { peerAddress } from "./client-address.ts";

/**
 * File descriptors reserved for the database, stored files, the index and the reading processes.
 */
const filesForWork = 500;
/**
 * Time between the end of our side of a connection and the destruction of its socket, in
 * milliseconds. During this time, the client can read the response. If the socket were not
 * destroyed, a client that never closes its side would keep the connection open forever.
 */
const lingerMs = 1_000;
/** Maximum share of all connections that one network may have, unless a number is configured. */
const shareOfAddress = 1 / 4;

export interface ConnectionLimits {
  /** Maximum number of connections. */
  max: number;
  /**
   * Maximum number of connections of one network: an IPv4 address, or the /64 of an IPv6 address.
   */
  maxPerNetwork: number;
}

/** Returns the configured limits, lowered to what the system's limit on open files allows. */
export async function connectionLimitsOf(
  { max, maxPerNetwork }: { max: number; maxPerNetwork: number | undefined },
  log: Logger,
): Promise<ConnectionLimits> {
  const files = await openFilesLimit();
  const allowed = Math.max(Math.floor(files / 2), files - filesForWork);
  if (max > allowed)
    log.warn({ wanted: max, allowed }, "the limit on open files allows fewer connections than SHEAF_MAX_CONNECTIONS");
  const held = Math.min(max, allowed);
  return { max: held, maxPerNetwork: Math.min(held, maxPerNetwork ?? Math.ceil(held * shareOfAddress)) };
}

/**
 * Returns the limit on open files. Returns infinity if there is no limit, and on systems other than
 * Linux, where it is unknown.
 */
async function openFilesLimit(): Promise<number> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}

/**
 * Sends `text`, ends our side of a connection and destroys the socket soon after, whatever the
 * client does. All code that ends a socket directly must call this.
 */
export function endConnection(socket: Socket, text: string): void {
  socket.end(text);
  destroySoon(socket);
}

function destroySoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Counts connections by network. A connection beyond the maximum of its network is closed. If the
 * total is at its maximum, a new connection displaces an idle one: the oldest of the network with
 * the most connections. Idle connections therefore cannot lock other clients out.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #proxies: BlockList;
  /** Connections of each network, oldest first. */
  readonly #networks = new Map<string, Set<Socket>>();
  /** Responses in progress on each connection. */
  readonly #responses = new Map<Socket, Set<ServerResponse>>();

  /**
   * @param proxies addresses trusted by the operator. Connections from these addresses serve many
   * clients, so the limit per network does not apply to them.
   */
  constructor(limits: ConnectionLimits, proxies: BlockList) {
    this.#limits = limits;
    this.#proxies = proxies;
  }

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => this.#opened(socket));
    server.on("request", ({ socket }, response) => {
      const responses = this.#responses.get(socket);
      responses?.add(response);
      response.once("close", () => responses?.delete(response));
    });
  }

  /**
   * Returns whether a response has started on a connection. Nothing else may be written until it
   * ends.
   */
  isMidResponse(socket: Socket): boolean {
    return [...(this.#responses.get(socket) ?? [])].some((response) => response.headersSent);
  }

  #opened(socket: Socket): void {
    const address = peerAddress(socket.remoteAddress);
    const isProxy = hasAddress(this.#proxies, address);
    const network = isProxy ? "proxies" : networkOf(address);
    const held = this.#networks.get(network)?.size ?? 0;
    const isRefused = !isProxy && held >= this.#limits.maxPerNetwork;
    if (isRefused || (this.#responses.size >= this.#limits.max && !this.#makeRoom())) return void socket.destroy();
    const sockets = this.#networks.get(network) ?? new Set();
    this.#networks.set(network, sockets.add(socket));
    this.#responses.set(socket, new Set());
    // Destroys the socket a moment after our side has ended, whichever part of the program ended
    // it.
    socket.once("finish", () => destroySoon(socket));
    socket.once("close", () => this.#closed(socket, network));
  }

  #closed(socket: Socket, network: string): void {
    this.#responses.delete(socket);
    const held = this.#networks.get(network);
    held?.delete(socket);
    if (held?.size === 0) this.#networks.delete(network);
  }

  /** Closes an idle connection. Returns false if every connection has a request in progress. */
  #makeRoom(): boolean {
    let found: { network: string; socket: Socket; among: number } | undefined;
    for (const [network, sockets] of this.#networks) {
      if (sockets.size <= (found?.among ?? 0)) continue;
      const socket = [...sockets].find((each) => this.#responses.get(each)?.size === 0);
      if (socket) found = { network, socket, among: sockets.size };
    }
    if (found === undefined) return false;
    this.#closed(found.socket, found.network);
    found.socket.destroy();
    return true;
  }
}
