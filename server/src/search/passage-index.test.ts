import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { openPassageIndex, type PassageIndex } from "./passage-index.ts";
import type { Passage } from "./passages.ts";

const timeout = 60_000;
let root = "";
before(async () => {
  root = await mkdtemp(join(tmpdir(), "passages-"));
});
after(() => rm(root, { recursive: true, maxRetries: 5 }));

const newFolder = () => mkdtemp(join(root, "index-"));
const passage = (text: string, page = 1): Passage => ({
  page,
  start: 0,
  end: 3,
  text,
  title: "Barns",
  headings: ["Corn"],
});
const document = (reference: string, path = "") => ({ reference, name: "barn.pdf", path });
const found = async (index: PassageIndex, text: string, agent = "agent-1") =>
  (await index.search(agent, { text, limit: 50 })).map((hit) => hit.document).toSorted();

test("a document that is indexed twice is found once, and not after its removal", { timeout }, async () => {
  await using index = await openPassageIndex({ folder: await newFolder() });
  assert.deepEqual(await found(index, "wheat"), []);
  await index.put("agent-1", document("d1"), [passage("Wheat in the barn."), passage("Rye.", 2)]);
  await index.put("agent-1", document("d1"), [passage("Wheat in the old barn.")]);
  await index.put("agent-1", document("d2"), [passage("More wheat")]);
  await index.put("agent-2", document("d3"), [passage("Wheat of another")]);
  assert.deepEqual(await found(index, "WHEAT"), ["d1", "d2"]);
  assert.deepEqual(await found(index, "rye"), []);
  assert.deepEqual(await index.documents("agent-1"), new Set(["d1", "d2"]));
  await index.remove("agent-1", "d1");
  assert.deepEqual(await found(index, "wheat"), ["d2"]);
  await index.remove("agent-1", "d2");
  assert.deepEqual(await found(index, "wheat"), []);
  await index.put("agent-1", document("d4"), [passage("Wheat again")]);
  assert.deepEqual(await found(index, "wheat"), ["d4"]);
  await index.removeAgent("agent-1");
  await index.removeAgent("agent-1");
  assert.deepEqual(await found(index, "wheat"), []);
  assert.deepEqual(await found(index, "wheat", "agent-2"), ["d3"]);
});

test("the only document of a corpus is found after it is indexed again", { timeout }, async () => {
  await using index = await openPassageIndex({ folder: await newFolder() });
  const passages = Array.from({ length: 5 }, (_, at) => passage(`Millet of field ${at}.`, at + 1));
  for (let time = 0; time < 3; time++) {
    await index.put("agent-1", document("d1"), passages);
    assert.equal((await found(index, "millet")).length, 5);
  }
  await index.remove("agent-1", "d1");
  assert.deepEqual(await found(index, "millet"), []);
  await index.put("agent-1", document("d2"), passages);
  assert.equal((await found(index, "millet")).length, 5);
});

test("a hit has the page and range of its words", { timeout }, async () => {
  await using index = await openPassageIndex({ folder: await newFolder() });
  const put = { ...passage("Oats, dry.", 7), start: 40, end: 42, headings: ["Store's", "Dry"] };
  await index.put("agent-1", { reference: "d'1", name: "stock list.pdf", path: "farm/o'neil" }, [put]);
  const [hit] = await index.search("agent-1", { text: "oats", limit: 1 });
  const { score, ...rest } = hit ?? assert.fail();
  assert.ok(score > 0);
  assert.deepEqual(rest, { ...put, document: "d'1", name: "stock list.pdf", path: "farm/o'neil" });
  for (const text of ["stock list", "dry", "barns", "o'neil"]) assert.deepEqual(await found(index, text), ["d'1"]);
});

test("a search can be limited to a path, excluding similar paths, or to given documents", { timeout }, async () => {
  await using index = await openPassageIndex({ folder: await newFolder() });
  const paths = { a: "", b: "farm", c: "farm/north", d: "farm2", e: "far_", f: "farm%/x" };
  for (const [reference, path] of Object.entries(paths))
    await index.put("agent-1", document(reference, path), [passage("Barley.")]);
  const of = async (query: object) =>
    (await index.search("agent-1", { text: "barley", limit: 9, ...query })).map((hit) => hit.document).toSorted();
  assert.deepEqual(await of({}), ["a", "b", "c", "d", "e", "f"]);
  assert.deepEqual(await of({ path: "farm" }), ["b", "c"]);
  assert.deepEqual(await of({ path: "farm%" }), ["f"]);
  assert.deepEqual(await of({ documents: ["a", "c", "z"] }), ["a", "c"]);
  assert.deepEqual(await of({ documents: [] }), []);
});

test("unusual questions do not cause errors, whether or not there are hits", { timeout }, async () => {
  await using index = await openPassageIndex({ folder: await newFolder() });
  await index.put("agent-1", document("d1"), [passage("Invoice RE-2017/05 of 1.234,56 EUR")]);
  await index.put("agent-1", document("d2"), [passage("Invoice RE-2017/06 of 99,00 EUR")]);
  for (const text of [
    "",
    " ",
    "?!",
    "'; DROP TABLE",
    "a AND (b OR",
    "\u0000",
    "x".repeat(8_000),
    "|",
    ".",
    "🌾",
    "\ud800",
  ])
    assert.ok(Array.isArray(await index.search("agent-1", { text, limit: 5 })));
  for (const text of ["RE-2017/05", "re201705", "1,234.56", "1234.56"])
    assert.equal((await index.search("agent-1", { text, limit: 1 }))[0]?.document, "d1");
  assert.deepEqual(await index.search("agent-1", { text: "invoice", limit: 0 }), []);
  await assert.rejects(index.search("../etc", { text: "x", limit: 1 }), TypeError);
});

test("an index keeps its passages when it is reopened", { timeout }, async () => {
  const folder = await newFolder();
  {
    await using index = await openPassageIndex({ folder });
    await index.put("agent-1", document("d1"), [passage("Spelt.")]);
    await index.put("agent-1", document("d2"), [passage("Spelt and rye.")]);
  }
  await using index = await openPassageIndex({ folder });
  assert.deepEqual(await found(index, "spelt"), ["d1", "d2"]);
});

test("a purge removes deleted text from the files, and then their earlier versions", { timeout }, async () => {
  const folder = await newFolder();
  await using index = await openPassageIndex({ folder, versionsKeptMs: 0 });
  const filesOf = async () =>
    new Set(
      (await readdir(folder, { recursive: true })).filter((name) => /(?:data|_indices|_deletions)\/.+\./.test(name)),
    );
  for (let i = 0; i < 40; i++) await index.put("agent-1", document(`d${i}`), [passage(`Grain number ${i} of spelt.`)]);
  await index.purge("agent-1", "versions");
  await index.remove("agent-1", "d7");
  const before = await filesOf();
  await index.purge("agent-1", "rows");
  await index.purge("agent-1", "versions");
  const after = await filesOf();
  assert.deepEqual(
    [...before].filter((name) => after.has(name)),
    [],
  );
  assert.ok(after.size > 0);
  assert.equal((await index.documents("agent-1")).size, 39);
  assert.equal((await index.search("agent-1", { text: "spelt", limit: 100 })).length, 39);
  await index.purge("agent-1", "rows");
  await index.put("agent-1", document("d7"), [passage("Emmer.")]);
  assert.deepEqual(await found(index, "emmer"), ["d7"]);
});

test("more agents can be searched than tables can be kept open", { timeout }, async () => {
  await using index = await openPassageIndex({ folder: await newFolder() });
  for (let agent = 0; agent < 20; agent++) await index.put(`a${agent}`, document(`d${agent}`), [passage("Emmer.")]);
  for (let agent = 0; agent < 1_200; agent++)
    assert.deepEqual(await found(index, "emmer", `a${agent}`), agent < 20 ? [`d${agent}`] : []);
  await index.remove("a3", "d3");
  assert.deepEqual(await found(index, "emmer", "a3"), []);
  assert.deepEqual(await found(index, "emmer", "a4"), ["d4"]);
});

test("searches see every write during an optimization", { timeout }, async () => {
  const problems: unknown[] = [];
  await using index = await openPassageIndex({ folder: await newFolder(), report: (error) => problems.push(error) });
  const many = Array.from({ length: 300 }, (_, i) => passage(`Row ${i} of the long ledger of grain`, i + 1));
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      await index.put("agent-1", document(`d${i}`), [...many, passage(`unique${i} word`)]);
      assert.deepEqual(await found(index, `unique${i}`), [`d${i}`]);
      if (i % 3 === 0) {
        await index.remove("agent-1", `d${i}`);
        assert.deepEqual(await found(index, `unique${i}`), []);
      }
    }),
  );
  assert.equal((await index.documents("agent-1")).size, 8);
  assert.deepEqual(problems, []);
});

test("many writes cause few optimizations, so closing does not wait long", { timeout }, async () => {
  const folder = await newFolder();
  const index = await openPassageIndex({ folder });
  const many = Array.from({ length: 300 }, (_, i) => passage(`Row ${i} of the ledger of sorghum`, i + 1));
  await Promise.all(Array.from({ length: 40 }, (_, i) => index.put("agent-1", document(`d${i}`), many)));
  const indexes = async () => (await readdir(join(folder, "agent-agent-1.lance", "_indices"))).length;
  const before = await indexes();
  await index[Symbol.asyncDispose]();
  assert.ok((await indexes()) <= before + 2);
  await using again = await openPassageIndex({ folder });
  assert.equal((await again.search("agent-1", { text: "sorghum", limit: 20_000 })).length, 12_000);
});

test("writes of other processes are seen at once, also after a long pause", { timeout }, async () => {
  const folder = await newFolder();
  await using writer = await openPassageIndex({ folder });
  await using reader = await openPassageIndex({ folder });
  for (let i = 0; i < 12; i++) {
    await writer.put("agent-1", document("d1"), [passage(`Teff number${i}`)]);
    assert.deepEqual(await found(reader, `number${i}`), ["d1"]);
    assert.deepEqual(await found(reader, `number${i - 1}`), []);
    if (i % 2 === 0) continue;
    await utimes(join(folder, "agent-agent-1.lance", "_versions"), 1_000 + i, 1_000 + i);
    for (let time = 0; time < 3; time++) assert.deepEqual(await found(reader, "teff"), ["d1"]);
  }
  await writer.remove("agent-1", "d1");
  assert.deepEqual(await found(reader, "teff"), []);
});

function putting(folder: string, prefix: string, count: number): { child: ChildProcess; lines: AsyncIterable<string> } {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "testing/putting-process.ts"), folder, prefix, `${count}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return { child, lines: createInterface({ input: child.stdout }) };
}

test("indexed documents survive a kill of the process", { timeout }, async () => {
  const folder = await newFolder();
  const { child, lines } = putting(folder, "k", 10_000);
  const done: string[] = [];
  for await (const line of lines) {
    done.push(line);
    if (done.length === 12) child.kill("SIGKILL");
  }
  await using index = await openPassageIndex({ folder });
  const held = await index.documents("shared");
  assert.deepEqual(
    done.filter((reference) => !held.has(reference)),
    [],
  );
  const hits = await index.search("shared", { text: "barley", limit: 100 });
  assert.deepEqual(new Set(hits.map((hit) => hit.document)), held);
  await index.put("shared", document("later"), [passage("Barley at last")]);
  assert.ok((await found(index, "last barley", "shared")).includes("later"));
});

test("a third process sees all writes of two others to one agent", { timeout }, async () => {
  const folder = await newFolder();
  await using index = await openPassageIndex({ folder });
  const children = ["a", "b"].map((prefix) => putting(folder, prefix, 10).child);
  for (const child of children) child.stdout?.resume();
  const codes = await Promise.all(children.map((child) => once(child, "exit")));
  assert.deepEqual(
    codes.map(([code]) => code),
    [0, 0],
  );
  const hits = await index.search("shared", { text: "barley", limit: 100 });
  assert.equal(new Set(hits.map((hit) => hit.document)).size, 20);
  assert.equal(hits.length, 20);
});

test("several indexes are searched as if they were one", { timeout }, async () => {
  await using index = await openPassageIndex({ folder: await newFolder() });
  // "Barley" and "harvest" are common in the small index, but rare if both indexes are taken
  // together.
  const many = Array.from({ length: 60 }, (_, at) => passage(at === 7 ? "Oats." : `Hens of yard ${at}.`, at + 1));
  const few = Array.from({ length: 3 }, (_, at) => passage(`The harvest of barley ${at}.`, at + 1));
  await index.put("large", document("d1"), many);
  await index.put("small", document("d2"), few);
  await index.put("whole", document("d1"), many);
  await index.put("whole", document("d2"), few);
  await index.put("other", document("d3"), [passage("The harvest of barley elsewhere.")]);
  const query = { text: "harvest of barley and oats", limit: 4 };
  const together = await index.searchAll(["large", "small", "none"], query);
  const whole = await index.search("whole", query);
  const scores = (hits: readonly { score: number }[]) => hits.map(({ score }) => score.toFixed(2));
  assert.deepEqual(scores(together), scores(whole));
  assert.deepEqual(
    together.map(({ agent, document }) => `${agent} ${document}`),
    ["small d2", "small d2", "small d2", "large d1"],
  );
  // If the scores of two separate searches were compared, the hit of the large index would come
  // first.
  const [best] = await index.search("small", query);
  const [other] = await index.search("large", query);
  assert.ok(best && other && best.score < other.score);
  assert.deepEqual(await index.searchAll([], query), []);
  assert.deepEqual(await index.searchAll(["large"], { text: "", limit: 10 }), []);
  assert.deepEqual(await index.searchAll(["large", "small"], { ...query, limit: 0 }), []);
});
