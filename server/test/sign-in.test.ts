/** Password guessing, the password policy, and the lifetime of sessions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { browserOf, cookieOf, join, password } from "./helpers/people.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

const dayMs = 24 * 3_600_000;

describeOverDatabases("sign-in", (dialect) => {
  const settings = { SHEAF_TRUSTED_PROXIES: "127.0.0.1", SHEAF_ADDRESS_RATE_LIMIT: "0" };
  /**
   * Signs in. Retries if a busy service refuses the request by load shedding, because such a
   * request does not count as an attempt.
   */
  const signInAt = async (
    at: Pick<TestService, "url">,
    address: string,
    email: string,
    secret: string,
  ): Promise<Response> => {
    const answer = await fetch(`${at.url}/v2/session`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ email, password: secret }),
    });
    if (answer.status !== 503) return answer;
    await sleep(200);
    return signInAt(at, address, email, secret);
  };
  /**
   * Starts a second process on the same database. Returns undefined for SQLite, which only one
   * process can open.
   */
  const twinOf = async ({ config: { database, keysDir, filesDir } }: TestService) =>
    database.dialect === "postgres"
      ? openTestService(dialect, {
          ...settings,
          DATABASE_URL: database.url,
          SHEAF_KEYS_DIR: keysDir,
          SHEAF_FILES_DIR: filesDir,
        })
      : undefined;

  test("guesses for one account are limited even if they come from many addresses, and its owner can still sign in", async () => {
    await using service = await openTestService(dialect, settings);
    await using twin = await twinOf(service);
    const organization = await service.organization("Guessed");
    const email = `${newId()}@example.com`;
    await join(service, organization, "member", { email });
    const home = "203.0.113.7";
    assert.equal((await signInAt(service, home, email, password)).status, 200);
    const guess = async (address: string, index: number) =>
      (
        await signInAt(
          index % 2 === 0 ? service : (twin ?? service),
          `198.51.100.${index}`,
          address,
          `wrong guess ${index}`,
        )
      ).status;
    const count = async (address: string) => {
      const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(address, index)));
      return [401, 429].map((status) => statuses.filter((each) => each === status).length);
    };
    assert.deepEqual(await count(email), [10, 20]);
    assert.deepEqual(await count("nobody@example.com"), [10, 20]);
    const late = await signInAt(service, "192.0.2.1", email, password);
    assert.equal(late.status, 429);
    const wait = Number(late.headers.get("retry-after"));
    assert.ok(wait > 300 && wait <= 360, `${wait}`);
    assert.equal((await signInAt(service, home, email, password)).status, 200);
    // Wrong passwords from the owner's network use only the quota of that network.
    for (let i = 0; i < 10; i++) assert.equal((await signInAt(service, home, email, "mistyped it")).status, 401);
    assert.equal((await signInAt(service, home, email, "mistyped it")).status, 429);

    const entries = await organization.administrator.send("GET", "/v2/organization/audit?action=session.refused");
    assert.equal(entries.body.data.length, 20);
    const [entry] = entries.body.data;
    assert.match(entry.address, /^198\.51\.100\./);
    assert.deepEqual([entry.actor.kind, entry.actor.user_id], ["session", null]);
    assert.ok(!JSON.stringify(entries.body).includes("wrong guess"));
  });

  test("common passwords, which attackers guess first, are refused, and good ones are not", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Weak");
    const invited = await organization.administrator.send("POST", "/v2/organization/invitations", {
      email: "grace.hopper@example.com",
    });
    const { token } = invited.body.data;
    const accept = (secret: string) =>
      service.client("").send("POST", "/v2/invitations/accept", { token, name: "Grace Hopper", password: secret });
    const weak = [
      "password123",
      "Password2024!",
      "P@ssw0rd2024",
      "qwertyuiop",
      "1234567890",
      "abcdefghijkl",
      "aaaaaaaaaaaa",
    ];
    const own = ["grace.hopper1906", "GraceHopper!", "my name is Grace Hopper", "dog-dog-dog-dog-", "iloveyou!2026"];
    for (const secret of [...weak, ...own]) {
      const { status, body } = await accept(secret);
      assert.deepEqual([status, body.detail?.issues?.[0]?.path], [422, "/password"], secret);
    }
    const accepted = await accept("nanoseconds are long");
    assert.equal(accepted.status, 200);
    const grace = browserOf(service, cookieOf(accepted));
    const change = (new_password: string) =>
      grace.send("PUT", "/v2/session/password", { current_password: "nanoseconds are long", new_password });
    assert.equal((await change("iloveyou!2026")).status, 422);
    assert.equal((await change("short bits of wire")).status, 200);
  });

  test("signing in ends the browser's previous session; sessions can be listed and ended, and expire after 30 days", async () => {
    await using service = await openTestService(dialect);
    const organization = await service.organization("Sessions");
    const email = `${newId()}@example.com`;
    const first = await join(service, organization, "member", { email });
    const signIn = (headers = {}) => service.client("").send("POST", "/v2/session", { email, password }, headers);
    const second = browserOf(service, cookieOf(await signIn({ cookie: first.cookie, "user-agent": "Second/1" })));
    assert.equal((await first.send("GET", "/v2/session")).status, 401);
    const third = browserOf(service, cookieOf(await signIn({ "user-agent": "Third/1" })));
    const list = async () => (await third.send("GET", "/v2/sessions")).body.data;
    const [newest, older, ...more] = await list();
    assert.deepEqual([newest.user_agent, newest.is_current, newest.address], ["Third/1", true, "127.0.0.1"]);
    assert.deepEqual([older.user_agent, older.is_current, more], ["Second/1", false, []]);

    const stranger = await join(service, organization, "member");
    const path = `/v2/sessions/${older.id}`;
    assert.equal((await stranger.send("DELETE", path)).status, 404);
    assert.equal((await second.send("GET", "/v2/session")).status, 200);
    assert.equal((await third.send("DELETE", path)).status, 200);
    assert.equal((await third.send("DELETE", path)).status, 404);
    assert.equal((await second.send("GET", "/v2/session")).status, 401);
    assert.equal((await service.client("").send("GET", "/v2/sessions")).status, 401);

    const age = (ms: number) =>
      service.db
        .updateTable("sessions")
        .set({ created_at: new Date(Date.now() - ms).toISOString() })
        .where("id", "=", newest.id)
        .execute();
    await age(29 * dayMs);
    const { body } = await third.send("GET", "/v2/session");
    assert.ok(Date.parse(body.data.expires_at) - Date.now() < 1.1 * dayMs);
    await age(31 * dayMs);
    assert.equal((await third.send("GET", "/v2/session")).status, 401);
    assert.equal((await third.send("GET", "/v2/agents")).status, 401);
  });
});
