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
  startExtractionWithAgent: { filename: "a.pdf", file: "AAAA", callback: "https://example.com/" },
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
    const start = async (path: string) =>
      (
        await theirs.administrator.send("POST", path, {
          filename: "a.pdf",
          file: "AAAA",
          callback: "https://callback.invalid/",
          params: [{ name: "a", format: "text", description: "d" }],
        })
      ).body;
    const foreignOperations = {
      extract_id: (await start("/v2/extractor/async")).extract_id,
      classification_id: (await start("/v2/classification/async")).classification_id,
    };
    const underWay = () => service.db.selectFrom("jobs").select("id").where("name", "!=", "delivery.send").execute();
    // The deliveries, to a name that there is not, go on for more than a minute.
    while ((await underWay()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const earlier = await kept(service);

    // The names of events are no ids: each organization has its own webhook of each.
    const withIds = servedEndpoints.filter(({ path }) => path.includes("{") && !path.includes("{event}"));
    assert.deepEqual(withIds.map((endpoint) => endpoint.operationId).sort(), [
      "askDocumentalist",
      "askKnowledge",
      "deleteAgent",
      "deleteDocument",
      "extractWithAgent",
      "getAgent",
      "getClassification",
      "getExtraction",
      "listDocuments",
      "startExtractionWithAgent",
      "updateAgent",
      "uploadDocument",
    ]);
    for (const { operationId, method, path } of withIds) {
      const answer = async (agent: string, document = newId()) => {
        const filled = path.replace("{documentReference}", document).replace(/\{\w+\}/, agent);
        const { status, body } = await mine.administrator.send(method, filled, bodies[operationId]);
        return { status, body };
      };
      const operation = Object.entries(foreignOperations).find(([name]) => path.includes(`{${name}}`));
      for (const [agent, document] of operation
        ? [[operation[1]]]
        : [
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
