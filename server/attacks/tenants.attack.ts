/**
 * Attack: one organization does at once what used to make the service useless for the others. It asks questions that froze the event loop,
 * holds silent connections, sends slow files, and uses a language model whose response never ends. Counts requests of three others that fail or
 * come too late.
 */
import { join } from "node:path";
import { test } from "node:test";
import { attackTenants, servedIn } from "../../bench/tenants.ts";
import { reportAttack } from "./report.ts";

const halfMs = 12_000;
/** The three must keep this share of what they get done alone. */
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
  // Lateness depends on the machine; what is refused is the service's choice.
  reportAttack(t, "requests of three organizations that were refused", {
    tried: attacked.sent,
    succeeded: refused,
    allowed: Math.floor(attacked.sent * 0.05),
  });
});
