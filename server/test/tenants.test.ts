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
  askKnowledge: { query: "What is due?" },
  askDocumentalist: { query: "What is due?" },
  uploadDocument: { filename: "a.pdf", file: "AAAA" },
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
    const make = async (who: typeof mine, body: object) =>
      (await who.administrator.send("POST", "/v2/agents", { type: "DOCUMENTALIST", ...body })).body.data.reference;
    const [myCorpus, foreignCorpus] = [await make(mine, { name: "Mine" }), await make(theirs, { name: "Theirs" })];
    const foreignDocument = (
      await theirs.administrator.send("POST", `/v2/agents/${foreignCorpus}/documents`, bodies.uploadDocument)
    ).body.data.document_reference;
    while ((await kept(service)).jobs !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const earlier = await kept(service);

    const withIds = servedEndpoints.filter((endpoint) => endpoint.path.includes("{"));
    assert.deepEqual(withIds.map((endpoint) => endpoint.operationId).sort(), [
      "askDocumentalist",
      "askKnowledge",
      "deleteAgent",
      "deleteDocument",
      "extractWithAgent",
      "getAgent",
      "listDocuments",
      "updateAgent",
      "uploadDocument",
    ]);
    for (const { operationId, method, path } of withIds) {
      const answer = async (agent: string, document = newId()) => {
        const filled = path.replace("{documentReference}", document).replace(/\{\w+\}/, agent);
        const { status, body } = await mine.administrator.send(method, filled, bodies[operationId]);
        return { status, body };
      };
      for (const [agent, document] of [
        [foreign.reference],
        [foreignCorpus, foreignDocument],
        ...(path.includes("{documentReference}") ? [[myCorpus, foreignDocument]] : []),
      ]) {
        const unknown = agent === myCorpus ? await answer(myCorpus) : await answer(newId());
        assert.deepEqual(await answer(agent, document), unknown, operationId);
        assert.equal((await answer(agent, document)).status, 404, operationId);
      }
    }
    assert.equal((await mine.administrator.send("GET", "/v2/agents")).body.data.length, 1);
    assert.equal(
      (await theirs.administrator.send("GET", `/v2/agents/${foreignCorpus}/documents`)).body.data[0].reference,
      foreignDocument,
    );
    assert.deepEqual((await theirs.administrator.send("GET", `/v2/agents/${foreign.reference}`)).body.data, foreign);
    assert.deepEqual(await kept(service), earlier);
  });
});
