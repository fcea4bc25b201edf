/**
 * An S3 server for tests. It keeps objects in memory, is called over real HTTP, and implements the
 * part of the API that stored files use. It verifies the signed hash of every body, honours
 * conditional writes unless configured otherwise, and fails as a test specifies.
 */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

export interface S3Request {
  method: string;
  /** Key of the object; empty for requests to the bucket itself. */
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
}

/**
 * Fault that a test injects into a response:
 * - `status`: an error in place of the response
 * - `delayMs`: a late response
 * - `tornAfter`: the connection closes after this many bytes of the body
 * - `silentAfter`: nothing more is sent after this many bytes of the body
 * - `reset`: the connection closes before the request is processed
 * - `lost`: the connection closes after the request was processed, without a response
 */
export type Fault =
  | { status: number; code?: string }
  | { delayMs: number }
  | { tornAfter: number }
  | { silentAfter: number }
  | "reset"
  | "lost";

export interface Stored {
  body: Buffer;
  etag: string;
  modifiedMs: number;
  headers: Record<string, string>;
}

interface Upload {
  key: string;
  startedMs: number;
  parts: Map<number, Stored>;
  headers: Record<string, string>;
}

export interface S3Server extends AsyncDisposable {
  objects: Map<string, Stored>;
  uploads: Map<string, Upload>;
  /**
   * Returns the fault of a request, if any. Called for every request, after its body has arrived.
   */
  fault: (request: S3Request) => Fault | undefined;
  /** Number of requests so far. */
  requests: number;
  url: string;
  /** Returns the settings of a service that stores its files in this server, below a prefix. */
  settings(prefix?: string): Record<string, string>;
}

const bucket = "test-bucket";
const accessKey = "test-access-key";

export interface S3ServerOptions {
  /** Ignores `If-None-Match` if false, as some stores do. */
  conditional?: boolean;
  /** Maximum number of keys per page of a list. */
  pageKeys?: number;
}

export async function openS3Server({ conditional = true, pageKeys = 1000 }: S3ServerOptions = {}): Promise<S3Server> {
  const state: S3Server = {
    objects: new Map(),
    uploads: new Map(),
    fault: () => undefined,
    requests: 0,
    url: "",
    settings: (prefix = "sheaf") => ({
      SHEAF_FILES: `s3://${bucket}/${prefix}`,
      SHEAF_S3_ENDPOINT: state.url,
      SHEAF_S3_PATH_STYLE: "on",
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: "test-secret",
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer(async (request, response) => {
    state.requests++;
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://s3");
    const [, name = "", ...segments] = pathname.split("/").map(decodeURIComponent);
    const asked = { method: request.method ?? "", key: segments.join("/"), query, headers: request.headers };
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const fault = state.fault(asked);
    if (fault === "reset") return void request.socket.destroy();
    if (typeof fault === "object" && "delayMs" in fault) await sleep(fault.delayMs);
    if (typeof fault === "object" && "status" in fault) return refuse(response, fault.status, fault.code ?? "SlowDown");
    if (!request.headers.authorization?.includes(`Credential=${accessKey}/`))
      return refuse(response, 403, "AccessDenied");
    if (request.headers["x-amz-content-sha256"] !== createHash("sha256").update(body).digest("hex"))
      return refuse(response, 400, "XAmzContentSHA256Mismatch");
    if (name !== bucket) return refuse(response, 404, "NoSuchBucket");
    const answer = new Answer(state, { conditional, pageKeys }, asked, body).made();
    if (fault === "lost") return void request.socket.destroy();
    send(response, answer, typeof fault === "object" ? fault : undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

function send(response: ServerResponse, { status, headers = {}, body = "" }: Reply, fault?: Fault): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
  const cut =
    typeof fault === "object" && ("tornAfter" in fault ? fault.tornAfter : "silentAfter" in fault && fault.silentAfter);
  if (typeof cut !== "number" || cut >= Buffer.byteLength(body)) return void response.end(body);
  response.write(Buffer.from(body).subarray(0, cut), () => {
    if (typeof fault === "object" && "tornAfter" in fault) response.socket?.destroy();
  });
}

const failure = (status: number, code: string): Reply => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});

const refuse = (response: ServerResponse, status: number, code: string): void => send(response, failure(status, code));

const xml = (name: string, content: string): Reply => ({
  status: 200,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`,
});

const tag = (name: string, value: string | number | boolean): string => `<${name}>${value}</${name}>`;
const isoOf = (ms: number): string => new Date(ms).toISOString();
const etagOf = (body: Buffer): string => `"${createHash("md5").update(body).digest("hex")}"`;

/** Headers that are stored with an object. */
const keptHeaders = (headers: IncomingMessage["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith("x-amz-meta-") || name.startsWith("x-amz-server-side") ? [[name, String(value)]] : [],
    ),
  );

/** Makes the response to a request whose body has arrived and matches its signature. */
class Answer {
  readonly #state: S3Server;
  readonly #options: Required<S3ServerOptions>;
  readonly #request: S3Request;
  readonly #body: Buffer;

  constructor(state: S3Server, options: Required<S3ServerOptions>, request: S3Request, body: Buffer) {
    this.#state = state;
    this.#options = options;
    this.#request = request;
    this.#body = body;
  }

  made(): Reply {
    const { method, key, query } = this.#request;
    if (key === "") return this.#ofBucket();
    const upload = query.get("uploadId");
    if (query.has("uploads")) return this.#beginUpload();
    if (upload !== null) return this.#ofUpload(upload);
    if (method === "PUT") return this.#put();
    if (method === "DELETE") {
      this.#state.objects.delete(key);
      return { status: 204 };
    }
    return this.#get(method === "HEAD");
  }

  #ofBucket(): Reply {
    const { method, query } = this.#request;
    if (method === "HEAD") return { status: 200 };
    if (query.has("uploads")) {
      const uploads = [...this.#state.uploads].map(([id, { key, startedMs }]) =>
        tag("Upload", tag("Key", key) + tag("UploadId", id) + tag("Initiated", isoOf(startedMs))),
      );
      return xml("ListMultipartUploadsResult", tag("IsTruncated", false) + uploads.join(""));
    }
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...this.#state.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, this.#options.pageKeys);
    const contents = page.map((key) => {
      const { modifiedMs, etag, body } = this.#state.objects.get(key) as Stored;
      return tag(
        "Contents",
        tag("Key", key) + tag("LastModified", isoOf(modifiedMs)) + tag("ETag", etag) + tag("Size", body.length),
      );
    });
    const more = keys.length > page.length ? tag("NextContinuationToken", page.at(-1) ?? "") : "";
    return xml("ListBucketResult", tag("IsTruncated", more !== "") + more + contents.join(""));
  }

  #put(): Reply {
    const { key, headers } = this.#request;
    const source = headers["x-amz-copy-source"];
    if (source !== undefined) return this.#copy(decodeURIComponent(String(source)));
    if (this.#options.conditional && headers["if-none-match"] === "*" && this.#state.objects.has(key))
      return failure(412, "PreconditionFailed");
    return { status: 200, headers: { etag: this.#store(this.#body, keptHeaders(headers)) } };
  }

  #copy(source: string): Reply {
    const from = this.#state.objects.get(source.replace(`${bucket}/`, ""));
    if (from === undefined) return failure(404, "NoSuchKey");
    const etag = this.#store(from.body, { ...from.headers, ...keptHeaders(this.#request.headers) });
    return xml("CopyObjectResult", tag("ETag", etag));
  }

  #store(body: Buffer, headers: Record<string, string>): string {
    const etag = etagOf(body);
    this.#state.objects.set(this.#request.key, { body, etag, modifiedMs: Date.now(), headers });
    return etag;
  }

  #get(isHead: boolean): Reply {
    const { key, headers } = this.#request;
    const found = this.#state.objects.get(key);
    if (found === undefined) return isHead ? { status: 404 } : failure(404, "NoSuchKey");
    const { body, etag } = found;
    if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return failure(412, "PreconditionFailed");
    const [, start = "0", end = ""] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
    const all = { etag, ...found.headers };
    if (isHead) return { status: 200, headers: { ...all, "content-length": String(body.length) } };
    if (headers.range === undefined) return { status: 200, headers: all, body };
    if (Number(start) >= body.length) return failure(416, "InvalidRange");
    return { status: 206, headers: all, body: body.subarray(Number(start), end === "" ? undefined : Number(end) + 1) };
  }

  #beginUpload(): Reply {
    const id = randomUUID();
    const { key, headers } = this.#request;
    this.#state.uploads.set(id, { key, startedMs: Date.now(), parts: new Map(), headers: keptHeaders(headers) });
    return xml("InitiateMultipartUploadResult", tag("UploadId", id));
  }

  #ofUpload(id: string): Reply {
    const { method, query } = this.#request;
    const upload = this.#state.uploads.get(id);
    if (upload === undefined) return failure(404, "NoSuchUpload");
    if (method === "DELETE") {
      this.#state.uploads.delete(id);
      return { status: 204 };
    }
    const body = this.#body;
    if (method === "PUT") {
      const etag = etagOf(body);
      upload.parts.set(Number(query.get("partNumber")), { body, etag, modifiedMs: Date.now(), headers: {} });
      return { status: 200, headers: { etag } };
    }
    const named = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => ({
      part: upload.parts.get(Number(/<PartNumber>(\d+)</.exec(part)?.[1])),
      etag: /<ETag>(.*?)<\/ETag>/.exec(part)?.[1]?.replaceAll("&quot;", '"'),
    }));
    if (named.length === 0 || named.some(({ part, etag }) => part === undefined || part.etag !== etag))
      return failure(400, "InvalidPart");
    this.#state.uploads.delete(id);
    const whole = Buffer.concat(named.flatMap(({ part }) => (part ? [part.body] : [])));
    return xml("CompleteMultipartUploadResult", tag("ETag", this.#store(whole, upload.headers)));
  }
}
