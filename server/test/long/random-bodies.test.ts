/**
 * Sends 2,000 random bodies per database. Each gets a response that the OpenAPI document describes,
 * none gets a 500, and refused bodies store nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeOverDatabases } from "../helpers/databases.ts";
import { anything, hostileText } from "../helpers/hostile-text.ts";
import { openTestService } from "../helpers/service.ts";
import { kept } from "../helpers/stored-rows.ts";

const param: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  param: fc.record(
    {
      name: fc.oneof(hostileText, fc.constantFrom("a", "b")),
      format: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom("text", "number", "boolean", "date", "list") },
        { weight: 1, arbitrary: anything },
      ),
      description: hostileText,
      items: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constant([]),
        fc.array(tie("param"), { maxLength: 3 }),
        anything,
      ),
    },
    { requiredKeys: [] },
  ),
})).param;
const params = fc.oneof(fc.array(param, { maxLength: 4 }), anything);
const configuration = fc.oneof(
  fc.record(
    { params, consignes: anything, sourceVisibility: anything, domains: anything, extra: anything },
    { requiredKeys: [] },
  ),
  anything,
);
const agentBody = fc.record(
  { name: hostileText, type: hostileText, description: anything, configuration, extra: anything },
  { requiredKeys: [] },
);
/** Generates bodies of agents. Some are valid, so that accepted and refused ones are mixed. */
const anyAgentBody = fc.oneof(
  { weight: 9, arbitrary: agentBody },
  { weight: 1, arbitrary: fc.constant({ name: "Made", type: "EXTRACTOR" }) },
);
const base64 = fc.oneof(fc.base64String({ maxLength: 200 }), hostileText, anything);
const extractionBody = fc.record(
  { filename: hostileText, file: base64, params, include: anything },
  { requiredKeys: [] },
);

/** Generates the JSON text of a body. Some texts have an error at one place. */
const damaged = (body: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      body,
      fc.option(fc.tuple(fc.nat(), fc.constantFrom("", "{", "}", '"', ",", "\\", "\u0000", "9e999", "\ufeff"))),
    )
    .map(([value, damage]) => {
      const text = JSON.stringify(value) ?? "";
      if (damage === null) return text;
      const at = damage[0] % (text.length + 1);
      return text.slice(0, at) + damage[1] + text.slice(at + 1);
    });

const request = fc.oneof(
  fc.record({ method: fc.constant("POST"), path: fc.constant("/v2/agents"), body: damaged(anyAgentBody) }),
  fc.record({ method: fc.constant("PATCH"), path: fc.constant("/v2/agents/AGENT"), body: damaged(anyAgentBody) }),
  fc.record({
    method: fc.constant("POST"),
    path: fc.constantFrom("/v2/extractor", "/v2/extractor/AGENT"),
    body: damaged(extractionBody),
  }),
  fc.record({
    method: fc.constant("POST"),
    path: fc.constant("/v2/agents/AGENT/documents"),
    body: damaged(fc.record({ filename: hostileText, file: base64, path: anything }, { requiredKeys: [] })),
  }),
);

describeOverDatabases("random bodies", (dialect) => {
  test("2,000 random bodies get responses that the OpenAPI document describes, and refused bodies store nothing", async () => {
    await using service = await openTestService(dialect);
    const { administrator } = await service.organization("Random House");
    const agent = (await administrator.send("POST", "/v2/agents", { name: "A", type: "DOCUMENTALIST" })).body.data
      .reference;
    const earlier = await kept(service);
    let agentsMade = 0;
    let documentsMade = 0;
    const statuses = new Map<number, number>();
    const attempt = async ({ method, path, body }: { method: string; path: string; body: string }) => {
      const answer = await administrator.send(method, path.replace("AGENT", agent), body);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      // A body may cause a status of 500 or above only in one case: its file is valid base64, but
      // not a document.
      if (answer.status >= 500) assert.equal(answer.body.code, "extraction_failed", body);
      if (answer.status === 201) agentsMade++;
      if (answer.status === 202) documentsMade++;
    };
    const property = fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (batch) => {
      await Promise.all(batch.map(attempt));
    });
    await fc.assert(property, { numRuns: 100, endOnFailure: true });
    assert.ok((statuses.get(422) ?? 0) > 1000 && agentsMade > 0, JSON.stringify([...statuses]));
    // An upload of valid base64 that is not a document gets the status `error`, and only its file
    // is kept.
    while ((await kept(service)).jobs !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await kept(service), {
      ...earlier,
      agents: (earlier.agents ?? 0) + agentsMade,
      documents: documentsMade,
      storedFiles: documentsMade,
    });
  });
});
