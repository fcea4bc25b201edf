/**
 * Slow connections, idle connections, and too many of them. The service closes them, and still
 * serves other requests.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { newId } from "../../src/lib/ids.ts";
import { openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

const open = (url: string): Socket => connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});

describe("slow connections", { concurrency: true }, () => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService("sqlite");
    organization = await service.organization("Slow House");
  });
  after(() => service[Symbol.asyncDispose]());

  /**
   * Sends the head and then one byte per second. Returns the response, and how long the connection
   * was open.
   */
  async function drip(head: string): Promise<{ received: string; ms: number }> {
    const startedAt = performance.now();
    const socket = open(service.url);
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    socket.write(head);
    const timer = setInterval(() => socket.write("x"), 1_000);
    await new Promise((resolve) => socket.on("close", resolve));
    clearInterval(timer);
    return { received, ms: performance.now() - startedAt };
  }

  test("200 requests with slow heads and 200 with slow bodies are ended, and other requests are served", {
    timeout: 60_000,
  }, async () => {
    const { administrator } = organization;
    const start = `POST /v2/extractor HTTP/1.1\r\nHost: x\r\nx-api-key: ${administrator.token}\r\n`;
    const body = `${start}Content-Type: application/json\r\nContent-Length: 40000000\r\n\r\n{"filename":"a.pdf","file":"`;
    const slowHeads: ReturnType<typeof drip>[] = [];
    const slowBodies: ReturnType<typeof drip>[] = [];
    // Opens a few connections at a time, because a busy service would refuse many if all were
    // opened at once.
    for (let batch = 0; batch < 20; batch++) {
      slowHeads.push(...Array.from({ length: 10 }, () => drip(start)));
      slowBodies.push(...Array.from({ length: 10 }, () => drip(body)));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const all = Promise.all([...slowHeads, ...slowBodies]);
    // This test does not measure speed; `npm run bench -- hand-checks` does.
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    const another = async () => (await administrator.send("GET", "/v2/agents")).status;
    let answered = await another();
    for (; answered === 503; answered = await another()) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(answered, 200);
    let busy = 0;
    for (const [index, { received, ms }] of (await all).entries()) {
      assert.ok(ms < 30_000, `${ms} ms`);
      const expected = index < 200 ? /^HTTP\/1\.1 408 [\s\S]*"invalid_request"/ : /^HTTP\/1\.1 422 [\s\S]*too slowly/;
      if (/^HTTP\/1\.1 503 [\s\S]*"agent_unavailable"/.test(received)) busy++;
      else assert.match(received, expected);
    }
    assert.ok(busy < 300, `${busy} are refused by load shedding`);
  });

  test("a body that pauses for a moment and then continues is received", async () => {
    const { administrator } = organization;
    const body = JSON.stringify({ name: "A", type: "EXTRACTOR" });
    const socket = open(service.url);
    socket.write(
      `POST /v2/agents HTTP/1.1\r\nHost: x\r\nx-api-key: ${administrator.token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    socket.write(body.slice(5));
    const [answer] = await once(socket, "data");
    assert.match(String(answer), /^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  test("1,500 idle connections use little memory, and are closed", { timeout: 60_000 }, async () => {
    const startedAt = performance.now();
    const ends: Promise<unknown>[] = [];
    for (let batch = 0; batch < 75; batch++) {
      const sockets = Array.from({ length: 20 }, () => open(service.url));
      ends.push(...sockets.map((socket) => new Promise((resolve) => socket.resume().on("close", resolve))));
      await Promise.all(sockets.map((socket) => once(socket, "connect")));
    }
    // Waits, because the service may be busy while the connections arrive.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    assert.equal((await organization.administrator.send("GET", "/v2/agents")).status, 200);
    await Promise.all(ends);
    assert.ok(performance.now() - startedAt < 20_000);
  });
});

test("a client that stops reading a large response is disconnected, and others are served until then", async (t) => {
  const faster = 10;
  const { setTimeout: wait } = ServerResponse.prototype;
  t.mock.method(ServerResponse.prototype, "setTimeout", function (this: ServerResponse, ms: number) {
    return wait.call(this, ms / faster);
  });
  await using service = await openTestService("sqlite", { SHEAF_MAX_REQUESTS: "2" });
  const { id, administrator } = await service.organization("Patient House");
  const at = new Date().toISOString();
  const agent = () => ({
    id: newId(),
    organization_id: id,
    type: "EXTRACTOR" as const,
    visibility: "organization" as const,
    name: "A",
    description: "x".repeat(2_000),
    configuration: "{}",
    created_at: at,
    updated_at: at,
  });
  // Creates 20 MB of rows, so that the response does not fit into the socket buffers of the
  // operating system.
  for (let batch = 0; batch < 20; batch++)
    await service.db
      .insertInto("agents")
      .values(Array.from({ length: 500 }, agent))
      .execute();
  const stall = async (): Promise<Socket> => {
    const socket = open(service.url);
    socket.write(`GET /v2/agents HTTP/1.1\r\nHost: x\r\nx-api-key: ${administrator.token}\r\n\r\n`);
    await once(socket, "readable");
    return socket;
  };
  const another = async () => (await administrator.send("GET", "/v2/organization/usage")).status;

  const startedAt = performance.now();
  const first = await stall();
  assert.equal(await another(), 200);
  const second = await stall();
  assert.equal(await another(), 503, "each connection holds a slot");
  while ((await another()) === 503) await new Promise((resolve) => setTimeout(resolve, 50));
  const waitedMs = (performance.now() - startedAt) * faster;
  assert.ok(waitedMs >= 20_000 && waitedMs < 60_000, `${waitedMs} ms`);

  let [text, bytes] = ["", 0];
  first.on("data", (data: Buffer) => {
    text ||= data.toString("latin1");
    bytes += data.length;
  });
  await once(first, "close");
  assert.match(text, /^HTTP\/1\.1 200 /);
  const announced = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  assert.ok(bytes < announced, `${bytes} of ${announced} bytes`);
  second.destroy();
});
