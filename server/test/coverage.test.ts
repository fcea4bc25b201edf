/**
 * Coverage over HTTP, on both databases. For each field, coverage reports the lowest confidence at
 * which the values have the precision that the agent's configuration requires, such as 0.95. Values
 * with a lower confidence are listed in `needs_review`.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../src/lib/ids.ts";
import { sampleBase64 as file } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { join, type Person } from "./helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const number = { name: "number", format: "text", description: "Number of the invoice", items: [] };
const total = { name: "total", format: "number", description: "Total amount including tax", items: [] };
const amount = { name: "amount", format: "number", description: "Amount of the line", items: [] };
const lines = { name: "lines", format: "list", description: "The invoiced items", items: [amount] };

interface Level {
  precision: number;
  minimum_values: number;
  confidence: number | null;
  values: number;
  right: number;
}

describeOverDatabases("coverage", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let ada: Person;
  let agent: string;

  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Coverage");
    ada = await join(service, organization, "administrator");
    const configuration = { params: [number, total, lines], wanted_precision: 0.95 };
    const made = await ada.send("POST", "/v2/agents", { name: "Invoices", type: "EXTRACTOR", configuration });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    agent = made.body.data.reference;
  });
  after(() => service?.[Symbol.asyncDispose]());

  const extract = async () => {
    const { status, body } = await ada.send("POST", `/v2/extractor/${agent}`, { filename: "a.pdf", file });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const coverage = async (): Promise<{ path: string; values: number; right: number; levels: Level[] }[]> =>
    (await ada.send("GET", `/v2/extractor/${agent}/coverage`)).body.data.fields;
  const evidence = (confidence: number) => ({ page: 1, boxes: [], quote: "x", match: "exact", confidence });
  /**
   * Adds reviewed extractions. Values of `number` with confidence 0.9 are correct, and those with
   * confidence 0.2 are wrong. All values of `total` have confidence 0.95 and are correct.
   */
  const addReviewed = async (count: number, id: string) => {
    const row = await service.db
      .selectFrom("kept_extractions")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const at = new Date().toISOString();
    const rows = Array.from({ length: count }, (_, index) => {
      const isWrong = index % 3 === 0;
      const found = {
        number: evidence(isWrong ? 0.2 : 0.9),
        total: evidence(0.95),
        lines: [{ amount: evidence(0.8) }, {}],
      };
      return {
        ...row,
        id: newId(),
        data: JSON.stringify([{ number: "7", total: 10, lines: [{ amount: 3 }, { amount: null }] }]),
        evidence: JSON.stringify([found]),
        corrections: JSON.stringify(isWrong ? [{ path: "/0/number", value: "8" }] : []),
        status: "reviewed" as const,
        reviewed_at: at,
        updated_at: at,
      };
    });
    for (let i = 0; i < rows.length; i += 50)
      await service.db
        .insertInto("kept_extractions")
        .values(rows.slice(i, i + 50))
        .execute();
  };

  test("without reviewed extractions the precision of a field is unknown, so every value needs a review", async () => {
    const { data, metadata } = await extract();
    const expected = [
      "/0/number",
      "/0/total",
      ...data[0].lines.map((_: object, index: number) => `/0/lines/${index}/amount`),
    ];
    assert.deepEqual([...metadata.needs_review].sort(), expected.sort());
    assert.deepEqual(await coverage(), []);
  });

  test("for each field, coverage reports the minimum confidence at which its values reach each level of precision", async () => {
    const { metadata } = await extract();
    await addReviewed(240, metadata.extraction_id);
    const fields = new Map((await coverage()).map((field) => [field.path, field]));
    assert.deepEqual([...fields.keys()].sort(), ["/lines/amount", "/number", "/total"]);
    const level = (path: string, precision: number) =>
      fields.get(path)?.levels.find((each) => each.precision === precision);
    const seen = fields.get("/number");
    assert.deepEqual([seen?.values, seen?.right], [240, 160]);
    assert.deepEqual(
      seen?.levels.map(({ minimum_values, confidence, values, right }) => [minimum_values, confidence, values, right]),
      [
        [52, 0.9, 160, 160],
        [133, null, 0, 0],
        [268, null, 0, 0],
      ],
    );
    assert.deepEqual([level("/total", 0.95)?.confidence, level("/total", 0.98)?.confidence], [0.95, 0.95]);
    assert.equal(level("/total", 0.99)?.confidence, null);
    assert.deepEqual([fields.get("/lines/amount")?.values, level("/lines/amount", 0.95)?.confidence], [240, 0.8]);
  });

  test("synchronous and asynchronous extractions list the values whose confidence is too low", async () => {
    const { data, metadata } = await extract();
    const kept = (await ada.send("GET", `/v2/extractions/${metadata.extraction_id}`)).body.data;
    const of = (name: string): number => kept.evidence[0][name].confidence;
    const expected = [
      ...(of("number") < 0.9 ? ["/0/number"] : []),
      ...(of("total") < 0.95 ? ["/0/total"] : []),
      ...data[0].lines.flatMap((_: object, index: number) =>
        kept.evidence[0].lines[index].amount.confidence < 0.8 ? [`/0/lines/${index}/amount`] : [],
      ),
    ];
    assert.deepEqual(metadata.needs_review, expected);
    const started = await ada.send("POST", `/v2/extractor/async/${agent}`, {
      filename: "a.pdf",
      file,
      callback: "https://callback.invalid/",
    });
    const path = `/v2/extractor/async/${started.body.extract_id}`;
    let { body } = await ada.send("GET", path);
    for (; body.status === "started"; await sleep(20)) ({ body } = await ada.send("GET", path));
    assert.deepEqual(body.metadata.needs_review, expected);
  });

  test("without a required precision, extractions list no values for review, and an invalid precision is refused", async () => {
    const set = (wanted_precision: unknown) =>
      ada.send("PATCH", `/v2/agents/${agent}`, { configuration: { params: [number, total, lines], wanted_precision } });
    for (const bad of [0.9, 1, "0.95", true]) {
      const { status, body } = await set(bad);
      assert.deepEqual([status, body.code], [422, "invalid_config"]);
      assert.equal(body.detail.issues[0].path, "/configuration/wanted_precision");
    }
    assert.deepEqual(Object.keys((await set(null)).body.data.configuration), ["params"]);
    assert.equal((await extract()).metadata.needs_review, undefined);
    const other = await service.organization("Other");
    const theirs = await other.administrator.send("GET", `/v2/extractor/${agent}/coverage`);
    assert.deepEqual([theirs.status, theirs.body.code], [404, "agent_not_found"]);
  });
});
