/** Answers to connections whose bytes are no HTTP request: there is no route, no reply object, only a socket. */
import type { Socket } from "node:net";
import { AppError } from "../lib/errors.ts";
import { errorEnvelope } from "./error-reply.ts";

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** The status says what HTTP has to say; the envelope is the usual one. */
export function answerBrokenConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const body = JSON.stringify(
    errorEnvelope(new AppError("invalid_request", { issues: [{ path: "", message: "this is no HTTP request" }] })),
  );
  socket.end(
    `HTTP/1.1 ${statusLines[error.code ?? ""] ?? "400 Bad Request"}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
