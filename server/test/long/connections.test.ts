/** Behaviour of connections: refusals before the body, malformed HTTP, clients that disconnect. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newId } from "../../src/lib/ids.ts";
import { makePdf } from "../../src/reading/testing/make-pdf.ts";
import { clientOf, placeOver } from "../helpers/killed-service.ts";
import { start } from "../helpers/process.ts";
import { openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";
import { kept } from "../helpers/stored-rows.ts";

let service: TestService;
let organization: TestOrganization;
before(async () => {
  service = await openTestService("sqlite");
  organization = await service.organization("Socket House");
});
after(() => service[Symbol.asyncDispose]());

/** Returns everything that the service sends on a connection until the service closes it. */
async function exchange(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  socket.on("error", () => {});
  for (const part of parts) socket.write(part);
  // Does not use `once`, which would reject if a write to the closed connection fails.
  await new Promise((resolve) => socket.on("close", resolve));
  return received;
}

const head = (path: string, headers: Record<string, string | number>) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const json = { "Content-Type": "application/json" };
const large = 84 * 1024 * 1024;
const statusesIn = (received: string) => [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map((match) => Number(match[1]));
const codeIn = (received: string) => /"code":"(\w+)"/.exec(received)?.[1];

test("requests that can be refused by their headers are refused before the body is sent, and the connection ends", async () => {
  const key = { "x-api-key": organization.administrator.token };
  const cases: [string, Record<string, string | number>, number, string][] = [
    ["/v2/extractor", { ...json, "Content-Length": large }, 401, "unauthorized"],
    ["/v2/extractor", { ...json, "x-api-key": "wrong", "Content-Length": large }, 401, "unauthorized"],
    [`/v2/extractor/${newId()}`, { ...json, ...key, "Content-Length": large }, 404, "agent_not_found"],
    ["/v2/extractor", { ...json, ...key, "Content-Length": large }, 413, "file_too_large"],
    ["/v2/extractor", { ...key, "Content-Type": "text/plain", "Content-Length": large }, 422, "invalid_request"],
    ["/v2/extractor", { ...json, ...key, "Content-Encoding": "gzip", "Content-Length": large }, 422, "invalid_request"],
    ["/v2/nowhere", { ...json, "Content-Length": large }, 404, "not_found"],
  ];
  for (const [path, headers, status, code] of cases) {
    const received = await exchange(head(path, headers));
    assert.deepEqual([statusesIn(received), codeIn(received)], [[status], code], path);
    assert.match(received, /\r\nconnection: close\r\n/i);
  }
});

test("a body that will be refused is hardly read, even if the client keeps sending", async (t) => {
  // Counts the bytes up to the refusal. After the refusal, the service reads and discards bytes for
  // a second, so that a client that is still sending can read the response.
  let readBytes = 0;
  const { writeHead } = ServerResponse.prototype;
  t.mock.method(ServerResponse.prototype, "writeHead", function (this: ServerResponse, status: number) {
    readBytes = this.req.socket.bytesRead;
    return writeHead.call(this, status);
  });
  const refuse = async (headers: Record<string, string | number>) => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.on("error", () => {}).write(head("/v2/extractor", { ...json, ...headers, "Content-Length": large }));
    const chunk = Buffer.alloc(64 * 1024, "A");
    let sentBytes = 0;
    const sendOn = () => {
      if (sentBytes < large) socket.write(chunk, (error) => error ?? sendOn());
      sentBytes += chunk.length;
    };
    sendOn();
    const [answer] = await once(socket, "data");
    socket.destroy();
    return { statuses: statusesIn(String(answer)), sentBytes };
  };
  for (const [status, headers] of [
    [401, {}],
    [401, { "x-api-key": "wrong" }],
    [413, { "x-api-key": organization.administrator.token }],
  ] as const) {
    const { statuses, sentBytes } = await refuse(headers);
    assert.deepEqual(statuses, [status]);
    assert.ok(readBytes < 1024 * 1024, `${readBytes} bytes were read before the refusal`);
    assert.ok(sentBytes < large, "the answer comes before the end of the body");
  }
});

test("a client that is still sending receives the refusal, not a connection reset", async () => {
  const body = JSON.stringify({ filename: "a.pdf", file: Buffer.alloc(large / 2).toString("base64"), params: [] });
  const post = async (path: string, token: string) => {
    const headers = { "content-type": "application/json", "x-api-key": token };
    const answer = await fetch(service.url + path, { method: "POST", headers, body });
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  const { token } = organization.administrator;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      i % 2 ? post("/v2/extractor", "wrong") : post(`/v2/extractor/${newId()}`, token),
    ),
  );
  const expected = answers.map((_, i) => (i % 2 ? [401, "unauthorized"] : [404, "agent_not_found"]));
  assert.deepEqual(answers, expected);
});

test("bytes that follow an early refusal are not parsed as a request", async () => {
  const smuggled = head("/v2/agents", { ...json, "Content-Length": 2 });
  const received = await exchange(head("/v2/extractor", { ...json, "Content-Length": smuggled.length + 10 }), smuggled);
  assert.deepEqual(statusesIn(received), [401]);
});

test("a chunked body is refused as soon as it exceeds the maximum size", async () => {
  const headers = { ...json, "x-api-key": organization.administrator.token, "Transfer-Encoding": "chunked" };
  const earlier = await kept(service);
  const chunk = Buffer.alloc(1024 * 1024, "A");
  const parts = Array.from({ length: 64 }, () => [`${chunk.length.toString(16)}\r\n`, chunk, "\r\n"]).flat();
  const start = '{"filename":"a.pdf","file":"';
  const received = await exchange(
    head("/v2/extractor", headers),
    `${start.length.toString(16)}\r\n${start}\r\n`,
    ...parts,
  );
  assert.deepEqual([statusesIn(received), codeIn(received)], [[413], "file_too_large"]);
  assert.deepEqual(await kept(service), earlier);
});

test("malformed HTTP gets one error in the envelope, and the connection ends", async () => {
  const cases: [string, number][] = [
    ["GARBAGE\r\n\r\n", 400],
    ["GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400],
    ["POST /v2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", 400],
    ["POST /v2/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400],
    ["GET /v2/agents HTTP/1.1\r\nHost: x\r\nA: b\r\n c: folded\r\n\r\n", 400],
    ["GET /v2/agents HTTP/1.1\nHost: x\n\n", 400],
    [`GET /v2/agents HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(40_000)}\r\n\r\n`, 431],
  ];
  for (const [text, status] of cases) {
    const received = await exchange(text);
    const shown = JSON.stringify(text.slice(0, 60));
    assert.equal(statusesIn(received).at(0), status, shown);
    assert.equal(statusesIn(received).length, 1, shown);
    assert.equal(codeIn(received), "invalid_request", shown);
  }
});

test("unknown routes and methods get an error in the envelope", async () => {
  const { administrator } = organization;
  for (const [method, path] of [
    ["GET", "/"],
    ["GET", "/v2"],
    ["PUT", "/v2/agents"],
    ["DELETE", "/v2/extractor"],
    ["GET", "/v2/agents/%E0%A4%A"],
    ["GET", "//v2/agents"],
    ["GET", "/V2/agents"],
  ] as const) {
    const response = await fetch(service.url + path, { method, headers: { "x-api-key": administrator.token } });
    const body = (await response.json()) as { code: string };
    assert.deepEqual([response.status, body.code], [404, "not_found"], `${method} ${path}`);
  }
});

test("a disconnected client cancels its work", async () => {
  const earlier = await kept(service);
  const file = (await readFile(join(import.meta.dirname, "../../../examples/invoice.pdf"))).toString("base64");
  const params = [{ name: "a", format: "text", description: "b" }];
  const body = JSON.stringify({ filename: "a.pdf", file, params });
  const leave = async (part: string) => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.write(
      head("/v2/extractor", { ...json, "x-api-key": organization.administrator.token, "Content-Length": body.length }),
    );
    socket.write(part);
    while ((await readdir(join(service.config.dataDir, "tmp"))).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 1));
    socket.destroy();
    while ((await readdir(join(service.config.dataDir, "tmp"))).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await leave(body.slice(0, 20_000));
  await leave(body);
  assert.deepEqual(await kept(service), earlier);
});

test("after a client disconnects, its slot is free within a second and the reading of its file ends", async () => {
  await using small = await openTestService("sqlite", { SHEAF_EXTRACTION_QUEUE: "1", SHEAF_READING_PROCESSES: "1" });
  const { administrator } = await small.organization("Leaving House");
  const marks = Array.from({ length: 60 }, (_, line) => ({
    text: `Line ${line} of words`,
    x: 50,
    y: 800 - 12 * line,
    size: 9,
  }));
  const long = Buffer.from(makePdf({ pages: Array.from({ length: 800 }, () => ({ marks })) }));
  const short = await readFile(join(import.meta.dirname, "../../../examples/invoice.pdf"));
  const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];
  const bodyOf = (file: Buffer) => ({ filename: "a.pdf", file: file.toString("base64"), params });
  const extract = () => administrator.send("POST", "/v2/extractor", bodyOf(short));
  assert.equal((await extract()).status, 200);
  const leaving = new AbortController();
  const left = fetch(`${small.url}/v2/extractor`, {
    method: "POST",
    headers: { "x-api-key": administrator.token, "content-type": "application/json" },
    body: JSON.stringify(bodyOf(long)),
    signal: leaving.signal,
  });
  const busy = async () => (await extract()).status === 503;
  const received = async () => {
    const folder = join(small.config.dataDir, "tmp");
    const [name] = await readdir(folder);
    return name !== undefined && (await stat(join(folder, name))).size === long.length;
  };
  while (!(await received())) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(await busy());
  leaving.abort();
  await assert.rejects(left, { name: "AbortError" });
  const leftAt = performance.now();
  let lastBusyAt = leftAt;
  for (; await busy(); lastBusyAt = performance.now()) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(lastBusyAt - leftAt < 1_000, `${lastBusyAt - leftAt} ms`);
});

test("500 aborted uploads leave no file and no open descriptor, and memory does not grow", async () => {
  await using here = await placeOver("sqlite");
  await using server = start(["serve"], here.settings);
  const { url, agent, token } = await clientOf(server);
  const proc = `/proc/${server.child.pid}`;
  const descriptors = async () => (await readdir(`${proc}/fd`)).length;
  const files = async () => (await readdir(join(here.data, "tmp"))).length;
  const residentMb = async () => {
    const pages = Number((await readFile(`${proc}/statm`, "utf8")).split(" ")[1]);
    return (pages * 4096) / 2 ** 20;
  };
  const file = Buffer.alloc(200_000, 1).toString("base64");
  const body = JSON.stringify({ filename: "a.pdf", file, params: [] });
  const breakOff = async (path: string, at: number) => {
    const socket = connect(Number(new URL(url).port), new URL(url).hostname);
    socket.on("error", () => {});
    socket.write(head(path, { ...json, "x-api-key": token, "Content-Length": body.length }));
    socket.write(body.slice(0, at), () => socket.destroy());
    await once(socket, "close");
  };
  const breakOffAll = async (count: number) => {
    const before = await descriptors();
    for (let done = 0; done < count; done += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          breakOff(
            i % 2 ? "/v2/extractor" : `/v2/agents/${agent}/documents`,
            Math.floor((body.length * (done + i)) / count),
          ),
        ),
      );
    while ((await files()) > 0 || (await descriptors()) > before + 2)
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  // Memory grows in the first rounds, when buffers and compiled code are allocated, and then varies
  // with garbage collection. A leak per upload would make it grow in every round.
  const grown: number[] = [];
  let before = await residentMb();
  do {
    await breakOffAll(500);
    const after = await residentMb();
    grown.push(after - before);
    before = after;
  } while ((grown.at(-1) ?? 0) >= 20 && grown.length < 5);
  assert.ok((grown.at(-1) ?? 0) < 20, `${grown} MB more`);
});
