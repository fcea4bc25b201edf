/**
 * Tests search by keywords and vectors: what each of the two searches finds, and what happens if
 * the embedding model is unavailable or is replaced by a different model.
 */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { vectorOf } from "../../../bench/scripted-model/server.ts";
import { type EmbeddingModel, type HybridOptions, openHybridIndex } from "./hybrid-index.ts";
import { openPassageIndex, type PassageIndex } from "./passage-index.ts";
import type { Passage } from "./passages.ts";

const timeout = 60_000;
const meanings = { automobile: "car", expensive: "price", costs: "price" };
const agent = "agent-1";
let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "hybrid-"));
});
after(() => rm(root, { recursive: true, maxRetries: 5 }));

const first: EmbeddingModel = { url: "http://localhost/v1", model: "first" };
const second: EmbeddingModel = { ...first, model: "second" };

/** Returns an embedding model that runs in this process. It records its requests. */
function modelOf() {
  const asked: { model: string; texts: number }[] = [];
  const state = { fails: false, asked, reports: 0 };
  const embed: HybridOptions["embed"] = async ({ model }, _, texts) => {
    if (state.fails) throw new Error("away");
    asked.push({ model, texts: texts.length });
    return texts.map((text) => Float32Array.from(vectorOf(text, model === "first" ? 64 : 32, meanings)));
  };
  return { state, embed };
}

async function openIn(folder: string, { state, embed }: ReturnType<typeof modelOf>, model = first) {
  return openHybridIndex({
    folder,
    index: await openPassageIndex({ folder }),
    model,
    embed,
    agents: async () => [agent],
    report: () => state.reports++,
    restMs: 50,
  });
}

const passage = (text: string, page = 1): Passage => ({ page, start: 0, end: 3, text, title: "", headings: [] });
const document = (reference: string) => ({ reference, name: `${reference}.pdf`, path: "" });
const found = async (index: PassageIndex, text: string) =>
  (await index.search(agent, { text, limit: 10 })).map((hit) => hit.document);
const until = async (reached: () => boolean | Promise<boolean>) => {
  for (const deadline = Date.now() + 20_000; !(await reached()); await sleep(20))
    assert.ok(Date.now() < deadline, "it takes too long");
};
const question = "how expensive might some automobile become";

async function fill(index: PassageIndex): Promise<void> {
  await index.put(agent, document("price"), [passage("The price of a car is 9,000 crowns.")]);
  await index.put(agent, document("harbour"), [passage("The harbour handled many containers."), passage("Ships.", 2)]);
}

test("a passage that shares no word with a question is found by meaning, until it is removed", {
  timeout,
}, async () => {
  const model = modelOf();
  await using index = await openIn(await mkdtemp(join(root, "a-")), model);
  await fill(index);
  await until(async () => (await found(index, question)).length === 3);
  const [hit] = await index.search(agent, { text: question, limit: 1 });
  assert.deepEqual([hit?.text, hit?.page, hit?.name], ["The price of a car is 9,000 crowns.", 1, "price.pdf"]);
  assert.equal((await found(index, "containers in the harbour"))[0], "harbour");
  const within = await index.search(agent, { text: question, limit: 9, documents: ["harbour"] });
  assert.deepEqual(
    within.map((each) => each.document),
    ["harbour", "harbour"],
  );
  await index.remove(agent, "price");
  assert.ok(!(await found(index, question)).includes("price"));
  await index.purge(agent, "rows");
  await index.purge(agent, "versions");
  assert.deepEqual([...new Set(await found(index, question))], ["harbour"]);
  await index.removeAgent(agent);
  assert.deepEqual(await found(index, question), []);
});

test("while the model is unavailable, questions are searched by keywords only; vectors are computed afterwards", {
  timeout,
}, async () => {
  const model = modelOf();
  model.state.fails = true;
  await using index = await openIn(await mkdtemp(join(root, "b-")), model);
  await fill(index);
  assert.deepEqual(await found(index, "price of a car"), ["price"]);
  assert.deepEqual(await found(index, question), []);
  await until(() => model.state.reports >= 2);
  model.state.fails = false;
  await until(async () => (await found(index, question))[0] === "price");
});

test("vectors that are missing at the start are computed once", { timeout }, async () => {
  const folder = await mkdtemp(join(root, "c-"));
  {
    await using words = await openPassageIndex({ folder });
    await fill(words);
  }
  const model = modelOf();
  {
    await using index = await openIn(folder, model);
    await until(async () => (await found(index, question))[0] === "price");
    await until(() => model.state.asked.reduce((sum, { texts }) => sum + (texts === 2 ? 1 : 0), 0) === 1);
  }
  model.state.asked.length = 0;
  await using index = await openIn(folder, model);
  assert.equal((await found(index, question))[0], "price");
  await sleep(1_000);
  assert.deepEqual(model.state.asked, [{ model: "first", texts: 1 }]);
});

test("after a change of model, all vectors are recomputed, and the previous vectors are searched until then", {
  timeout,
}, async () => {
  const folder = await mkdtemp(join(root, "d-"));
  const model = modelOf();
  {
    await using index = await openIn(folder, model);
    await fill(index);
    await until(async () => (await found(index, question)).length === 3);
  }
  const vectorsIn = async () => (await readdir(folder)).filter((name) => name.startsWith("vectors-")).length;
  assert.equal(await vectorsIn(), 1);
  await using index = await openIn(folder, model, second);
  assert.equal((await found(index, question))[0], "price");
  assert.equal(model.state.asked.at(-1)?.model, "first");
  await until(async () => {
    await found(index, question);
    return model.state.asked.at(-1)?.model === "second";
  });
  assert.equal((await found(index, question))[0], "price");
  await until(async () => (await vectorsIn()) === 1);
});

test("two processes that find the same documents without vectors compute each vector once", { timeout }, async () => {
  const folder = await mkdtemp(join(root, "e-"));
  {
    await using words = await openPassageIndex({ folder });
    for (let i = 0; i < 6; i++) await words.put(agent, document(`d${i}`), [passage(`The price of car ${i}.`)]);
  }
  const model = modelOf();
  {
    await using one = await openIn(folder, model);
    await using other = await openIn(folder, model);
    for (const index of [one, other])
      await until(async () => (await found(index, question)).length === 6 && model.state.asked.length >= 6);
    // Waits until both indexes have checked all documents.
    await sleep(2_000);
    assert.equal(new Set(await found(one, question)).size, 6);
  }
  const { connect } = await import("@lancedb/lancedb");
  const [name = ""] = (await readdir(folder)).filter((each) => each.startsWith("vectors-") && each.endsWith(".lance"));
  const connection = await connect(folder);
  const rows = await (await connection.openTable(name.slice(0, -".lance".length))).countRows();
  connection.close();
  assert.equal(rows, 6);
});

test("several indexes are searched by keywords and vectors, with one question vector", { timeout }, async () => {
  const model = modelOf();
  await using index = await openIn(await mkdtemp(join(root, "all-")), model);
  await index.put("agent-1", document("cars"), [passage("The car and its price.")]);
  await index.put("agent-2", document("hens"), [passage("Hens lay eggs."), passage("How some become brown.", 2)]);
  await until(() => model.state.asked.reduce((sum, { texts }) => sum + texts, 0) === 3);
  const embedded = model.state.asked.length;
  const hits = await index.searchAll(["agent-1", "agent-2", "agent-3"], { text: question, limit: 10 });
  assert.deepEqual(
    hits
      .map((hit) => [hit.agent, hit.document, hit.page])
      .toSorted()
      .slice(0, 1),
    [["agent-1", "cars", 1]],
  );
  assert.ok(hits.some(({ agent, page }) => agent === "agent-2" && page === 2));
  assert.equal(model.state.asked.length, embedded + 1);
});
