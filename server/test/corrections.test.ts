/** Learning by correction over HTTP: teaching, use, listing, undoing, export and import. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { ExportedMemoryJson } from "@sheaf/contract/corrections.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { firstLedger, type LedgerContent, ledgerParams, ledgerPdf, nextLedger, placedText } from "./helpers/ledger.ts";
import { join, peopleOver } from "./helpers/people.ts";

const params = [
  ...ledgerParams,
  {
    name: "rows",
    format: "list",
    description: "The rows",
    items: [
      { name: "what", format: "text", description: "What it is", items: [] },
      { name: "many", format: "number", description: "How many", items: [] },
    ],
  },
];

const paper = (content: LedgerContent): string => ledgerPdf(content).toString("base64");
const other = (): string =>
  placedText([
    [60, 60, "Minutes of the meeting"],
    [60, 100, "Present were all members of the board"],
    [60, 140, "Next meeting"],
    [200, 140, "12 May 2026"],
    [60, 180, "Tally of votes"],
    [200, 180, "19"],
  ]).toString("base64");
const truthOf = ({ reference, worth, rows }: LedgerContent) => ({
  reference,
  worth: Number(worth.replace(",", "")),
  rows: rows.map(([what, many]) => ({ what, many: Number(many) })),
});
const correctionsFor = (content: LedgerContent) =>
  Object.entries(truthOf(content)).map(([name, value]) => ({ path: `/0/${name}`, value }));

describeOverDatabases("learning by correction", (dialect) => {
  const at = peopleOver(dialect);

  const makeAgent = async (): Promise<string> => {
    const body = { name: "Ledgers", type: "EXTRACTOR", configuration: { params } };
    return (await at.ada.send("POST", "/v2/agents", body)).body.data.reference;
  };
  const extract = async (agent: string, file: string) => {
    const answer = await at.ada.send("POST", `/v2/extractor/${agent}`, {
      filename: "ledger.pdf",
      file,
      include: ["evidence"],
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { data, metadata } = answer.body;
    return { data: data[0], id: metadata.extraction_id as string, evidence: metadata.evidence[0] };
  };
  const teach = async (agent: string, content = firstLedger, corrections: object[] = correctionsFor(content)) => {
    const { id } = await extract(agent, paper(content));
    const answer = await at.ada.send("POST", `/v2/extractor/${agent}/corrections`, { extraction_id: id, corrections });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const endedOf = async (id: string) => {
    for (;;) {
      const { body } = await at.ada.send("GET", `/v2/extractor/async/${id}`);
      if (body.status !== "started") return body;
      await setTimeout(20);
    }
  };
  const learnedBy = async (agent: string) => (await at.ada.send("GET", `/v2/extractor/${agent}/corrections`)).body.data;

  test("after one correction, the next document of the same layout is extracted correctly, and others as before", async () => {
    const agent = await makeAgent();
    const [plain, plainOther] = [await extract(agent, paper(nextLedger)), await extract(agent, other())];
    assert.notDeepEqual(plain.data, truthOf(nextLedger));
    const taught = await teach(agent);
    assert.deepEqual(taught.not_found, []);
    const { data, evidence } = await extract(agent, paper(nextLedger));
    assert.deepEqual(data, truthOf(nextLedger));
    assert.equal(evidence.reference.quote, nextLedger.reference);
    assert.equal(evidence.rows[2].many.quote, "21");
    assert.ok(evidence.worth.confidence > 0.5 && evidence.worth.confidence < 1);
    assert.deepEqual((await extract(agent, other())).data, plainOther.data);
  });

  test("what was learned is listed as rules and labels, with the number of uses", async () => {
    const agent = await makeAgent();
    const { id } = await teach(agent);
    await extract(agent, paper(nextLedger));
    const [entry] = await learnedBy(agent);
    assert.deepEqual([entry.id, entry.filename, entry.source, entry.times_used], [id, "ledger.pdf", "correction", 1]);
    assert.deepEqual(
      entry.learned.map(({ field, item, rule, label }: Record<string, string>) => [field, item ?? null, rule, label]),
      [
        ["reference", null, "label_left", "Folio"],
        ["worth", null, "label_left", "Tally"],
        ["rows", "what", "column", "Article"],
        ["rows", "many", "column", "Pieces"],
      ],
    );
  });

  test("after a correction is undone, extraction returns exactly the values from before it", async () => {
    const agent = await makeAgent();
    const before = await extract(agent, paper(nextLedger));
    const { id } = await teach(agent);
    assert.equal((await at.ada.send("DELETE", `/v2/extractor/${agent}/corrections/${id}`)).status, 200);
    const undone = await extract(agent, paper(nextLedger));
    assert.deepEqual([undone.data, undone.evidence], [before.data, before.evidence]);
    assert.equal((await at.ada.send("DELETE", `/v2/extractor/${agent}/corrections/${id}`)).body.code, "not_found");
    await teach(agent);
    await teach(agent, nextLedger);
    const all = await at.ada.send("DELETE", `/v2/extractor/${agent}/corrections`);
    assert.deepEqual(all.body.data, { removed: 2 });
    assert.deepEqual((await extract(agent, paper(nextLedger))).data, before.data);
  });

  test("teaching an extraction again replaces what was learned from it", async () => {
    const agent = await makeAgent();
    const { id } = await extract(agent, paper(firstLedger));
    const send = (corrections: object[]) =>
      at.ada.send("POST", `/v2/extractor/${agent}/corrections`, { extraction_id: id, corrections });
    await send([{ path: "/0/worth", value: 4 }]);
    await send([{ path: "/0/worth", value: 77.2 }]);
    const entries = await learnedBy(agent);
    assert.equal(entries.length, 1);
    assert.equal((await extract(agent, paper(nextLedger))).data.worth, 1402.55);
  });

  test("a corrected value that does not occur in the document is not learned", async () => {
    const agent = await makeAgent();
    const taught = await teach(agent, firstLedger, [{ path: "/0/reference", value: "Nowhere to be found" }]);
    assert.deepEqual([taught.not_found, taught.learned], [["reference"], []]);
  });

  test("a review in the web application teaches both corrected and confirmed values", async () => {
    const agent = await makeAgent();
    const { id } = await extract(agent, paper(firstLedger));
    const put = { corrections: correctionsFor(firstLedger), version: 1 };
    assert.equal((await at.bob.send("PUT", `/v2/extractions/${id}/corrections`, put)).status, 200);
    const reviewed = await at.bob.send("PATCH", `/v2/extractions/${id}`, { status: "reviewed" });
    assert.equal(reviewed.status, 200, JSON.stringify(reviewed.body));
    const [entry] = await learnedBy(agent);
    assert.deepEqual(reviewed.body.data.learned, { id: entry.id, fields: 3 });
    assert.equal(entry.source, "review");
    assert.deepEqual((await extract(agent, paper(nextLedger))).data, truthOf(nextLedger));
  });

  test("values that learning changed are marked, with the document that taught them", async () => {
    const agent = await makeAgent();
    const send = (include: string[] = []) =>
      at.ada.send("POST", `/v2/extractor/${agent}`, { filename: "ledger.pdf", file: paper(nextLedger), include });
    const before = (await send()).body.metadata;
    assert.equal(before.from_memory, undefined);
    const taught = await teach(agent);
    const { metadata } = (await send()).body;
    // The rows are found without learning, so they are not marked.
    const origin = { learned_id: taught.id, filename: "ledger.pdf", learned_at: taught.created_at };
    const expected = ["/0/reference", "/0/worth"].map((path) => ({ path, ...origin }));
    assert.deepEqual(metadata.from_memory, expected);
    const started = await at.ada.send("POST", `/v2/extractor/async/${agent}`, {
      filename: "ledger.pdf",
      file: paper(nextLedger),
      keep: true,
    });
    const get = async (id: string) => (await at.ada.send("GET", `/v2/extractions/${id}`)).body.data;
    assert.deepEqual((await get(metadata.extraction_id)).from_memory, expected);
    assert.equal((await get(before.extraction_id)).from_memory, undefined);

    const ended = await endedOf(started.body.extract_id);
    assert.deepEqual(ended.metadata.from_memory, expected);
    assert.deepEqual((await get(started.body.extract_id)).from_memory, expected);

    // After what was learned is deleted, earlier results keep their marks, and later results have
    // no marks.
    await at.ada.send("DELETE", `/v2/extractor/${agent}/corrections`);
    assert.deepEqual((await get(metadata.extraction_id)).from_memory, expected);
    assert.equal((await send()).body.metadata.from_memory, undefined);
  });

  test("a value that the extractor finds without learning is not marked", async () => {
    const found = { name: "tally", format: "number", description: "The tally", items: [] };
    const body = { name: "Tallies", type: "EXTRACTOR", configuration: { params: [found] } };
    const agent = (await at.ada.send("POST", "/v2/agents", body)).body.data.reference;
    const first = await extract(agent, paper(nextLedger));
    assert.equal(first.data.tally, 1402.55);
    await teach(agent, firstLedger, [{ path: "/0/tally", value: 77.2 }]);
    const { body: second } = await at.ada.send("POST", `/v2/extractor/${agent}`, {
      filename: "ledger.pdf",
      file: paper(nextLedger),
    });
    assert.equal(second.data[0].tally, 1402.55);
    assert.equal(second.metadata.from_memory, undefined);
    const [{ times_used }] = await learnedBy(agent);
    assert.equal(times_used, 1);
  });

  test("a review of an extraction without an extractor agent teaches nothing", async () => {
    const body = { filename: "ledger.pdf", file: paper(firstLedger), params };
    const { metadata } = (await at.ada.send("POST", "/v2/extractor", body)).body;
    const reviewed = await at.ada.send("PATCH", `/v2/extractions/${metadata.extraction_id}`, { status: "reviewed" });
    assert.deepEqual([reviewed.status, reviewed.body.data.learned], [200, undefined]);
  });

  test("learned documents can be exported from one agent and imported into another, and are deleted with their agent", async () => {
    const [agent, twin] = [await makeAgent(), await makeAgent()];
    await teach(agent);
    await teach(agent, nextLedger);
    assert.deepEqual(
      (await extract(twin, paper(nextLedger))).data,
      (await extract(await makeAgent(), paper(nextLedger))).data,
    );
    const exported = (await at.ada.send("GET", `/v2/extractor/${agent}/corrections/export`)).body
      .data as ExportedMemoryJson;
    assert.equal(exported.papers.length, 2);
    const imported = await at.ada.send("POST", `/v2/extractor/${twin}/corrections/import`, exported);
    assert.deepEqual([imported.status, imported.body.data], [201, { imported: 2 }]);
    const third = { reference: "ZA-001/K", worth: "8.00", rows: [["Clamp", "2"]] as const };
    assert.deepEqual((await extract(twin, paper(third))).data, truthOf(third));
    await at.ada.send("DELETE", `/v2/agents/${agent}`);
    const rows = await at.service.db.selectFrom("learned_papers").select("id").where("agent_id", "=", agent).execute();
    assert.deepEqual(rows, []);
  });

  test("invalid imports are refused, and imported rules with damaged positions change no result", async () => {
    const agent = await makeAgent();
    await teach(agent);
    const { papers } = (await at.ada.send("GET", `/v2/extractor/${agent}/corrections/export`)).body
      .data as ExportedMemoryJson;
    const [entry] = papers;
    assert.ok(entry);
    const send = (change: object) =>
      at.ada.send("POST", `/v2/extractor/${agent}/corrections/import`, { papers: [{ ...entry, ...change }] });
    for (const change of [{ fields: { worth: { anchors: [{}] } } }, { fields: 1 }, { checks: { a: { b: "yes" } } }])
      assert.equal((await send(change)).body.code, "invalid_request", JSON.stringify(change));
    assert.equal((await send({ skeleton: "a,b,c;;;,,,,1" })).status, 201);
    assert.deepEqual((await extract(agent, paper(nextLedger))).data, truthOf(nextLedger));
  });

  test("other agents, other organizations and members without permission are refused", async () => {
    const [agent, twin] = [await makeAgent(), await makeAgent()];
    const { id } = await extract(agent, paper(firstLedger));
    const body = { extraction_id: id, corrections: correctionsFor(firstLedger) };
    const elsewhere = await at.ada.send("POST", `/v2/extractor/${twin}/corrections`, body);
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [404, "not_found"]);
    const eve = await join(at.service, await at.service.organization("Elsewhere"), "administrator");
    assert.equal((await eve.send("POST", `/v2/extractor/${agent}/corrections`, body)).body.code, "agent_not_found");
    assert.equal((await eve.send("GET", `/v2/extractor/${agent}/corrections`)).body.code, "agent_not_found");
    assert.equal((await at.bob.send("POST", `/v2/extractor/${agent}/corrections`, body)).status, 201);
    assert.equal((await at.bob.send("DELETE", `/v2/extractor/${agent}/corrections`)).body.code, "forbidden");
    const wrong = { ...body, corrections: [{ path: "/0/unknown", value: 1 }] };
    assert.equal((await at.ada.send("POST", `/v2/extractor/${agent}/corrections`, wrong)).body.code, "invalid_request");
  });

  test("a repeated request with the same idempotency key teaches only once", async () => {
    const agent = await makeAgent();
    const { id } = await extract(agent, paper(firstLedger));
    const body = { extraction_id: id, corrections: correctionsFor(firstLedger) };
    const send = () =>
      at.ada.send("POST", `/v2/extractor/${agent}/corrections`, body, { "idempotency-key": `teach-${agent}` });
    const [one, again] = [await send(), await send()];
    assert.deepEqual([again.status, again.body], [201, one.body]);
    const actions = await at.service.db
      .selectFrom("audit_entries")
      .select("action")
      .where("target", "=", agent)
      .execute();
    assert.equal(actions.filter(({ action }) => action === "extractor.taught").length, 1);
  });
});
