/**
 * Clients that stop sending, stop reading or never close their connection. Their slots become free,
 * and other addresses are served.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

interface Client {
  socket: Socket;
  received: string;
}

/** Opens a connection whose client never closes its side, whatever the service does. */
function open(url: string, localAddress = "127.0.0.1"): Client {
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
  const client: Client = { socket, received: "" };
  socket.on("error", () => {});
  socket.on("data", (data) => {
    client.received += data;
  });
  return client;
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

/**
 * Returns whether the service still holds its end of a connection, as listed by the operating
 * system. Sends no test byte instead, because that would end the connection.
 */
async function isHeld(url: string, clientPort: number): Promise<boolean> {
  const rows = (await readFile("/proc/net/tcp", "utf8")).split("\n").map((line) => line.trim().split(/\s+/));
  const end = rows.find(
    ([, local, remote]) =>
      local?.endsWith(`:${hex(Number(new URL(url).port))}`) && remote?.endsWith(`:${hex(clientPort)}`),
  );
  // The operating system lists the inode 0 once the process has closed its end.
  return end !== undefined && end[9] !== "0";
}

async function healthFrom(url: string, localAddress: string): Promise<string> {
  const { socket } = open(url, localAddress);
  try {
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    const [data = ""] = await Promise.race([once(socket, "data"), once(socket, "end"), once(socket, "close")]);
    return String(data).slice(0, 12);
  } catch {
    return "";
  } finally {
    socket.destroy();
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("silent connections", { concurrency: true }, () => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService("sqlite");
    organization = await service.organization("Silent House");
  });
  after(() => service[Symbol.asyncDispose]());

  const cases: [string, () => string, RegExp | undefined][] = [
    ["says nothing at all", () => "", /^HTTP\/1\.1 408 /],
    ["stops in the middle of the head", () => "GET /healthz HTTP/1.1\r\nHost: x\r\nA:", /^HTTP\/1\.1 408 /],
    ["sends bytes that are not HTTP", () => "GARBAGE\r\n\r\n", /^HTTP\/1\.1 400 /],
    [
      "sends too large a head",
      () => `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(40_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    [
      "sends an unknown expectation",
      () => "POST /v2/token HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nContent-Length: 5\r\n\r\n",
      /^HTTP\/1\.1 417 /,
    ],
    ["names no host", () => "POST /v2/token HTTP/1.1\r\nContent-Length: 5\r\n\r\n", /^HTTP\/1\.1 400 /],
    [
      "is refused before its body",
      () => "POST /v2/extractor HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{",
      /^HTTP\/1\.1 401 /,
    ],
    [
      "stops within a body",
      () =>
        `POST /v2/agents HTTP/1.1\r\nHost: x\r\nx-api-key: ${organization.administrator.token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name"',
      /^HTTP\/1\.1 422 /,
    ],
    [
      "asks to close the connection after one response",
      () => "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      /^HTTP\/1\.1 200 /,
    ],
    ["asks for a tunnel", () => "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", undefined],
    [
      "stops in the middle of the next head while it gets a response",
      () => "GET /v2/openapi.json HTTP/1.1\r\nHost: x\r\n\r\nGET /v2/openapi.json HTT",
      /^HTTP\/1\.1 200 /,
    ],
  ];
  for (const [what, text, answer] of cases)
    test(`a client that ${what} and never closes loses its connection`, { timeout: 60_000 }, async () => {
      const client = open(service.url);
      await once(client.socket, "connect");
      const port = client.socket.localPort as number;
      // Waits until the service itself has accepted the connection. The operating system accepts it
      // earlier.
      for (let tries = 0; !(await isHeld(service.url, port)); tries++) {
        assert.ok(tries < 100, "it was never accepted");
        await wait(10);
      }
      client.socket.write(text());
      // The service closes the connection 12 s after the start of an incomplete head, after a pause
      // of 11 s in a body, or 1 s after its response.
      await Promise.race([once(client.socket, "end"), once(client.socket, "close")]).catch(() => {});
      if (answer) assert.match(client.received, answer);
      for (let tries = 0; await isHeld(service.url, port); tries++) {
        assert.ok(tries < 100, "it is still open");
        await wait(100);
      }
      assert.ok((client.received.match(/^HTTP\/1\.1 /gm)?.length ?? 0) <= 2);
    });
});

test("one address cannot hold more than its share of connections, and others are served meanwhile", {
  timeout: 60_000,
}, async () => {
  await using service = await openTestService("sqlite", { SHEAF_MAX_CONNECTIONS: "40" });
  const silent = Array.from({ length: 100 }, () => open(service.url, "127.0.0.2"));
  await Promise.all(silent.map(({ socket }) => once(socket, "connect")));
  await wait(200);
  const held = silent.filter(({ socket }) => !socket.destroyed && !socket.readableEnded);
  assert.equal(held.length, 10, "a quarter of 40");
  for (let i = 0; i < 20; i++) assert.equal(await healthFrom(service.url, "127.0.0.1"), "HTTP/1.1 200");
  // The address can still send requests on the connections that it holds.
  const [first] = held;
  first?.socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  for (let tries = 0; first?.received === "" && tries < 100; tries++) await wait(20);
  assert.match(first?.received ?? "", /^HTTP\/1\.1 200 /);
  // The slots become free when the service closes the silent connections, without any action of the
  // client.
  while ((await healthFrom(service.url, "127.0.0.2")) === "") await wait(500);
  for (const { socket } of silent) socket.destroy();
});

test("if silent connections of many addresses use all slots, a new client displaces the oldest connection of the address that holds the most", async () => {
  await using service = await openTestService("sqlite", { SHEAF_MAX_CONNECTIONS: "12" });
  const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"];
  const silent: Client[] = [];
  for (const address of addresses)
    for (let i = 0; i < 3; i++) {
      const client = open(service.url, address);
      await once(client.socket, "connect");
      silent.push(client);
    }
  const held = () => silent.filter(({ socket }) => !socket.readableEnded && !socket.destroyed).length;
  for (const until = performance.now() + 10_000; held() > 12 && performance.now() < until; ) await wait(50);
  // To measure the accept delay, a busy service connects to its own port. This connection may
  // displace one more silent connection.
  assert.ok(held() === 12 || held() === 11, `${held()} are held`);
  for (let i = 0; i < 20; i++) assert.equal(await healthFrom(service.url, "127.0.0.1"), "HTTP/1.1 200");
  for (const { socket } of silent) socket.destroy();
});

test("a trusted proxy may hold more than the share, and an operator can change the share", {
  timeout: 60_000,
}, async () => {
  const settings = {
    SHEAF_MAX_CONNECTIONS: "40",
    SHEAF_TRUSTED_PROXIES: "127.0.0.2",
    SHEAF_MAX_ADDRESS_CONNECTIONS: "5",
  };
  await using service = await openTestService("sqlite", settings);
  const openMany = async (address: string) => {
    const clients = Array.from({ length: 30 }, () => open(service.url, address));
    await Promise.all(clients.map(({ socket }) => once(socket, "connect")));
    await wait(200);
    return clients;
  };
  const held = (clients: Client[]) => clients.filter(({ socket }) => !socket.readableEnded && !socket.destroyed).length;
  const ofProxy = await openMany("127.0.0.2");
  const ofClient = await openMany("127.0.0.3");
  assert.deepEqual([held(ofProxy), held(ofClient)], [30, 5]);
  for (const { socket } of [...ofProxy, ...ofClient]) socket.destroy();
});
