/**
 * Records requests and responses in a folder, and replays them. The recordings contain document
 * text, but never the API key.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ModelFailure } from "../../engine.ts";
import type { Posted, Transport } from "./http-transport.ts";

interface Entry {
  request: { path: string; body: unknown };
  response: { status: number; contentType: string; body: string };
}

/**
 * Writes every complete response of `transport` to `folder`. If the same request is made again, the
 * new response replaces the old one. Responses with status 429 or 5xx are not written.
 */
export function recording(transport: Transport, folder: string): Transport {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    async post(path, body, maxBytes, signal) {
      const posted = await transport.post(path, body, maxBytes, signal);
      if (posted.status === 429 || posted.status >= 500) return posted;
      const request = requestOf(path, body);
      return { ...posted, body: recorded(posted, (text) => write(folder, request, posted, text)) };
    },
    close: () => transport.close(),
  };
}

/** Returns a transport that takes all responses from `folder` and never uses the network. */
export function replaying(folder: string): Transport {
  return {
    async post(path, body) {
      const name = nameOf(requestOf(path, body));
      const { response } = await read(folder, name);
      return {
        status: response.status,
        contentType: response.contentType,
        retryAfter: undefined,
        body: onePiece(response.body),
      };
    },
    close: () => {},
  };
}

async function* recorded(posted: Posted, end: (text: string) => Promise<void>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of posted.body) {
    chunks.push(chunk);
    yield chunk;
  }
  await end(Buffer.concat(chunks).toString());
}

async function* onePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function requestOf(path: string, body: Buffer): Entry["request"] {
  return { path, body: JSON.parse(body.toString()) };
}

async function write(folder: string, request: Entry["request"], posted: Posted, body: string): Promise<void> {
  const entry: Entry = { request, response: { status: posted.status, contentType: posted.contentType, body } };
  const path = join(folder, `${nameOf(request)}.json`);
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeFile(temporary, `${JSON.stringify(entry, undefined, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

async function read(folder: string, name: string): Promise<Entry> {
  try {
    return JSON.parse(await readFile(join(folder, `${name}.json`), "utf8")) as Entry;
  } catch (error) {
    throw new ModelFailure("unavailable", `The transcript contains no response to the request ${name}.`, {
      cause: error,
    });
  }
}

/**
 * Returns the SHA-256 of the request. The keys of all objects are sorted first, so that their order
 * does not matter.
 */
function nameOf(request: Entry["request"]): string {
  return createHash("sha256")
    .update(JSON.stringify(request, (_key, value: unknown) => inOrder(value)))
    .digest("hex");
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
