/** Sends requests exactly as given: `fetch` would normalize the path and decode the body. */
import assert from "node:assert/strict";
import { connect } from "node:net";

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface RawOptions {
  method?: string;
  body?: string;
}

/** Headers that a browser sends when it opens a page. */
export const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** @param url of the service @param path as it is written into the request line */
export async function rawRequest(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  { method = "GET", body = "" }: RawOptions = {},
): Promise<RawResponse> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const lines = Object.entries({ host: "x", connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write([`${method} ${path} HTTP/1.1`, ...lines, "", body].join("\r\n"));
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  const received = Buffer.concat(pieces);
  const end = received.indexOf("\r\n\r\n");
  const [start = "", ...fields] = received.subarray(0, end).toString("latin1").split("\r\n");
  return {
    status: Number(start.split(" ")[1]),
    headers: Object.fromEntries(
      fields.map((field) => [field.slice(0, field.indexOf(":")).toLowerCase(), field.slice(field.indexOf(":") + 2)]),
    ),
    body: received.subarray(end + 4),
  };
}

/** Asserts that a response is a 404 with the standard error envelope and headers of the API. */
export function isNotFound({ status, headers, body }: RawResponse, about: string): void {
  assert.deepEqual([status, headers["content-type"]], [404, "application/json; charset=utf-8"], about);
  assert.equal(JSON.parse(body.toString()).code, "not_found", about);
  assert.equal(headers["cache-control"], "no-store", about);
  assert.equal(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'", about);
}
