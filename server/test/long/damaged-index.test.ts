/**
 * A search index whose files were emptied, truncated or lost in a power failure. Afterwards all
 * documents are found again. Until then, questions fail with 503 and get no wrong answer.
 */
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openIndexGuard } from "../../src/features/documents/index-guard.ts";
import { rebuildIndex } from "../../src/features/documents/rebuild-index.ts";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import { makePdf } from "../../src/reading/testing/make-pdf.ts";
import { IndexDamaged } from "../../src/search/index-damaged.ts";
import { openPassageIndex, type PassageIndex } from "../../src/search/passage-index.ts";
import { corpusOf } from "../helpers/corpus.ts";
import { openTestService, type TestOrganization, type TestService } from "../helpers/service.ts";

const words = ["quokka", "axolotl", "pangolin"];
const fileOf = (word: string): string => {
  const text = `The ${word} weighs 12 kilograms.`;
  return Buffer.from(makePdf({ pages: [{ marks: [{ text, x: 72, y: 700 }] }] })).toString("base64");
};

const damages: Record<string, (path: string) => Promise<void>> = {
  emptied: (path) => truncate(path, 0),
  "cut short": async (path) => truncate(path, Math.floor((await stat(path)).size / 2)),
  removed: (path) => rm(path),
};

let service: TestService;
let organization: TestOrganization;
let agent: string;
before(async () => {
  service = await openTestService("sqlite");
  organization = await service.organization("Zoo");
  const corpus = corpusOf(service, organization);
  agent = await corpus.makeAgent();
  for (const word of [...words, "wombat"])
    await corpus.accepted(agent, { filename: `${word}.pdf`, file: fileOf(word) });
  const listed = await corpus.settled(agent);
  const wombat = listed.find(({ name }) => name === "wombat.pdf");
  await corpus.send("DELETE", `/v2/agents/${agent}/documents/${wombat?.reference}`);
});
after(() => service[Symbol.asyncDispose]());

/** Returns the non-empty files of an index folder. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return paths.filter((_, at) => (sizes[at] ?? 0) > 0).map((path) => path.slice(folder.length + 1));
}

const found = async (index: PassageIndex, word: string): Promise<string[]> =>
  (await index.search(agent, { text: word, limit: 10 })).map(({ name }) => name);

test("after each kind of damage to each index file, every document is found, if necessary after a rebuild", {
  timeout: 600_000,
}, async (t) => {
  const files = await openFolderFiles(service.config.filesDir);
  const { db } = service;
  const root = await mkdtemp(join(tmpdir(), "damaged-"));
  t.after(() => rm(root, { recursive: true }));
  const saved = join(root, "saved");
  await cp(service.config.indexDir, saved, { recursive: true });
  let [unharmed, rebuilt] = [0, 0];
  for (const file of await filesOf(saved))
    for (const [kind, damage] of Object.entries(damages)) {
      const folder = join(root, "index");
      await rm(folder, { recursive: true, force: true });
      await cp(saved, folder, { recursive: true });
      await damage(join(folder, file));
      let damaged = 0;
      const guard = { ...openIndexGuard(db), onDamage: async () => void damaged++ };
      await using index = await openPassageIndex({ folder, guard });
      const what = `${file} ${kind}`;
      for (const word of words) {
        const names = await found(index, word).catch((error: unknown) => {
          assert.ok(error instanceof IndexDamaged, `${what}: ${error}`);
          return undefined;
        });
        if (names) assert.deepEqual(names, [`${word}.pdf`], what);
      }
      // Ingesting another document detects the damage as well.
      const put = { reference: "new", name: "new.pdf", path: "" };
      const passages = [{ page: 1, start: 0, end: 1, text: "Numbat", title: "", headings: [] }];
      await index.put(agent, put, passages).catch((error: unknown) => {
        assert.ok(error instanceof IndexDamaged, `${what}: ${error}`);
      });
      if (damaged === 0) unharmed++;
      else {
        rebuilt++;
        const result = await rebuildIndex({ db, files, index }, { organizationId: organization.id, agent });
        assert.deepEqual(result, { indexed: words.length, failed: [] }, what);
      }
      for (const word of words) assert.deepEqual(await found(index, word), [`${word}.pdf`], what);
      assert.deepEqual(await index.missed(agent), [], what);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.startsWith("building-") && name.endsWith(".lance")),
        [],
      );
    }
  t.diagnostic(`${unharmed} damages had no effect, ${rebuilt} caused a rebuild of the index`);
  assert.ok(rebuilt > 0);
});

test("while its index is damaged, a running service answers correctly or responds with 503, and rebuilds the index", {
  timeout: 300_000,
}, async () => {
  const corpus = corpusOf(service, organization);
  const ask = async (word: string) => {
    const query = `How much does the ${word} weigh?`;
    return corpus.send("POST", `/v2/knowledge/${agent}`, { query, include: ["citations"] });
  };
  const isRight = ({ body }: Awaited<ReturnType<typeof ask>>, word: string): boolean =>
    body.data.citations.some(({ name }: { name: string }) => name === `${word}.pdf`);
  for (const kind of ["data", "_versions", "_indices", ""]) {
    const tables = (await readdir(service.config.indexDir)).filter((name) => name.startsWith(`agent-${agent}`));
    const folder = join(service.config.indexDir, tables[0] ?? "", kind);
    if (kind === "") await rm(folder, { recursive: true });
    else for (const file of await filesOf(folder)) await truncate(join(folder, file), 0);
    // Adds a document, because the index in memory would otherwise hide the damage on disk.
    const added = await corpus.accepted(agent, { filename: `${kind}numbat.pdf`, file: fileOf(`${kind}numbat`) });
    for (const word of words)
      for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
        const answer = await ask(word);
        assert.ok(Date.now() < deadline, `${kind}: ${JSON.stringify(answer.body)}`);
        if (answer.status === 503) assert.ok(answer.headers.get("retry-after"));
        else {
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
          assert.ok(isRight(answer, word), `${kind}: ${JSON.stringify(answer.body)}`);
          break;
        }
      }
    assert.ok((await corpus.settled(agent)).every(({ status }) => status === "ready"));
    assert.ok((await corpus.indexed(agent)).includes(added));
  }
});

test("an index that has lost its version file is still readable, and the file is created again", async () => {
  const root = await mkdtemp(join(tmpdir(), "damaged-"));
  await cp(service.config.indexDir, root, { recursive: true });
  await rm(join(root, "version"));
  await using index = await openPassageIndex({ folder: root });
  assert.deepEqual(await found(index, "quokka"), ["quokka.pdf"]);
  assert.match(await readFile(join(root, "version"), "utf8"), /^\d+$/);
});
