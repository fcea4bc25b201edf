/**
 * Attack: one organization does everything at once that once made the service unusable for others.
 * It asks questions that froze the event loop, keeps idle connections open and uploads slowly. Its
 * language model sends a response that never ends. Counts requests of three other organizations
 * that fail or are late.
 */
import { join } from "node:path";
import { test } from "node:test";
import { attackTenants, servedIn } from "../../bench/tenants.ts";
import { reportAttack } from "./report.ts";

const halfMs = 20_000;
/**
 * Minimum share (0–1) of the undisturbed throughput that the three other organizations must keep.
 */
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
  // Late responses may be caused by the machine, but refusals are decisions of the service.
  reportAttack(t, "requests of three organizations that were refused", {
    tried: attacked.sent,
    succeeded: refused,
    allowed: Math.floor(attacked.sent * 0.05),
  });
});
