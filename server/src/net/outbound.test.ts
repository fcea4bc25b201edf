import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { type Outbound, type OutboundSettings, openOutbound, type PostResult } from "./outbound.ts";
import { OutboundError, type OutboundErrorKind } from "./outbound-error.ts";
import { type CertificateAuthority, createAuthority } from "./testing/certificates.ts";
import { type DnsServer, openDnsServer } from "./testing/dns-server.ts";
import {
  type Behaviour,
  type Canary,
  closedPort,
  type Fault,
  openCanary,
  openReceiver,
  type Receiver,
  type ReceiverOptions,
} from "./testing/receiver.ts";
import { addresses, zone } from "./testing/zone.ts";

const timeout = 30_000;
const systemAuthorities = getCACertificates("default");
let authority: CertificateAuthority;
let dns: DnsServer;
let receiver: Receiver;
let canaries: Canary[];
let outbound: Outbound;
const opened: { close(): unknown }[] = [];

before(async () => {
  authority = await createAuthority();
  setDefaultCACertificates([...systemAuthorities, authority.cert]);
  dns = await openDnsServer(zone);
  const names = Object.keys(addresses);
  receiver = await openReceiver({
    host: "127.0.0.2",
    certificate: await authority.issue([...names, "*.rebinding.example.com", "half.example.com", "127.0.0.2"]),
    behave,
  });
  canaries = await Promise.all(["127.0.0.1", "127.0.0.3", "::1"].map((host) => openCanary(host, receiver.port)));
  outbound = openOutbound(settings());
});

after(async () => {
  assert.deepEqual(
    canaries.map(({ connections }) => connections),
    [0, 0, 0],
    "a canary was connected to",
  );
  outbound.close();
  await Promise.all([dns, receiver, ...canaries].map((each) => each.close()));
  setDefaultCACertificates(systemAuthorities);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** Closes a receiver or server at the end of the test. */
function keep<T extends { close(): unknown }>(part: T): T {
  opened.push(part);
  return part;
}

function settings(others: Partial<OutboundSettings> = {}): OutboundSettings {
  return { allowed: ["127.0.0.2", "127.0.0.5"], allowHttp: false, dnsServers: [dns.address], ...others };
}

/**
 * Chooses the response by the path: `/301` responds with 301, `/reset` fails with the fault `reset`.
 */
function behave({ path }: { path: string }): Behaviour {
  const [, what = ""] = path.split(/[/?]/);
  if (!/^\d+$/.test(what)) return (what === "" ? { status: 200 } : what) as Behaviour;
  const redirect = { location: `https://127.0.0.1:${receiver.port}/` };
  const headers = { ...(what.startsWith("3") && redirect) };
  return { status: Number(what), headers, body: what === "204" || what === "304" ? "" : `answer ${what}` };
}

const post = (path: string, host = "hook.example.com", by = outbound, signal?: AbortSignal): Promise<PostResult> =>
  by.post(`https://${host}:${receiver.port}${path}`, { headers: { "content-type": "application/json" }, body }, signal);
const body = Buffer.from('{"text":"\u{1F600}\u2028"}');

async function failsWith(kind: OutboundErrorKind, posting: Promise<PostResult>): Promise<OutboundError> {
  const error = await posting.then(
    (answer) => assert.fail(`answered ${answer.status}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OutboundError, `${error}`);
  assert.equal(error.kind, kind, `${error.cause}`);
  assert.doesNotMatch(error.message, /\d|:|address/);
  assert.equal(JSON.stringify(error), JSON.stringify({ name: "OutboundError", kind }));
  return error;
}

const httpReceiver = async (options: Partial<ReceiverOptions> = {}): Promise<Receiver> =>
  keep(await openReceiver({ host: "127.0.0.2", behave, ...options }));

describe("a post", { timeout }, () => {
  test("a post arrives unchanged, without unnecessary headers", async () => {
    const answer = await post("/?a=b#fragment");
    assert.deepEqual({ ...answer, durationMs: 0 }, { status: 200, body: "", durationMs: 0 });
    const { method, path, headers, serverName, body: arrived } = receiver.received.at(-1) ?? assert.fail();
    assert.deepEqual([method, path, serverName], ["POST", "/?a=b", "hook.example.com"]);
    assert.deepEqual(arrived, body);
    const { "user-agent": userAgent, ...others } = headers;
    assert.match(userAgent ?? "", /^Sheaf\/\d/);
    assert.deepEqual(others, {
      host: `hook.example.com:${receiver.port}`,
      connection: "close",
      "content-type": "application/json",
      "content-length": `${body.length}`,
      "accept-encoding": "identity",
    });
  });

  test("a post reaches an IP address, and a host name that ends with a dot", async () => {
    assert.equal((await post("/200", "127.0.0.2")).status, 200);
    assert.equal((await post("/200", "0x7f.2")).status, 200);
    assert.equal((await post("/200", "hook.example.com.")).status, 200);
  });

  for (const status of [200, 201, 204, 301, 302, 303, 307, 308, 400, 404, 410, 429, 500, 503])
    test(`a post with the response ${status} makes one request and resolves with that status`, async () => {
      const requests = receiver.received.length;
      const answer = await post(`/${status}`);
      assert.equal(answer.status, status);
      assert.equal(answer.body, status === 204 ? "" : `answer ${status}`);
      assert.equal(receiver.received.length, requests + 1);
    });

  test("a post of ten megabytes arrives", async () => {
    const large = Buffer.alloc(10_000_000, "x");
    await outbound.post(`https://hook.example.com:${receiver.port}/`, { headers: {}, body: large });
    assert.ok(receiver.received.at(-1)?.body.equals(large));
  });

  test("a post uses http if the operator allows it", async () => {
    const plain = await httpReceiver();
    await failsWith("refused_address", outbound.post(plain.url("/200"), { headers: {}, body }));
    const open = keep(openOutbound(settings({ allowHttp: true })));
    assert.equal((await open.post(plain.url("/200"), { headers: {}, body })).status, 200);
    const named = `http://hook.example.com:${plain.port}/301`;
    assert.equal((await open.post(named, { headers: {}, body })).status, 301);
    await failsWith("refused_address", open.post(`http://127.0.0.1:${plain.port}/`, { headers: {}, body }));
  });

  test("a post tries the next address if one does not respond, and reaches receivers that have only IPv6", async () => {
    assert.equal((await post("/200", "second.example.com")).status, 200);
    const ipv6 = await httpReceiver({ host: "::1" });
    const open = keep(openOutbound(settings({ allowed: ["::1"], allowHttp: true })));
    assert.equal((await open.post(ipv6.url("/200"), { headers: {}, body })).status, 200);
    assert.equal(ipv6.received[0]?.headers.host, `[::1]:${ipv6.port}`);
    const named = `http://inside6.example.com:${ipv6.port}/`;
    assert.equal((await open.post(named, { headers: {}, body })).status, 200);
  });
});

describe("a forbidden address", { timeout }, () => {
  const hosts = `127.0.0.1 127.0.0.3 0.0.0.0 0 127.1 0x7f000001 2130706433 017700000001 [::1] [::] [::ffff:127.0.0.1] [::ffff:127.0.0.2]
    [::127.0.0.1] [64:ff9b::127.0.0.1] localhost localhost. ip6-localhost a.localhost inside.example.com inside6.example.com
    inside.example.com. mapped.example.com mixed.example.com mixed6.example.com many.example.com`;

  for (const host of hosts.split(/\s+/))
    test(`a forbidden address behind ${host} is never connected to`, async () => {
      const requests = receiver.connections;
      const error = await failsWith("refused_address", post("/200", host));
      assert.equal(error.message, "Posting to this URL is not allowed.");
      assert.equal(receiver.connections, requests);
    });

  test("if a name resolves to a forbidden address later, neither the current nor the next post connects to it", async () => {
    for (let time = 0; time < 5; time++) {
      const host = `t${time}.rebinding.example.com`;
      assert.equal((await post("/200", host)).status, 200);
      assert.deepEqual(dns.queries.filter((query) => query === `${host} 4`).length, 1);
      await failsWith("refused_address", post("/200", host));
    }
  });

  test("the error for a forbidden address does not show whether its port is open, closed or silent", async () => {
    const port = await closedPort("127.0.0.1");
    const silent = await failsWith("refused_address", post("/", "inside.example.com"));
    const closed = await failsWith(
      "refused_address",
      outbound.post(`https://inside.example.com:${port}/`, { headers: {}, body }),
    );
    assert.equal(closed.message, silent.message);
  });
});

describe("a name", { timeout }, () => {
  test("a name that does not exist or has no address is unreachable", async () => {
    await failsWith("unreachable", post("/", "missing.example.com"));
    await failsWith("unreachable", post("/", "empty.example.com"));
  });

  test("if DNS never responds, a name is unreachable after five seconds; a shorter attempt times out", async () => {
    const startedAt = performance.now();
    await failsWith("unreachable", post("/", "silent.example.com"));
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs > 4_500, `${tookMs} ms`);
    const hasty = keep(openOutbound(settings({ attemptMs: 300 })));
    await failsWith("timeout", post("/", "silent.example.com", hasty));
  });

  test("if the DNS server responds for only one address family, the addresses of that family are used", async () => {
    const { status, durationMs } = await post("/200", "half.example.com");
    assert.equal(status, 200);
    assert.ok(durationMs >= 900 && durationMs < 4_900, `${durationMs} ms`);
  });

  test("names that resolve slowly do not delay posts to other names", async () => {
    const hasty = keep(openOutbound(settings({ attemptMs: 4_000 })));
    let ended = 0;
    const slow = Array.from({ length: 20 }, (_, index) =>
      failsWith("timeout", post("/", `n${index}.silent.example.com`, hasty)).finally(() => ended++),
    );
    for (let time = 0; time < 5; time++) await post("/200");
    assert.equal(ended, 0, "they waited for it");
    await Promise.all(slow);
  });
});

describe("a receiver's certificate", { timeout }, () => {
  const cases: [string, (names: string[]) => Promise<{ key: string; cert: string }>][] = [
    ["expired", (names) => authority.issueExpired(names)],
    ["self-signed", (names) => authority.selfSigned(names)],
    ["of another name", () => authority.issue(["other.example.com", "127.0.0.9"])],
  ];
  for (const [what, issue] of cases)
    test(`with a certificate that is ${what}, a post fails before anything is sent`, async () => {
      const certificate = await issue(["hook.example.com", "127.0.0.2"]);
      const wrong = await httpReceiver({ certificate });
      for (const host of ["hook.example.com", "127.0.0.2"])
        await failsWith("tls", outbound.post(`https://${host}:${wrong.port}/`, { headers: {}, body }));
      assert.deepEqual([wrong.connections, wrong.received.length], [2, 0]);
    });

  test("a certificate is required: there is no fallback to plain HTTP", async () => {
    const plain = await httpReceiver();
    await failsWith("tls", outbound.post(`https://hook.example.com:${plain.port}/`, { headers: {}, body }));
    assert.equal(plain.received.length, 0);
  });

  test("NODE_EXTRA_CA_CERTS is used to check certificates; variables that disable the check or name a proxy are ignored", async () => {
    const folder = await mkdtemp(join(tmpdir(), "outbound-"));
    keep({ close: () => rm(folder, { recursive: true }) });
    await writeFile(join(folder, "ca.crt"), authority.cert);
    const expired = await httpReceiver({ certificate: await authority.issueExpired(["127.0.0.2"]) });
    const proxy = keep(await openCanary("127.0.0.4"));
    const proxyUrl = `http://127.0.0.4:${proxy.port}`;
    const env = {
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: join(folder, "ca.crt"),
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: proxyUrl,
      https_proxy: proxyUrl,
    };
    const script = join(import.meta.dirname, "testing/post-process.ts");
    const urls = [receiver.url("/200"), expired.url("/200")];
    const args = [script, JSON.stringify(settings()), ...urls];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout });
    assert.deepEqual(stdout.trim().split("\n"), ["200", "tls"]);
    assert.equal(proxy.connections, 0);
  });
});

describe("a faulty receiver", { timeout }, () => {
  const failures: Partial<Record<Fault, OutboundErrorKind>> = {
    silence: "timeout",
    slowHeaders: "timeout",
    endlessContinue: "timeout",
    reset: "protocol",
    close: "protocol",
    notHttp: "protocol",
    upgrade: "protocol",
    endlessHeaders: "protocol",
  };
  for (const [fault, kind] of Object.entries(failures))
    test(`a receiver with the fault ${fault} yields the error ${kind}, and the connection is closed when the attempt ends`, async () => {
      const attemptMs = kind === "timeout" ? 700 : 10_000;
      const hasty = keep(openOutbound(settings({ attemptMs })));
      const startedAt = performance.now();
      await failsWith(kind, post(`/${fault}`, "hook.example.com", hasty));
      const tookMs = performance.now() - startedAt;
      assert.ok(kind !== "timeout" || tookMs >= 690, `${tookMs} ms`);
      await allClosed();
    });

  for (const fault of ["slowBody", "hugeBody", "gzipBomb", "brokenBody"] satisfies Fault[])
    test(`with the fault ${fault}, a post resolves with the status, and the rest of the body is not read`, async () => {
      const sentBefore = receiver.bytesSent();
      const { status, body: text, durationMs } = await post(`/${fault}`);
      assert.equal(status, 200);
      assert.ok(durationMs < 9_000, `${durationMs} ms`);
      assert.ok(Buffer.byteLength(text) <= 3 * 1_024);
      assert.ok(!text.includes("\0"));
      if (fault === "hugeBody") assert.equal(text, "b".repeat(1_024));
      if (fault === "brokenBody") assert.equal(text, "half");
      await allClosed();
      // Bytes in the buffers of the operating system count as sent, too.
      assert.ok(receiver.bytesSent() - sentBefore < 2 ** 24, `${receiver.bytesSent() - sentBefore} bytes`);
    });

  test("a post resolves with the status even if the attempt times out during the body", async () => {
    const hasty = keep(openOutbound(settings({ attemptMs: 1_000 })));
    assert.equal((await post("/slowBody", "hook.example.com", hasty)).status, 200);
  });

  test("memory stays constant while receivers send gigabytes", async () => {
    const several = () => Promise.all(Array.from({ length: 8 }, () => post("/hugeBody")));
    await several();
    const before = process.memoryUsage().rss;
    for (let time = 0; time < 10; time++) await several();
    const grownBy = process.memoryUsage().rss - before;
    assert.ok(grownBy < 64 * 2 ** 20, `grew by ${grownBy} bytes`);
  });

  test("a closed port is unreachable; a post to a receiver that has no TLS or does not read the request times out", async () => {
    const url = (port: number, scheme = "https"): string => `${scheme}://hook.example.com:${port}/`;
    await failsWith("unreachable", outbound.post(url(await closedPort("127.0.0.2")), { headers: {}, body }));
    const hasty = keep(openOutbound(settings({ attemptMs: 500, allowHttp: true })));
    const mute = keep(await openCanary("127.0.0.2"));
    await failsWith("timeout", hasty.post(url(mute.port), { headers: {}, body }));
    await failsWith("timeout", hasty.post(url(mute.port, "http"), { headers: {}, body: Buffer.alloc(50_000_000) }));
  });

  test("a character that is cut off after the first kilobyte is dropped, and NUL is replaced", async () => {
    const text = `\0${"é".repeat(1_000)}`;
    const plain = await httpReceiver({ behave: () => ({ status: 200, body: text }) });
    const open = keep(openOutbound(settings({ allowHttp: true })));
    const answer = await open.post(plain.url("/"), { headers: {}, body });
    assert.equal(answer.body, `\uFFFD${"é".repeat(511)}`);
  });
});

describe("cancelling", { timeout }, () => {
  test("a signal that aborts before the post, during the lookup or while waiting rejects the post with its reason", async () => {
    const reason = new Error("cancelled");
    await assert.rejects(post("/200", "hook.example.com", outbound, AbortSignal.abort(reason)), reason);
    for (const [path, host] of [
      ["/silence", "hook.example.com"],
      ["/", "silent.example.com"],
    ] as const) {
      const controller = new AbortController();
      const posting = post(path, host, outbound, controller.signal);
      setTimeout(() => controller.abort(reason), 100);
      // If the signal were ignored, the post would fail with the timeout of the attempt or lookup.
      await assert.rejects(posting, reason);
    }
    await allClosed();
  });

  test("closing rejects running posts and all later posts", async () => {
    const closing = openOutbound(settings());
    const posting = post("/silence", "hook.example.com", closing);
    setTimeout(() => closing.close(), 100);
    await assert.rejects(posting, /closed/);
    await assert.rejects(post("/200", "hook.example.com", closing), /closed/);
    await allClosed();
  });
});

test("invalid settings are refused with an error that quotes the invalid value", () => {
  assert.throws(() => openOutbound(settings({ allowed: ["10.0.0.0/40"] })), /"10\.0\.0\.0\/40"/);
  assert.throws(() => openOutbound(settings({ dnsServers: ["dns.example.com"] })), /dns\.example\.com/);
});

test("a name that resolves to a forbidden address is refused; a name that does not resolve in time is accepted", async () => {
  const mayPost = (host: string) => outbound.mayPost(`https://${host}/`);
  for (const host of ["hook.example.com", "missing.example.com", "empty.example.com", "127.0.0.2"])
    assert.equal(await mayPost(host), true, host);
  for (const host of [
    "inside.example.com",
    "inside6.example.com",
    "mixed.example.com",
    "mapped.example.com",
    "127.0.0.1",
  ])
    assert.equal(await mayPost(host), false, host);
  let ended = false;
  const attempt = failsWith("unreachable", post("/", "n0.silent.example.com")).finally(() => {
    ended = true;
  });
  assert.equal(await mayPost("silent.example.com"), true);
  assert.equal(ended, false, "a lookup ends by itself after five seconds");
  await attempt;
});

async function allClosed(): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (receiver.open() > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(receiver.open(), 0, "connections are open");
}
