/**
 * Rate limits by credential, or by address for requests without a token, and the limit on
 * concurrent requests.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { deleteOldFailures, FailedAttempts } from "../src/features/identity/failed-attempts.service.ts";
import { type Dialect, describeOverDatabases, openEmptyDatabase } from "./helpers/databases.ts";
import { checkAgainstOpenApi } from "./helpers/openapi.ts";
import { type Answer, openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

/** Sends a GET from the given local address. All addresses in 127.0.0.0/8 are loopback. */
function get(url: string, path: string, from: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { localAddress: from, headers, agent: false }, async (response) => {
      const body = JSON.parse(await text(response));
      const heads = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
      resolve(checkAgainstOpenApi("GET", path, { status: response.statusCode ?? 0, headers: heads, body }));
    });
    outgoing.on("error", reject).end();
  });
}

const newAgent = JSON.stringify({ name: "A", type: "EXTRACTOR" });

/** Sends the headers of a POST whose body the client sends only after 100 Continue. */
function postAfterContinue(url: string, token: string) {
  const headers = { "x-api-key": token, "content-type": "application/json", expect: "100-continue" };
  const waiting = request(url, { method: "POST", headers });
  const answered = once(waiting, "response") as Promise<[IncomingMessage]>;
  waiting.flushHeaders();
  return { waiting, answered };
}

/** Starts another process of the same installation over PostgreSQL. */
const twinOf = (
  dialect: Dialect,
  { config: { database, keysDir, filesDir } }: TestService,
  settings: Record<string, string>,
): Promise<TestService> =>
  openTestService(dialect, {
    ...settings,
    ...(database.dialect === "postgres" && { DATABASE_URL: database.url }),
    SHEAF_KEYS_DIR: keysDir,
    SHEAF_FILES_DIR: filesDir,
  });

const tokenPath = ({ administrator }: TestOrganization, secret = administrator.clientSecret) =>
  `/v2/token?client_id=${administrator.clientId}&client_secret=${secret}`;

/**
 * Returns true if even the correct secret is refused once the quota for wrong secrets is used up.
 * If the quota has refilled by one attempt before the correct secret is sent, both requests are
 * repeated.
 */
async function isRefused(sendWrong: () => Promise<Answer>, sendRight: () => Promise<Answer>): Promise<boolean> {
  // Three rounds suffice: all of them fail only if the quota refills between the two requests of
  // every round.
  for (let round = 0; round < 3; round++) {
    while ((await sendWrong()).status !== 429);
    if ((await sendRight()).status === 429) return true;
  }
  return false;
}

describeOverDatabases("limits", (dialect) => {
  test("100 wrong secrets from one address reach the limit of that address; the client can still get a token from another address", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Guessed House");
    const guess = (from: string) => get(service.url, tokenPath(organization, "wrong"), from);
    const right = (from: string) => get(service.url, tokenPath(organization), from);
    for (let i = 0; i < 5; i++) assert.equal((await guess("127.0.0.1")).status, 401);
    assert.equal((await right("127.0.0.1")).status, 200, "a few failures have no effect");
    // The quota allows a burst of 60 wrong secrets, then one per second.
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, () => guess("127.0.0.1")));
    const refilled = Math.floor((performance.now() - startedAt) / 1_000);
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 40 - refilled, `${refused.length} are refused`);
    assert.equal(refused.length + answers.filter(({ status }) => status === 401).length, 100);
    for (const { headers, body } of refused) {
      assert.equal(body.code, "rate_limited");
      assert.ok(Number(headers.get("retry-after")) >= 1);
      assert.match(headers.get("ratelimit") ?? "", /^"address";r=\d;t=60$/);
      assert.equal(headers.get("ratelimit-policy"), '"address";q=600;w=60');
    }
    assert.ok(
      await isRefused(
        () => guess("127.0.0.1"),
        () => right("127.0.0.1"),
      ),
    );
    assert.equal((await right("127.0.0.2")).status, 200);
    assert.equal((await get(service.url, "/healthz", "127.0.0.1")).status, 200);
    const token = { "x-api-key": organization.administrator.token };
    assert.equal(
      (await get(service.url, "/v2/agents", "127.0.0.1", token)).status,
      200,
      "tokens are counted separately",
    );
  });

  test("several processes together allow as many wrong secrets of one address as one process", async () => {
    // The quota allows a burst of 20 wrong secrets, then one every 3 s.
    const settings = { SHEAF_ADDRESS_RATE_LIMIT: "200" };
    const refillMs = 3_000;
    await using service = await openTestService(dialect, settings);
    await using stack = new AsyncDisposableStack();
    const processes = [service];
    while (dialect === "postgres" && processes.length < 3)
      processes.push(stack.use(await twinOf(dialect, service, settings)));
    const organization = await service.organization("Guessed House");
    const startedAt = performance.now();
    const sent = Array.from({ length: 40 * processes.length }, (_, i) =>
      get(processes[i % processes.length]?.url ?? "", tokenPath(organization, `wrong ${i}`), "127.0.0.1"),
    );
    const answers = await Promise.all(sent);
    const failed = answers.filter(({ status }) => status === 401).length;
    const refilled = Math.floor((performance.now() - startedAt) / refillMs);
    assert.ok(failed >= 20 && failed <= 20 + refilled, `${failed} were checked`);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, answers.length - failed);
    for (const { headers } of refused) {
      assert.ok(Number(headers.get("retry-after")) >= 1);
      assert.match(headers.get("ratelimit") ?? "", /^"address";r=\d;t=\d+$/);
    }
    for (const { url } of processes) {
      const send = (secret?: string) => () => get(url, tokenPath(organization, secret), "127.0.0.1");
      assert.ok(await isRefused(send("wrong"), send()), "right or wrong");
      assert.equal((await get(url, tokenPath(organization), "127.0.0.2")).status, 200, "another address");
    }
  });

  test("successful attempts leave no rows; each failed attempt removes two expired rows", async () => {
    await using database = await openEmptyDatabase(dialect);
    const { db } = database;
    const attempts = new FailedAttempts(db, { quota: 3, windowMs: 60_000, log: { warn: assert.fail } });
    const list = () => db.selectFrom("failed_attempts").select(["network", "full_at"]).orderBy("network").execute();
    const networks = async () => (await list()).map(({ network }) => network);
    const past = Array.from({ length: 5 }, (_, i) => ({ network: `past ${i}`, full_at: i }));
    await db.insertInto("failed_attempts").values(past).execute();
    const charge = () => attempts.charge("here");
    assert.deepEqual(await Promise.all([charge(), charge(), charge()]), [undefined, undefined, undefined]);
    const waitMs = (await charge()) ?? 0;
    assert.ok(waitMs > 10_000 && waitMs <= 20_000, `${waitMs}`);
    await attempts.ended("here", { failed: true });
    assert.deepEqual(await networks(), ["here", "past 2", "past 3", "past 4"]);
    await Promise.all([1, 2].map(() => attempts.ended("here", { failed: false })));
    const fullInMs = Number((await list())[0]?.full_at) / 1000 - Date.now();
    assert.ok(fullInMs > 0 && fullInMs <= 20_000, `one failed attempt is counted: ${fullInMs}`);
    await deleteOldFailures(db);
    assert.deepEqual(await networks(), ["here"]);
    // Simulates that the clock was set back by an hour.
    await db
      .insertInto("failed_attempts")
      .values({ network: "elsewhere", full_at: (Date.now() + 3_600_000) * 1000 })
      .execute();
    assert.equal(await attempts.charge("elsewhere"), undefined);
    await attempts.ended("elsewhere", { failed: false });
    assert.deepEqual(await networks(), ["here"]);
  });

  test("an address that sends no wrong secrets can get 200 tokens", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Busy House");
    for (let i = 0; i < 200; i++)
      assert.equal((await get(service.url, tokenPath(organization), "127.0.0.1")).status, 200);
    const { headers } = await get(service.url, tokenPath(organization), "127.0.0.1");
    assert.match(headers.get("ratelimit") ?? "", /^"address";r=(399|4\d\d);t=\d+$/);
  });

  test("X-Forwarded-For is ignored unless a trusted proxy sends it; then it identifies the client", async () => {
    const settings = { SHEAF_ADDRESS_RATE_LIMIT: "5" };
    const openApi = async (url: string, from: string, forwardedFor: string) => {
      const { status, headers } = await get(url, "/v2/openapi.json", from, { "x-forwarded-for": forwardedFor });
      return status === 429 ? "refused" : /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
    };
    await using open = await openTestService(dialect, settings);
    for (let i = 4; i >= 0; i--) assert.equal(await openApi(open.url, "127.0.0.1", `203.0.113.${i}`), String(i));
    assert.equal(await openApi(open.url, "127.0.0.1", "203.0.113.9"), "refused");

    await using behind = await openTestService(dialect, { ...settings, SHEAF_TRUSTED_PROXIES: "127.0.0.2,10.0.0.0/8" });
    const forwarded = (header: string) => openApi(behind.url, "127.0.0.2", header);
    assert.equal(await forwarded("203.0.113.1"), "4");
    assert.equal(await forwarded("198.51.100.7, 203.0.113.1"), "3");
    assert.equal(await forwarded("198.51.100.8, 203.0.113.1, 10.1.1.1"), "2");
    assert.equal(await forwarded("203.0.113.2"), "4", "another client");
    assert.equal(await forwarded("2001:db8:1:2::1"), "4");
    assert.equal(await forwarded("2001:db8:1:2:ffff::1"), "3", "the same network");
    assert.equal(await forwarded("2001:db8:1:3::1"), "4", "another network");
    assert.equal(await openApi(behind.url, "127.0.0.1", "203.0.113.3"), "4");
    assert.equal(await openApi(behind.url, "127.0.0.1", "203.0.113.4"), "3", "a peer that is not trusted");
  });

  test("each credential has its own quota, reported in every response; uploads beyond it are refused before their body is sent", async () => {
    await using service = await openTestService(dialect, { SHEAF_RATE_LIMIT: "10" });
    const first = (await service.organization("First House")).administrator;
    const second = (await service.organization("Second House")).administrator;
    for (const [i, path] of ["/v2/agents", "/v2/agents/unknown", "/v2/organization/usage"].entries()) {
      const { headers } = await first.send("GET", path);
      assert.equal(headers.get("ratelimit-policy"), '"credential";q=10;w=60');
      assert.match(headers.get("ratelimit") ?? "", new RegExp(`^"credential";r=${9 - i};t=\\d+$`));
    }
    for (let i = 0; i < 7; i++) assert.equal((await first.send("GET", "/v2/agents")).status, 200);
    const usedUpAt = performance.now();
    for (const [method, path] of [
      ["GET", "/v2/agents"],
      ["POST", "/v2/extractor"],
      ["POST", "/v2/documentalist/unknown"],
    ] as const) {
      const answer = await first.send(method, path, method === "POST" ? {} : undefined);
      assert.deepEqual([answer.status, answer.body.code], [429, "rate_limited"]);
      // The quota allows one request per six seconds. The time since the quota was used up is
      // subtracted from the wait.
      const wait = Number(answer.headers.get("retry-after"));
      const passed = (performance.now() - usedUpAt) / 1_000;
      assert.ok(wait >= Math.max(1, 5 - passed) && wait <= 6, `${wait} s after ${passed} s`);
    }
    assert.equal((await second.send("GET", "/v2/agents")).status, 200);
    assert.equal((await service.client("wrong").send("GET", "/v2/agents")).status, 401);
  });

  test("if the limits are switched off, nothing is counted", async () => {
    await using service = await openTestService(dialect, { SHEAF_RATE_LIMIT: "0", SHEAF_ADDRESS_RATE_LIMIT: "0" });
    const organization = await service.organization("Free House");
    for (let i = 0; i < 100; i++)
      assert.equal((await get(service.url, tokenPath(organization, "wrong"), "127.0.0.1")).status, 401);
    const { headers } = await organization.administrator.send("GET", "/v2/agents");
    assert.equal(headers.get("ratelimit"), null);
  });

  test("100 Continue is sent only after the request is admitted", async () => {
    await using service = await openTestService(dialect);
    const { administrator } = await service.organization("Waiting House");
    const upload = async (token: string) => {
      const { waiting, answered } = postAfterContinue(`${service.url}/v2/agents`, token);
      let first = "response";
      waiting.once("continue", () => {
        first = "continue";
        waiting.end(newAgent);
      });
      const [response] = await answered;
      await text(response);
      if (first === "response") waiting.destroy();
      return [first, response.statusCode, response.headers.connection];
    };
    assert.deepEqual(await upload(administrator.token), ["continue", 201, "keep-alive"]);
    assert.deepEqual(await upload("wrong"), ["response", 401, "close"]);
  });

  test("requests beyond the concurrency limit get Retry-After; once requests have finished, new ones are served", async () => {
    await using service = await openTestService(dialect, { SHEAF_MAX_REQUESTS: "2" });
    const { administrator } = await service.organization("Crowded House");
    const hold = async () => {
      const { waiting, answered } = postAfterContinue(`${service.url}/v2/agents`, administrator.token);
      // The service sends 100 Continue once the request is admitted.
      await once(waiting, "continue");
      const answer = async () => {
        const [response] = await answered;
        return { status: response.statusCode, headers: response.headers, body: JSON.parse(await text(response)) };
      };
      return { answer, finish: () => waiting.end(newAgent) };
    };
    const [oldest, newest] = [await hold(), await hold()];
    for (const [method, path] of [
      ["GET", "/v2/agents"],
      ["POST", "/v2/agents"],
      ["POST", "/v2/extractor"],
    ] as const) {
      const sent = Array.from({ length: 5 }, () =>
        administrator.send(method, path, method === "POST" ? {} : undefined),
      );
      for (const { status, headers, body } of await Promise.all(sent)) {
        assert.deepEqual([status, body.status, body.code], [503, "error", "agent_unavailable"]);
        assert.ok(Number(headers.get("retry-after")) >= 1);
      }
    }
    assert.equal((await administrator.send("GET", "/healthz")).status, 200, "health checks are not limited");
    const stranger = await administrator.send("GET", "/v2/token");
    assert.equal(stranger.status, 401, "a caller without a token is a separate tenant with its own share");
    const { status, headers, body: refusal } = await newest.answer();
    assert.deepEqual(
      [status, refusal.code],
      [503, "agent_unavailable"],
      "the newest waiting request is refused to make room for another tenant",
    );
    assert.ok(Number(headers["retry-after"]) >= 1);
    oldest.finish();
    assert.equal((await oldest.answer()).status, 201, "the oldest request keeps its place");
    assert.equal((await administrator.send("GET", "/v2/agents")).status, 200);
  });
});
