/**
 * Sends random requests to every endpoint of the OpenAPI document. Each gets a response that the
 * document describes, and none gets a 500. `RANDOM_REQUESTS` sets their number per database.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId } from "../../src/lib/ids.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { type RandomRequest, randomRequests } from "../helpers/random-requests.ts";
import { openTestService } from "../helpers/service.ts";

const count = Number(process.env.RANDOM_REQUESTS ?? 2_000);
const batchSize = 20;
/**
 * Text that no response may contain because it reveals internals, such as stack traces, paths and
 * SQL.
 */
const internals = /node_modules|\bat .+:\d+:\d+|SQLITE|SQLSTATE|\bselect .+ from\b|\/server\/src\/|\.ts\b/i;

describeOverDatabases("random requests", (dialect) => {
  test(`${count} random requests get valid responses`, { timeout: 60_000 + 20 * count }, async () => {
    await using service = await openTestService(dialect, {
      SHEAF_RATE_LIMIT: "0",
      SHEAF_ADDRESS_RATE_LIMIT: "0",
      SHEAF_OUTBOUND_DNS: "127.0.0.1",
    });
    const placeholders = Array.from({ length: 4 }, () => newId());
    const statuses = new Map<number, number>();
    const send = async (references: string[], { method, path, body, headers }: RandomRequest, token: string) => {
      const real = (text: string) =>
        placeholders.reduce((at, each, i) => at.replaceAll(each, references[i] ?? each), text);
      const answer = await service.client(token).send(method, real(path), body && real(body), headers);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const shown = `${method} ${path} ${JSON.stringify(headers)} ${body}\n${JSON.stringify(answer.body)}`;
      assert.notEqual(answer.status, 500, shown);
      if (answer.status >= 400) assert.doesNotMatch(JSON.stringify(answer.body), internals, shown);
    };
    const who = fc.oneof({ weight: 18, arbitrary: fc.constant("ours") }, fc.constantFrom("", "wrong"));
    const requests = fc.array(fc.tuple(randomRequests({ references: placeholders }), who), {
      minLength: batchSize,
      maxLength: batchSize,
    });
    let batches = 0;
    let { administrator, references } = await anew();
    /**
     * Creates an organization with an agent of each type. Needed repeatedly, because the requests
     * delete agents and members and switch off API access.
     */
    async function anew() {
      const { administrator } = await service.organization(`House ${batches}`);
      const made = ["DOCUMENTALIST", "EXTRACTOR"].map((type) => ({ name: type, type }));
      const references: string[] = [];
      for (const body of made)
        references.push((await administrator.send("POST", "/v2/agents", body)).body.data.reference as string);
      return { administrator, references };
    }
    const property = fc.asyncProperty(requests, async (batch) => {
      if (batches++ % 5 === 0) ({ administrator, references } = await anew());
      await Promise.all(
        batch.map(([request, caller]) => send(references, request, caller === "ours" ? administrator.token : caller)),
      );
    });
    await fc.assert(property, { numRuns: Math.ceil(count / batchSize), endOnFailure: true });
    const seen = JSON.stringify([...statuses].sort(([a], [b]) => a - b));
    if (process.env.RANDOM_REQUESTS) console.log(dialect, seen);
    for (const status of [200, 401, 404, 422]) assert.ok((statuses.get(status) ?? 0) > count / 100, seen);
    assert.equal((await service.client("").send("GET", "/readyz")).status, 200);
  });
});
