/** Reviews of kept extractions: corrections, their validation, and conflicts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeOverDatabases } from "./helpers/databases.ts";
import { keptExtractionsOver, type Sender } from "./helpers/kept-extractions.ts";

describeOverDatabases("reviews of kept extractions", (dialect) => {
  const at = keptExtractionsOver(dialect);
  const { keptBy, get, correct } = at;

  test("corrections change only the corrected data and leave the extracted data; rows can be inserted and removed", async () => {
    const id = await keptBy(at.bob, `/${at.agent}`);
    const { data } = await get(id);
    const corrections = [
      { path: "/0/total", value: 12.5, reason: "misread digit", page: 1, boxes: [[10, 10, 50, 20]] },
      { path: "/0/number", confirmed: true },
      { path: "/0/paid", value: null },
      { path: "/0/lines/0", op: "remove" },
      { path: "/0/lines/0", op: "insert", value: { label: "First" } },
      { path: "/0/lines/-", op: "insert", value: { label: "Last", amount: -3 } },
      { path: "/0/lines/1/amount", value: 7 },
    ];
    const answer = await correct(id, corrections);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const [before] = data;
    const lines = before.lines.slice(1);
    const expected = {
      ...before,
      total: 12.5,
      paid: null,
      lines: [
        { label: "First", amount: null },
        { ...lines[0], amount: 7 },
        ...lines.slice(1),
        { label: "Last", amount: -3 },
      ],
    };
    const found = await get(id, at.bob);
    assert.deepEqual(answer.body.data, found);
    assert.deepEqual([found.data, found.corrected_data], [data, [expected]]);
    assert.deepEqual([found.corrections, found.version, found.status], [corrections, 2, "to_review"]);
    // A later request replaces all earlier corrections.
    const replaced = await correct(id, [{ path: "/0/lines", value: [] }], 2);
    assert.deepEqual(replaced.body.data.corrected_data, [{ ...before, lines: [] }]);
    assert.deepEqual((await correct(id, [], 3)).body.data.corrected_data, data);
  });

  test("a correction that does not fit the result is refused and changes nothing", async () => {
    const id = await keptBy(at.bob, `/${at.agent}`);
    const before = await get(id);
    const rows = before.data[0].lines.length;
    const cases: [object, string][] = [
      [{ path: "/0/total", value: "12" }, "/corrections/0/value"],
      [{ path: "/0/number", value: 5 }, "/corrections/0/value"],
      [{ path: "/0/number", value: "a\u0000" }, "/corrections/0/value"],
      [{ path: "/0/paid", value: "yes" }, "/corrections/0/value"],
      [{ path: "/0/lines", value: null }, "/corrections/0/value"],
      [{ path: "/0/lines", value: [{ label: 1 }] }, "/corrections/0/value/0/label"],
      [{ path: "/0/lines/0", value: { nothing: 1 } }, "/corrections/0/value"],
      [{ path: "/0/lines/0", op: "insert" }, "/corrections/0"],
      [{ path: "/0/lines/0", op: "remove", value: null }, "/corrections/0"],
      [{ path: "/0/total", op: "remove" }, "/corrections/0/path"],
      [{ path: `/0/lines/${rows}/amount`, value: 1 }, "/corrections/0/path"],
      [{ path: `/0/lines/${rows}`, value: {} }, "/corrections/0/path"],
      [{ path: "/0/lines/01/amount", value: 1 }, "/corrections/0/path"],
      [{ path: "/0/nothing", value: 1 }, "/corrections/0/path"],
      [{ path: "/0/__proto__", value: 1 }, "/corrections/0/path"],
      [{ path: "/1/total", value: 1 }, "/corrections/0/path"],
      [{ path: "", value: 1 }, "/corrections/0/path"],
      [{ path: "/0", value: {} }, "/corrections/0/path"],
      [{ path: "/0/total/x", value: 1 }, "/corrections/0/path"],
      [{ path: "/0/total" }, "/corrections/0"],
      [{ path: "/0/total", value: 1, confirmed: true }, "/corrections/0"],
      [{ path: "/0/total", value: 1, page: 2 }, "/corrections/0/page"],
      [{ path: "/0/total", value: 1, boxes: [[0, 0, 1, 1]] }, "/corrections/0/page"],
      [{ path: "/0/total", value: 1, page: 1, boxes: [[5, 0, 1, 1]] }, "/corrections/0/boxes"],
      [{ path: "/0/total", value: 1, confirmed: false }, "/corrections/0/confirmed"],
    ];
    for (const [correction, path] of cases) {
      const { status, body } = await correct(id, [correction]);
      assert.deepEqual(
        [status, body.code, body.detail?.issues[0].path],
        [422, "invalid_request", path],
        JSON.stringify(correction),
      );
    }
    assert.equal((await correct(id, Array(2_001).fill({ path: "/0/total", value: 1 }))).status, 422);
    assert.deepEqual(await get(id), before);
  });

  test("a review records who made it and when; a change based on an old version is a conflict", async () => {
    const id = await keptBy(at.bob, `/${at.agent}`);
    const patch = (by: Sender, body: object) => by.send("PATCH", `/v2/extractions/${id}`, body);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => correct(id, [{ path: "/0/total", value: i }], 1, i % 2 ? at.ada : at.bob)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
    assert.ok(answers.every(({ status, body }) => status === 200 || body.code === "conflict"));
    const won = answers.findIndex(({ status }) => status === 200);
    assert.equal((await get(id)).corrected_data[0].total, won);
    assert.equal((await patch(at.bob, { status: "reviewed", version: 1 })).status, 409);
    const reviewed = (await patch(at.bob, { status: "reviewed", version: 2 })).body.data;
    const { user_id } = await at.service.db
      .selectFrom("members")
      .select("user_id")
      .where("id", "=", at.bob.memberId)
      .executeTakeFirstOrThrow();
    assert.deepEqual([reviewed.status, reviewed.reviewed_by, reviewed.needs_review], ["reviewed", user_id, false]);
    assert.ok(Math.abs(Date.parse(reviewed.reviewed_at) - Date.now()) < 60_000);
    const corrected = (await correct(id, [], 3)).body.data;
    assert.deepEqual([corrected.status, corrected.reviewed_by, corrected.reviewed_at], ["to_review", null, null]);
    assert.equal((await patch(at.bob, { status: "reviewed" })).body.data.version, 5);
    assert.equal((await patch(at.ada, { status: "to_review" })).body.data.status, "to_review");
    assert.equal((await patch(at.ada, { status: "done" })).status, 422);
    const entries = (await at.ada.send("GET", "/v2/organization/audit")).body.data as {
      target: string;
      action: string;
    }[];
    assert.deepEqual(
      entries.flatMap(({ target, action }) => (target === id ? [action] : [])),
      [
        "extraction.corrected",
        "extraction.reviewed",
        "extraction.corrected",
        "extraction.reviewed",
        "extraction.reopened",
      ],
    );
    assert.ok(!JSON.stringify(entries).includes("/0/total"));
  });
});
