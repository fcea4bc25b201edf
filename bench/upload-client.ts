/** Creates bodies of uploads with a given size, and sends them as fast as they are read. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/** A body as chunks, which can be sent repeatedly. */
export interface UploadSource {
  /** Length of the JSON, in bytes. */
  length: number;
  pieces: readonly Buffer[];
}

export interface SourceOptions {
  /** Length of the decoded file, in bytes. Its content is random. */
  fileBytes: number;
  /**
   * Number of base64 characters per line. If absent, the base64 text has no line breaks. A line
   * break takes four bytes in JSON.
   */
  lineLength?: number;
  /** Other members of the body. They come before the file. */
  fields?: Record<string, unknown>;
}

export function uploadSource({ fileBytes, lineLength, fields = { filename: "a.pdf" } }: SourceOptions): UploadSource {
  const base64 = randomBytes(fileBytes).toString("base64");
  const file = lineLength === undefined ? base64 : base64.replace(new RegExp(`.{${lineLength}}`, "g"), "$&\\r\\n");
  const body = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"file":"${file}"}`);
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += 1024 * 1024) pieces.push(body.subarray(at, at + 1024 * 1024));
  return { length: body.length, pieces };
}

export interface UploadReply {
  status: number;
  body: string;
}

/** Sends one body by POST. Resolves when the whole response has arrived. */
export async function sendUpload(
  url: string,
  source: UploadSource,
  headers: Record<string, string> = {},
): Promise<UploadReply> {
  const outgoing = request(url, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", "content-length": source.length, ...headers },
  });
  const replied = once(outgoing, "response") as Promise<[IncomingMessage]>;
  for (const piece of source.pieces) {
    if (!outgoing.write(piece)) await Promise.race([once(outgoing, "drain"), replied]);
  }
  outgoing.end();
  const [reply] = await replied;
  return { status: reply.statusCode ?? 0, body: await text(reply) };
}

export interface SpeedOptions {
  url: string;
  source: UploadSource;
  headers?: Record<string, string>;
  /** Number of concurrent uploads. */
  parallel: number;
  /** Status that every response must have. */
  expectedStatus?: number;
}

/**
 * Returns the combined speed of all uploads in bytes of JSON per second, measured from the first
 * request to the last response.
 */
export async function uploadSpeed({
  url,
  source,
  headers,
  parallel,
  expectedStatus = 200,
}: SpeedOptions): Promise<number> {
  const start = performance.now();
  const replies = await Promise.all(Array.from({ length: parallel }, () => sendUpload(url, source, headers)));
  const seconds = (performance.now() - start) / 1000;
  for (const { status, body } of replies) {
    if (status !== expectedStatus) throw new Error(`An upload got status ${status}: ${body.slice(0, 500)}`);
  }
  return (source.length * parallel) / seconds;
}
