/**
 * Attack: one organization does everything at once that used to make the service unusable for
 * others. It asks questions that froze the event loop, holds idle connections and uploads slowly.
 * Its language model sends a response that never ends. Counts requests of three other organizations
 * that fail or are late.
 */
import { join } from "node:path";
import { test } from "node:test";
import { attackTenants, servedIn } from "../../bench/tenants.ts";
import { reportAttack } from "./report.ts";

const halfMs = 20_000;
/** Minimum share (0–1) of their undisturbed throughput that the three others must keep. */
const leastKept = 0.8;

test("one organization does not starve three others", async (t) => {
  const invoice = join(import.meta.dirname, "../../examples/invoice.pdf");
  const { idle, attacked, statuses } = await attackTenants(halfMs, [invoice]);
  t.diagnostic(`responses to the attacker: ${JSON.stringify(statuses)}`);
  reportAttack(t, "requests of three organizations", {
    tried: attacked.sent,
    succeeded: attacked.sent - servedIn(attacked),
    allowed: attacked.sent - Math.ceil((leastKept * servedIn(idle) * attacked.sent) / idle.sent),
  });
  const refused = attacked.done.filter(({ status }) => status === 503).length;
  // Lateness depends on the machine, but a refusal is the decision of the service.
  reportAttack(t, "requests of three organizations that were refused", {
    tried: attacked.sent,
    succeeded: refused,
    allowed: Math.floor(attacked.sent * 0.05),
  });
});
