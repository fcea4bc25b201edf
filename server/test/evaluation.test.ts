/**
 * Evaluation of configurations on reviewed extractions, on both databases. With the `If-Quality`
 * header, a change takes effect only if it passes such an evaluation.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { sampleBase64 as file } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Person, peopleOver } from "./helpers/people.ts";

const number = { name: "number", format: "text", description: "Number of the invoice", items: [] };
const total = { name: "z1", format: "number", description: "Total amount including tax", items: [] };
const paid = { name: "paid", format: "boolean", description: "Whether it is paid by barter", items: [] };
const label = { name: "label", format: "text", description: "What was sold", items: [] };
const amount = { name: "amount", format: "number", description: "Amount of the line", items: [] };
const lines = { name: "lines", format: "list", description: "The invoiced items", items: [label, amount] };
const params = [number, total, paid, lines];

const atLeastCurrent = { "if-quality": "at-least-current" };

describeOverDatabases("evaluation of configurations", (dialect) => {
  const at = peopleOver(dialect);
  let agent: string;
  let rightTotal: number;

  before(async () => {
    agent = await make();
    const id = await review([]);
    const { data } = (await at.ada.send("GET", `/v2/extractions/${id}`)).body;
    rightTotal = data.data[0].z1;
    assert.ok(rightTotal > 0 && data.data[0].lines.length > 1);
    await review([{ path: "/0/number", value: "another number" }]);
    // Extractions that nobody has reviewed are not used.
    await at.ada.send("POST", `/v2/extractor/${agent}`, { filename: "c.pdf", file });
  });

  const make = async (configuration: object = { params }): Promise<string> => {
    const made = await at.ada.send("POST", "/v2/agents", { name: "Invoices", type: "EXTRACTOR", configuration });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data.reference;
  };
  const review = async (corrections: object[]): Promise<string> => {
    const { body } = await at.ada.send("POST", `/v2/extractor/${agent}`, { filename: "a.pdf", file });
    const id = body.metadata.extraction_id;
    const corrected = await at.ada.send("PUT", `/v2/extractions/${id}/corrections`, { corrections, version: 1 });
    assert.equal(corrected.status, 200, JSON.stringify(corrected.body));
    assert.equal((await at.ada.send("PATCH", `/v2/extractions/${id}`, { status: "reviewed" })).status, 200);
    return id;
  };
  const evaluate = async (body: object, by: Person = at.ada, of = agent) =>
    by.send("POST", `/v2/extractor/${of}/evaluate`, body);
  const evaluated = async (body: object) => {
    const answer = await evaluate(body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const patch = (configuration: object, headers: Record<string, string> = atLeastCurrent) =>
    at.ada.send("PATCH", `/v2/agents/${agent}`, { configuration }, headers);

  test("the current configuration is scored per field, on the reviewed extractions", async () => {
    const found = await evaluated({});
    assert.deepEqual([found.documents, found.reviewed, found.lost, found.changes], [2, 2, [], []]);
    assert.deepEqual(found.before, found.after);
    const scores = new Map(found.fields.map(({ path, after }: { path: string; after: object }) => [path, after]));
    assert.deepEqual(scores.get("/z1"), { f1: 1, right: 2, wrong: 0, missing: 0 });
    assert.deepEqual(scores.get("/number"), { f1: 0.5, right: 1, wrong: 1, missing: 1 });
    assert.deepEqual(scores.get("/paid"), { f1: null, right: 0, wrong: 0, missing: 0 });
    assert.equal((scores.get("/lines/amount") as { f1: number }).f1, 1);
    assert.deepEqual([...scores.keys()].sort(), ["/lines/amount", "/lines/label", "/number", "/paid", "/z1"]);
    assert.equal(found.tokens_consumed, 0);
  });

  test("a proposed configuration is compared with the current one, value by value", async () => {
    const proposed = [number, { ...total, format: "text" }, { ...lines, items: [label] }, { ...paid, name: "new" }];
    const found = await evaluated({ params: proposed });
    assert.ok(["/lines/amount", "/z1"].every((path) => found.lost.includes(path)));
    assert.deepEqual(found.without_truth, ["/new"]);
    const change = found.changes.find(({ path }: { path: string }) => path === "/z1");
    assert.deepEqual([change.before, change.truth, change.filename], [rightTotal, rightTotal, "a.pdf"]);
    assert.equal(typeof change.after, "string");
    assert.ok(
      found.changes.some(
        ({ path, after }: { path: string; after: null }) => path === "/lines/1/amount" && after === null,
      ),
    );
    assert.equal(found.changes_left_off, 0);
    assert.ok(found.after.f1 < found.before.f1);
    const fewer = await evaluated({ params: proposed, documents: 1 });
    assert.deepEqual([fewer.documents, fewer.reviewed], [1, 2]);
    assert.deepEqual((await at.ada.send("GET", `/v2/agents/${agent}`)).body.data.configuration, { params });
  });

  test("with If-Quality, a change that loses correct values is refused, and the error lists them", async () => {
    for (const [proposed, lost] of [
      [[number, paid, lines], "/z1"],
      [[number, total, paid, { ...lines, items: [label] }], "/lines/amount"],
      [[number, { ...total, description: "Date of birth of the pilot" }, paid, lines], "/z1"],
      [[{ ...number, format: "boolean" }, total, paid, lines], "/number"],
    ] as const) {
      const { status, body } = await patch({ params: proposed });
      assert.deepEqual([status, body.code, body.detail?.documents], [409, "quality_lost", 2], JSON.stringify(body));
      assert.ok(body.detail.lost.includes(lost));
      assert.ok(body.detail.changes.length > 0);
    }
    const listed = await at.ada.send("GET", `/v2/agents/${agent}/versions`);
    assert.equal(listed.body.data.length, 1);
  });

  test("with If-Quality, a change that loses no correct value is accepted; without If-Quality, every change is accepted", async () => {
    const extra = { name: "captain", format: "text", description: "Name of the captain of the ship", items: [] };
    for (const proposed of [
      [lines, paid, total, number],
      [...params, extra],
      [number, { ...total, description: "Total amount including tax." }, paid, lines],
    ]) {
      const { status, body } = await patch({ params: proposed });
      assert.equal(status, 200, JSON.stringify(body));
    }
    assert.equal((await patch({ params: [number] }, {})).status, 200);
    const version = await evaluated({ version: 1 });
    assert.deepEqual([version.lost, version.after.f1 > version.before.f1], [[], true]);
    assert.equal((await patch({ params })).status, 200);
    const renamed = await at.ada.send("PATCH", `/v2/agents/${agent}`, { name: "Bills" }, atLeastCurrent);
    assert.equal(renamed.status, 200);
  });

  test("invalid requests, other agents and callers without permission are refused", async () => {
    for (const [body, status, code] of [
      [{ params: [{ name: "" }] }, 422, "invalid_config"],
      [{ params: "x" }, 422, "invalid_config"],
      [{ engine: "model" }, 422, "invalid_config"],
      [{ version: 99 }, 404, "not_found"],
      [{ version: 0 }, 422, "invalid_request"],
      [{ documents: 100_000 }, 422, "invalid_request"],
    ] as const) {
      const answer = await evaluate(body);
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body));
    }
    const { body: invalid } = await evaluate({ params: [{ ...number, format: "nothing" }] });
    assert.equal(invalid.detail.issues[0].path, "/params/0/format");
    const bad = await patch({ params }, { "if-quality": "better" });
    assert.deepEqual([bad.status, bad.body.code], [422, "invalid_request"]);
    const corpus = await at.ada.send("POST", "/v2/agents", { name: "Corpus", type: "DOCUMENTALIST" });
    const { reference } = corpus.body.data;
    assert.equal((await evaluate({}, at.ada, reference)).body.code, "agent_not_found");
    const guarded = await at.ada.send("PATCH", `/v2/agents/${reference}`, { configuration: {} }, atLeastCurrent);
    assert.equal(guarded.body.code, "invalid_agent_type");
    const empty = await make();
    const unmeasured = await at.ada.send("PATCH", `/v2/agents/${empty}`, { configuration: { params } }, atLeastCurrent);
    assert.deepEqual(
      [unmeasured.status, unmeasured.body.code, unmeasured.body.detail.documents],
      [409, "quality_lost", 0],
    );
    const nothing = (await evaluate({}, at.ada, empty)).body.data;
    assert.deepEqual([nothing.documents, nothing.after.f1], [0, null]);
    assert.equal((await evaluate({}, at.bob)).status, 200);
    const member = await at.bob.send("PATCH", `/v2/agents/${agent}`, { configuration: { params } }, atLeastCurrent);
    assert.deepEqual([member.status, member.body.code], [403, "forbidden"]);
    const other = await at.service.organization("Other");
    const theirs = await other.administrator.send("POST", `/v2/extractor/${agent}/evaluate`, {});
    assert.deepEqual([theirs.status, theirs.body.code], [404, "agent_not_found"]);
  });

  test("an evaluation can be repeated with its idempotency key, and deleted extractions are not used", async () => {
    const key = { "idempotency-key": newId() };
    const send = () => at.ada.send("POST", `/v2/extractor/${agent}/evaluate`, { documents: 1 }, key);
    const first = await send();
    assert.deepEqual((await send()).body, first.body);
    const listed = await at.ada.send("GET", `/v2/extractions?agent=${agent}&status=reviewed`);
    const [id] = listed.body.data.map(({ id }: { id: string }) => id);
    assert.equal((await at.ada.send("DELETE", `/v2/extractions/${id}`)).status, 200);
    assert.equal((await evaluated({})).documents, 1);
  });
});
