/**
 * Attacks: guesses the password of one account from many addresses, the passwords of many accounts
 * from one address, and tokens.
 */
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../src/lib/ids.ts";
import { join, password } from "../test/helpers/people.ts";
import { openTestService, type TestService } from "../test/helpers/service.ts";
import { reportAttack } from "./report.ts";

const settings = { SHEAF_TRUSTED_PROXIES: "127.0.0.1" };
const guesses = 200;

/** Sends a request, and retries it while the response is 503, because a busy machine sheds load. */
async function send(service: TestService, path: string, from: string, init: RequestInit): Promise<Response> {
  const headers = { "content-type": "application/json", "x-forwarded-for": from, ...init.headers };
  const answer = await fetch(service.url + path, { ...init, headers });
  if (answer.status !== 503) return answer;
  await sleep(200);
  return send(service, path, from, init);
}

const signIn = (service: TestService, from: string, email: string, secret: string) =>
  send(service, "/v2/session", from, { method: "POST", body: JSON.stringify({ email, password: secret }) });

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

test("guesses of the password of one account from 200 addresses are limited", async (t) => {
  await using service = await openTestService("sqlite", settings);
  const organization = await service.organization("Guessed");
  const email = `${newId()}@example.com`;
  await join(service, organization, "member", { email });
  const home = "203.0.113.7";
  await signIn(service, home, email, password);
  const statuses: number[] = [];
  for (let i = 0; i < guesses; i++)
    statuses.push((await signIn(service, `198.51.100.${i}`, email, `wrong guess ${i}`)).status);
  const compared = countOf(statuses, 401);
  reportAttack(t, "guesses compared with the password", { tried: guesses, succeeded: compared, allowed: 11 });
  const { status } = await signIn(service, home, email, password);
  reportAttack(t, "owners locked out of a known network", { tried: 1, succeeded: status === 200 ? 0 : 1 });
});

test("guesses of one password for many accounts from one address are limited", async (t) => {
  await using service = await openTestService("sqlite", settings);
  const statuses: number[] = [];
  for (let i = 0; i < guesses; i++)
    statuses.push((await signIn(service, "198.51.100.9", `person-${i}@example.com`, "one guess for all")).status);
  // The limit is 60 failed sign-ins per minute. This test can make more, because the quota refills
  // while it runs.
  reportAttack(t, "accounts tried", { tried: guesses, succeeded: countOf(statuses, 401), allowed: 120 });
});

test("wrong tokens and forged sessions from one address are limited", async (t) => {
  await using service = await openTestService("sqlite", settings);
  const { administrator } = await service.organization("Tokens");
  const [head, body] = administrator.token.split(".");
  const kinds = {
    "wrong tokens": (i: number) => ({ "x-api-key": `${head}.${body}.${"A".repeat(40)}${i}` }),
    "wrong bearer tokens": (i: number) => ({ authorization: `Bearer ${head}.${body}.${"B".repeat(40)}${i}` }),
    "forged sessions": (i: number) => ({ cookie: `__Host-sheaf_session=${"a".repeat(32)}.${i}` }),
  };
  for (const [index, [name, headersOf]] of Object.entries(kinds).entries()) {
    const from = `198.51.100.${index + 1}`;
    const statuses: number[] = [];
    for (let i = 0; i < 400; i++)
      statuses.push((await send(service, "/v2/agents", from, { headers: headersOf(i) })).status);
    reportAttack(t, `${name} looked at`, { tried: 400, succeeded: countOf(statuses, 401), allowed: 200 });
    const { status } = await send(service, "/v2/agents", from, { headers: { "x-api-key": administrator.token } });
    reportAttack(t, `valid tokens refused during ${name}`, { tried: 1, succeeded: status === 200 ? 0 : 1 });
  }
});
