/**
 * Attack: one organization repeats, all at once, the actions that have made the service unusable
 * for others in the past. It asks questions that block the event loop, keeps idle connections open,
 * uploads slowly, and uses a language model whose response never ends. Counts the requests of three
 * other organizations that fail or are late.
 */
import { join } from "node:path";
import { test } from "node:test";
import { attackTenants, servedIn } from "../../bench/tenants.ts";
import { reportAttack } from "./report.ts";

const halfMs = 20_000;
/**
 * Minimum throughput that the three other organizations must keep, as a share (0–1) of their
 * throughput without the attack.
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
  // Counts only refused requests as successes of the attack, because the service decides to refuse
  // them. Late responses do not count, because a slow machine may be the cause.
  reportAttack(t, "requests of three organizations that were refused", {
    tried: attacked.sent,
    succeeded: refused,
    allowed: Math.floor(attacked.sent * 0.05),
  });
});
