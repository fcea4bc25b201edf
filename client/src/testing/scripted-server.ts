/** A scripted server, with a client that uses it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SheafClient, type SheafClientOptions } from "../client.ts";
import { SheafError } from "../errors.ts";

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
export type Handler = (request: Seen, response: ServerResponse, count: number) => void | Promise<void>;

/**
 * Starts a server that issues tokens `token-1`, `token-2`, …, and passes all other requests to
 * `handle`.
 */
export async function serve(handle: Handler, options: Partial<SheafClientOptions> & { token?: Handler } = {}) {
  const seen: Seen[] = [];
  let tokens = 0;
  const token: Handler =
    options.token ??
    ((_, response, count) =>
      json(response, 200, { access_token: `token-${count}`, token_type: "x-api-key", expires_in: "3600" }));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "", headers } = request;
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const entry = { method, url, headers, body };
    if (url.startsWith("/v2/token")) return token(entry, response, ++tokens);
    seen.push(entry);
    await handle(entry, response, seen.length);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new SheafClient({ baseUrl, clientId: "id", clientSecret: "secret", ...options });
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { client, baseUrl, seen, tokens: () => tokens, [Symbol.asyncDispose]: close };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "r-1", ...headers });
  response.end(JSON.stringify(body));
}
export const failure = (code: string, detail?: object) => ({ status: "error", code, error: "Sorry.", detail });
export const success = (data: unknown) => ({ status: "success", data });
export const isError = (code: string, status: number) => (error: unknown) => {
  assert.ok(error instanceof SheafError, String(error));
  assert.deepEqual([error.code, error.status], [code, status]);
  return true;
};
