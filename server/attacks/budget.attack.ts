/**
 * Attack: makes concurrent calls from one process and from two, to spend more language model tokens
 * than the budget allows.
 */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createOrganization } from "../src/features/organizations/organizations.service.ts";
import { openRecords } from "../src/records/records.ts";
import { createDatabase, describeOverDatabases } from "../test/helpers/databases.ts";
import { temporaryFolder } from "../test/helpers/process.ts";
import type { BudgetAttack } from "./budget-process.ts";
import { reportAttack } from "./report.ts";

const budgetTokens = 10_000;
/**
 * Usage that the endpoint reports for each call: plausible, but far above the 335 tokens that the
 * service estimates from the length of the request.
 */
const usage = { prompt_tokens: 960, completion_tokens: 130 };

describeOverDatabases("token budget", (dialect) => {
  for (const processes of [1, 2])
    for (const parallel of [1, 4, 20])
      test(`${parallel} calls at once in ${processes} process(es)`, async (t) => {
        await using stack = new AsyncDisposableStack();
        const folder = stack.use(await temporaryFolder());
        const { url, drop } = await createDatabase(dialect);
        stack.defer(drop);
        const database: BudgetAttack["database"] =
          url === undefined ? { dialect: "sqlite", path: join(folder.path, "sheaf.db") } : { dialect: "postgres", url };
        const organizationId = await prepare(database);
        let billed = 0;
        const server = createServer(async (request, response) => {
          for await (const _ of request);
          await delay(20);
          billed += usage.prompt_tokens + usage.completion_tokens;
          const choices = [{ index: 0, message: { role: "assistant", content: "{}" }, finish_reason: "stop" }];
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ id: "1", created: 1, model: "m", choices, usage }));
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        stack.defer(() => void server.close());
        const modelUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
        const attack: BudgetAttack = { database, organizationId, modelUrl, budgetTokens, parallel, calls: 40 };
        await Promise.all(Array.from({ length: processes }, () => spend(attack)));
        t.diagnostic(`${billed} of ${budgetTokens} tokens were billed`);
        const succeeded = Math.max(0, billed - budgetTokens) + Number(billed < budgetTokens / 2);
        reportAttack(t, "tokens over the budget", { tried: 40 * processes, succeeded });
      });
});

async function prepare(database: BudgetAttack["database"]): Promise<string> {
  const records = openRecords(
    database.dialect === "sqlite" ? database : { ...database, maxConnections: 2, onIdleError: () => {} },
  );
  await records.migrate();
  const administrator = { name: "A", email: "a@example.com" };
  const { id } = await createOrganization(records.db, { name: "A", administrator }, { operator: "test" });
  await records.close();
  return id;
}

async function spend(attack: BudgetAttack): Promise<void> {
  const script = join(import.meta.dirname, "budget-process.ts");
  await promisify(execFile)(process.execPath, [script, JSON.stringify(attack)], { timeout: 120_000 });
}
