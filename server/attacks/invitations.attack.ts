/**
 * Attacks: invites the email address of another person in order to take over the account, and tries
 * to find out which addresses have accounts.
 */
import { test } from "node:test";
import { createOrganization } from "../src/features/organizations/organizations.service.ts";
import { newId } from "../src/lib/ids.ts";
import { browserOf, cookieOf, join, password } from "../test/helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "../test/helpers/service.ts";
import { reportAttack } from "./report.ts";

const settings = { SHEAF_ADDRESS_RATE_LIMIT: "0" };

async function invite({ administrator }: TestOrganization, email: string): Promise<string> {
  const { body } = await administrator.send("POST", "/v2/organization/invitations", { email });
  return body.data.token;
}

const accept = (service: TestService, token: string, secret: string) =>
  service.client("").send("POST", "/v2/invitations/accept", { token, name: "Somebody", password: secret });

test("an attacker who invites an address does not get access to its account", async (t) => {
  await using service = await openTestService("sqlite", settings);
  const attacker = await service.organization("Attacker");
  const owners = await Promise.all(["One", "Two", "Three"].map((name) => service.organization(name)));
  const counts = { tried: 0, succeeded: 0 };
  const locked = { tried: 0, succeeded: 0 };
  for (let i = 0; i < 5; i++) {
    const email = `victim-${newId()}@example.com`;
    const taken = await join(service, attacker, "member", { email });
    const owner = "what the owner chose";
    for (const organization of owners) {
      const accepted = await accept(service, await invite(organization, email), owner);
      locked.tried++;
      if (accepted.status !== 200) locked.succeeded++;
    }
    await createOrganization(
      service.db,
      { name: `Made for ${email}`, administrator: { name: "V", email } },
      { operator: "attack" },
    );
    const again = await service.client("").send("POST", "/v2/session", { email, password });
    for (const browser of [taken, browserOf(service, cookieOf(again))]) {
      const { body } = await browser.send("GET", "/v2/session");
      counts.tried += owners.length + 1;
      counts.succeeded += body.data.organizations.length - 1;
    }
  }
  reportAttack(t, "organizations reached by the user who took the address first", counts);
  reportAttack(t, "owners kept out by the user who took the address first", locked);
});

test("responses to invitations do not reveal accounts", async (t) => {
  await using service = await openTestService("sqlite", settings);
  const elsewhere = await service.organization("Elsewhere");
  const attacker = await service.organization("Attacker");
  const tries = 20;
  const differences = { tried: 0, succeeded: 0 };
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let i = 0; i < tries; i++) {
    const emails = { known: `a${newId()}@example.com`, unknown: `b${newId()}@example.com` };
    await join(service, elsewhere, "member", { email: emails.known });
    const shapes: string[] = [];
    const order = i % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    for (const kind of order) {
      const { administrator } = attacker;
      const invited = await administrator.send("POST", "/v2/organization/invitations", { email: emails[kind] });
      const began = performance.now();
      const accepted = await accept(service, invited.body.data.token, "a guess that is wrong");
      times[kind].push(performance.now() - began);
      const since = Date.now() - Number.parseInt(accepted.body.data.user.id.replace("-", "").slice(0, 12), 16);
      const { user, organizations } = accepted.body.data;
      shapes.push(
        JSON.stringify([invited.status, shapeOf(invited.body), accepted.status, shapeOf(accepted.body)]) +
          JSON.stringify([user.name, organizations.length, since < 60_000]),
      );
    }
    differences.tried++;
    if (shapes[0] !== shapes[1]) differences.succeeded++;
  }
  reportAttack(t, "accounts distinguished by status, body or id", differences);
  const pairs = times.known.flatMap((known) => times.unknown.map((unknown) => known > unknown));
  const slower = pairs.filter(Boolean).length;
  t.diagnostic(
    `median time: ${median(times.known).toFixed(0)} ms with an account, ${median(times.unknown).toFixed(0)} without`,
  );
  // Each pair compares the response time for an address with an account to that for an address
  // without one. A random guess is correct for half of the pairs.
  reportAttack(t, "pairs in which the time reveals the account, by one rule or its opposite", {
    tried: pairs.length,
    succeeded: Math.max(slower, pairs.length - slower),
    allowed: pairs.length * 0.85,
  });
});

/**
 * Returns the body with each value replaced by the name of its type, so that only the structure is
 * compared.
 */
const shapeOf = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (_key, value) => (typeof value === "object" ? value : typeof value)));

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
