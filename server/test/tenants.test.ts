/** One organization never sees another: every endpoint with an id answers a foreign one as an unknown one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { servedEndpoints } from "../src/http/served-endpoints.ts";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { kept } from "./helpers/rows.ts";
import { openTestService } from "./helpers/service.ts";

const bodies: Record<string, unknown> = {
  updateAgent: { name: "taken over" },
  extractWithAgent: { filename: "a.pdf", file: "AAAA" },
};

describeOverDatabases("tenants", (dialect) => {
  test("foreign ids answer as unknown ids, and nothing changes", async () => {
    await using service = await openTestService(dialect);
    const mine = await service.organization("Mine");
    const theirs = await service.organization("Theirs");
    const configuration = { params: [{ name: "a", format: "text", description: "d", items: [] }] };
    const foreign = (
      await theirs.administrator.send("POST", "/v2/agents", { name: "Secret", type: "EXTRACTOR", configuration })
    ).body.data;
    const earlier = await kept(service);

    const withIds = servedEndpoints.filter((endpoint) => endpoint.path.includes("{"));
    assert.deepEqual(withIds.map((endpoint) => endpoint.operationId).sort(), [
      "deleteAgent",
      "extractWithAgent",
      "getAgent",
      "updateAgent",
    ]);
    for (const { operationId, method, path } of withIds) {
      const answer = async (id: string) => {
        const { status, body } = await mine.administrator.send(
          method,
          path.replace(/\{\w+\}/, id),
          bodies[operationId],
        );
        return { status, body };
      };
      assert.deepEqual(await answer(foreign.reference), await answer(newId()), operationId);
      assert.equal((await answer(foreign.reference)).status, 404, operationId);
    }
    assert.deepEqual((await mine.administrator.send("GET", "/v2/agents")).body.data, []);
    assert.deepEqual((await theirs.administrator.send("GET", `/v2/agents/${foreign.reference}`)).body.data, foreign);
    assert.deepEqual(await kept(service), earlier);
  });
});
