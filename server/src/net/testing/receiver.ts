/**
 * HTTP servers that receive posts in tests. They respond with any status, or fail like real
 * receivers on the internet. Also canaries: listeners that must never receive a connection.
 */
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import type { Certificate } from "./certificates.ts";

/** A response or the name of a fault. */
export type Behaviour = { status: number; headers?: http.OutgoingHttpHeaders; body?: string | Buffer } | Fault;

export type Fault = keyof typeof faults;

export interface Received {
  method: string;
  /** Path with the query. */
  path: string;
  headers: http.IncomingHttpHeaders;
  /** TLS server name indication. */
  serverName: string | undefined;
  body: Buffer;
  /** Monotonic time in milliseconds. */
  at: number;
}

export interface Receiver {
  host: string;
  port: number;
  /** Returns the URL of a path on the receiver's address. */
  url(path: string): string;
  received: Received[];
  /** Number of TCP connections so far, with or without TLS. */
  connections: number;
  /** Returns the number of open connections. */
  open(): number;
  /** Returns the number of bytes written to all connections. */
  bytesSent(): number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** An address of this machine. */
  host: string;
  /** Default: any free port. */
  port?: number;
  /** Certificate. If given, the receiver uses TLS. */
  certificate?: Certificate;
  /**
   * Handles a request. `count` is the number of earlier requests to this path. Default: status 200.
   */
  behave?: (request: Received, count: number) => Behaviour;
}

const gigabyte = 2 ** 30;

/**
 * Faults of a receiver. Each begins when the whole request has arrived. `socket` carries plain
 * text; `connection` is the TCP connection below TLS.
 */
const faults = {
  /** No response at all. */
  silence: () => undefined,
  /** A TCP reset. */
  reset: (_socket: Socket, connection: Socket) => void connection.resetAndDestroy(),
  /** The connection is closed without a response. */
  close: (socket: Socket) => void socket.end(),
  notHttp: (socket: Socket) => void socket.end("SSH-2.0-OpenSSH_9.2p1\r\n"),
  /** A switch of protocols that the client did not request. */
  upgrade: (socket: Socket) =>
    void socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
  /** Endless headers, sent as fast as they are read. */
  endlessHeaders: (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    pour(socket, Buffer.from(`x-header: ${"a".repeat(1_000)}\r\n`), Infinity);
  },
  /** One byte of the headers per second. */
  slowHeaders: (socket: Socket) => drip(socket, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  /** Status and headers at once, then one byte of the body per second. */
  slowBody: (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n");
    drip(socket, "b".repeat(100));
  },
  /** A gigabyte, sent as fast as it is read. */
  hugeBody: (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${gigabyte}\r\n\r\n`);
    pour(socket, Buffer.alloc(65_536, "b"), gigabyte);
  },
  /** 64 MB of zeros, compressed to 64 kB. */
  gzipBomb: (socket: Socket) => {
    const body = gzipSync(Buffer.alloc(2 ** 26));
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.end(body);
  },
  /** A truncated body. */
  brokenBody: (socket: Socket, connection: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
    // Resets later, because a reset discards bytes that have not been read.
    setTimeout(() => connection.resetAndDestroy(), 200);
  },
  /** Endless responses with status 100. */
  endlessContinue: (socket: Socket) => pour(socket, Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(100)), Infinity),
};

export async function openReceiver({ host, port = 0, certificate, behave }: ReceiverOptions): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let bytesOfEnded = 0;
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const one = await receive(request);
    const count = received.filter(({ path }) => path === one.path).length;
    received.push(one);
    const behaviour = behave?.(one, count) ?? { status: 200 };
    if (typeof behaviour === "string") faults[behaviour](request.socket, connectionOf(request.socket));
    else response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
  };
  const connectionOf = ({ remotePort }: Socket): Socket =>
    [...sockets].find((socket) => socket.remotePort === remotePort) as Socket;
  const listener: http.RequestListener = (request, response) => {
    // A client that disconnects while it sends is not an error of the receiver.
    answer(request, response).catch(() => request.socket.destroy());
  };
  const server = certificate ? https.createServer({ ...certificate }, listener) : http.createServer(listener);
  server.on("connection", (socket: Socket) => {
    receiver.connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      bytesOfEnded += socket.bytesWritten;
    });
  });
  server.on("tlsClientError", () => undefined);
  server.listen(port, host);
  await once(server, "listening");
  const receiver: Receiver = {
    host,
    port: (server.address() as AddressInfo).port,
    url: (path) => `${certificate ? "https" : "http"}://${urlHost(host)}:${receiver.port}${path}`,
    received,
    connections: 0,
    open: () => sockets.size,
    bytesSent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, bytesOfEnded),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return closed(server);
    },
  };
  return receiver;
}

/**
 * Listens and counts connections, but never responds. A canary can also simulate a port that is
 * silent or does not speak TLS.
 */
export interface Canary {
  port: number;
  connections: number;
  close(): Promise<void>;
}

export async function openCanary(host: string, port = 0): Promise<Canary> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    canary.connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(port, host);
  await once(server, "listening");
  const canary: Canary = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return closed(server);
    },
  };
  return canary;
}

/** Returns a port of `host` on which nothing listens. */
export async function closedPort(host: string): Promise<number> {
  const { port, close } = await openCanary(host);
  await close();
  return port;
}

async function receive(request: http.IncomingMessage): Promise<Received> {
  const { method = "", url: path = "", headers, socket } = request;
  const serverName =
    socket instanceof TLSSocket && typeof socket.servername === "string" ? socket.servername : undefined;
  const body = Buffer.concat(await request.toArray());
  return { method, path, headers, serverName, body, at: performance.now() };
}

function pour(socket: Socket, piece: Buffer, bytes: number): void {
  let left = bytes;
  const write = (): void => {
    while (left > 0 && socket.writable) {
      left -= piece.length;
      if (!socket.write(piece)) return void socket.once("drain", write);
    }
  };
  write();
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++)), 1_000);
  socket.once("close", () => clearInterval(timer));
}

const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

async function closed(server: { close(): unknown; once(event: "close", listener: () => void): unknown }) {
  const ended = new Promise<void>((resolve) => server.once("close", resolve));
  server.close();
  await ended;
}
