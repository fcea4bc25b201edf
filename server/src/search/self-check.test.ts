import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadLance } from "./lance.ts";
import { openPassageIndex, type PassageIndex } from "./passage-index.ts";

const agent = "agent-1";
const passage = (text: string, page = 1) => ({ page, start: 0, end: 3, text, title: "", headings: [] });
const put = (index: PassageIndex, reference: string, texts: string[]) =>
  index.put(
    agent,
    { reference, name: `${reference}.pdf`, path: "" },
    texts.map((text, at) => passage(text, at + 1)),
  );

/** Replaces the full-text index of the agent with one that contains no words. */
async function breakIndex(folder: string): Promise<void> {
  const { connect, Index } = await loadLance();
  const connection = await connect(folder);
  const table = await connection.openTable(`agent-${agent}`);
  const config = Index.fts({ baseTokenizer: "whitespace", stem: false, removeStopWords: false, maxTokenLength: 1 });
  await table.createIndex("terms", { config, replace: true });
  connection.close();
}

test("an optimization detects documents that are not found by their own words, and the index is rebuilt", {
  timeout: 120_000,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "self-check-"));
  t.after(() => rm(folder, { recursive: true, maxRetries: 5 }));
  const reports: string[] = [];
  await using index = await openPassageIndex({ folder, report: (error) => reports.push(String(error)) });
  for (let i = 0; i < 40; i++) await put(index, `copy${i}`, ["The same sorghum in every one of many copies."]);
  await put(index, "single", ["Teff alone."]);
  assert.deepEqual(await index.missed(agent), []);
  await breakIndex(folder);
  assert.equal((await index.missed(agent)).length, 41);
  const many = Array.from({ length: 300 }, (_, i) => `Row ${i} of the long ledger of grain`);
  await put(index, "ledger", many);
  for (const deadline = Date.now() + 60_000; (await index.missed(agent)).length > 0; await sleep(100))
    assert.ok(Date.now() < deadline, "nothing was mended");
  const hits = await index.search(agent, { text: "teff", limit: 3 });
  assert.deepEqual(
    hits.map(({ document }) => document),
    ["single"],
  );
  assert.match(reports.join("\n"), /do not find them/);
});
