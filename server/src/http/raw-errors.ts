/**
 * Responds to malformed HTTP requests with the status that HTTP defines and the error envelope, and
 * closes the connection.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import { AppError } from "../lib/errors.ts";
import { type Connections, endConnection } from "./connections.ts";
import { errorEnvelope } from "./error-reply.ts";

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

const envelope = (message: string): string =>
  JSON.stringify(errorEnvelope(new AppError("invalid_request", { issues: [{ path: "", message }] })));

/**
 * Responds to bytes that are not HTTP. At this point there is only a socket, neither a route nor a
 * reply object.
 */
export function replyToMalformedRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: Pick<Connections, "isMidResponse">,
): void {
  const isGone = error.code === "ECONNRESET" || !socket.writable;
  if (isGone || connections.isMidResponse(socket)) return void socket.destroy();
  const body = envelope("this is not an HTTP request");
  endConnection(
    socket,
    `HTTP/1.1 ${statusLines[error.code ?? ""] ?? "400 Bad Request"}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Responds to an `Expect` header other than `100-continue`. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = envelope("Expect can only be 100-continue");
  const headers = { connection: "close", "content-type": "application/json; charset=utf-8" };
  response.writeHead(417, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** Responds to an HTTP/1.1 request that does not have exactly one `Host` header. */
export const refuseMissingHost = (reply: FastifyReply): FastifyReply =>
  reply
    .code(400)
    .header("connection", "close")
    .type("application/json; charset=utf-8")
    .send(envelope("there must be exactly one Host header"));
