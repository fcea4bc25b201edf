/** The commands that fill, check and repair a corpus, with and without a running service. */
import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openPassageIndex } from "../../src/search/passage-index.ts";
import { createDatabase, describeSideBySide } from "../helpers/databases.ts";
import { firstCredentialOf, run, start, temporaryFolder } from "../helpers/process.ts";

const sample = join(import.meta.dirname, "../../../examples/invoice.pdf");
const other = join(import.meta.dirname, "../fixtures/invoice-ruled-table.pdf");

/** Runs the service until it has added the three documents of the agent to the index. */
async function serveUntilIndexed(settings: Record<string, string | undefined>, folder: string, agent: string) {
  await using server = start(["serve"], settings);
  await server.printed(/Sheaf is ready at /);
  for (let size = 0; size < 3; await sleep(200)) {
    await using index = await openPassageIndex({ folder });
    size = (await index.documents(agent)).size;
  }
}

describeSideBySide("commands of a corpus", (dialect) => {
  // The long timeout is for a dozen commands, one after another, on two databases at once.
  test("the commands ingest, doctor, reindex and limits", { timeout: 400_000 }, async () => {
    await using folder = await temporaryFolder();
    const database = await createDatabase(dialect);
    const data = join(folder.path, "data");
    const settings = { SHEAF_DATA_DIR: data, SHEAF_PORT: "0", DATABASE_URL: database.url, SHEAF_LOG_LEVEL: "error" };
    let end = () => {};
    try {
      const server = start(["serve"], settings);
      end = () => server.child.kill("SIGKILL");
      const [, url = ""] = await server.printed(/Sheaf is ready at (http:\/\/\S+) /);
      const { id, secret } = await firstCredentialOf(server);
      const token = (await (await fetch(`${url}/v2/token?client_id=${id}&client_secret=${secret}`)).json()) as {
        access_token: string;
      };
      const made = await fetch(`${url}/v2/agents`, {
        method: "POST",
        headers: { "x-api-key": token.access_token, "content-type": "application/json" },
        body: JSON.stringify({ name: "Corpus", type: "DOCUMENTALIST" }),
      });
      const agent = ((await made.json()) as { data: { reference: string } }).data.reference;
      const documents = join(folder.path, "documents");
      await mkdir(join(documents, "2026/march"), { recursive: true });
      await cp(sample, join(documents, "a.pdf"));
      await cp(other, join(documents, "2026/march/a.pdf"));
      await writeFile(join(documents, "notes.txt"), "no document");
      await symlink(sample, join(documents, "linked.pdf"));
      await writeFile(join(documents, "2026/broken.pdf"), "no PDF");
      const ingest = () => run(["ingest", documents, "--agent", agent], settings);

      // While a service runs, `ingest` only enqueues the documents, and the service processes them.
      const first = await ingest();
      assert.equal(first.code, 1, first.stderr);
      assert.match(first.stdout, /^ready {4}2026\/march\/a\.pdf: 1 page$/m);
      assert.match(first.stdout, /^error {4}2026\/broken\.pdf: The file is not a PDF\.$/m);
      assert.match(
        first.stdout,
        /^2 ready with \d+ pages, 1 failed, 0 were already in the corpus, 1 files have other types/m,
      );
      assert.match(first.stdout, /^1 link was not followed\.$/m);
      const again = await ingest();
      assert.equal(again.code, 0);
      assert.match(again.stdout, /^0 ready with 0 pages, 0 failed, 3 were already in the corpus/);
      const running = await run(["doctor"], settings);
      assert.match(running.stdout, /^ok {4}documents: 2 ready, 0 pending, 1 in error; files, index and jobs agree$/m);
      // Rebuilds the index while the service uses the same folder.
      const beside = await run(["reindex"], settings);
      assert.deepEqual([beside.code, beside.stdout, beside.stderr], [0, `${agent}  2 documents  Corpus\n`, ""]);
      const asked = await fetch(`${url}/v2/knowledge/${agent}`, {
        method: "POST",
        headers: { "x-api-key": token.access_token, "content-type": "application/json" },
        body: JSON.stringify({ query: "What is the invoice number?", include: ["citations"] }),
      });
      const answer = (await asked.json()) as { data: { citations: unknown[] } };
      assert.ok(answer.data.citations.length > 0, JSON.stringify(answer));
      server.child.kill("SIGTERM");
      assert.equal((await server.finished).code, 0);

      // Ingests without a running service, and with a limit on documents.
      const plan = await run(["plan", "set", "small", "--max-documents", "4", "--max-upload-mb", "1"], settings);
      assert.equal(plan.code, 0, plan.stderr);
      assert.equal((await run(["plan", "assign", "default", "small"], settings)).code, 0);
      for (const name of ["b.pdf", "c.pdf"]) await cp(sample, join(documents, name));
      const limited = await ingest();
      assert.equal(limited.code, 1);
      assert.match(limited.stdout, /^refused {2}c\.pdf: The quota of the plan is reached\.$/m);
      assert.match(limited.stdout, /^1 ready with \d+ pages?, 1 failed, 3 were already in the corpus/m);

      // A lost index is rebuilt; a lost file is reported.
      await rm(join(data, "index"), { recursive: true });
      const broken = await run(["doctor"], settings);
      assert.equal(broken.code, 1);
      assert.match(broken.stdout, /^FAIL {2}documents: Document \S+ of agent \S+ is missing from the index\.$/m);
      const mended = await run(["reindex", "--agent", agent], settings);
      assert.deepEqual([mended.code, mended.stdout], [0, `${agent}  3 documents  Corpus\n`]);
      const sound = await run(["doctor"], settings);
      assert.match(sound.stdout, /^ok {4}documents: 3 ready/m);
      const index = await openPassageIndex({ folder: join(data, "index") });
      assert.equal((await index.documents(agent)).size, 3);
      await index[Symbol.asyncDispose]();

      // An index created by another version is refused, and can only be rebuilt as a whole. With
      // PostgreSQL, the service itself replaces such an index, because the folder contains only a
      // copy.
      await writeFile(join(data, "index", "version"), "0");
      for (const command of [...(dialect === "sqlite" ? [["serve"]] : []), ["reindex", "--agent", agent]]) {
        const { code, stderr } = await run(command, settings);
        assert.deepEqual([command, code], [command, 1]);
        assert.match(stderr, /^sheaf: The search index was created by another version of Sheaf: rebuild it/m);
      }
      if (dialect === "sqlite") assert.equal((await run(["reindex"], settings)).code, 0);
      else await serveUntilIndexed(settings, join(data, "index"), agent);
      assert.match((await run(["doctor"], settings)).stdout, /^ok {4}documents: 3 ready/m);
      const organization = (await readdir(join(data, "files"))).find((name) => !name.startsWith(".")) ?? "";
      const files = await readdir(join(data, "files", organization, agent));
      await rm(join(data, "files", organization, agent, files.find((name) => name.endsWith(".original")) ?? ""));
      await writeFile(join(data, "files", organization, agent, "stray.original"), "");
      await writeFile(join(data, "files", "notes.txt"), "");
      const lacking = await run(["doctor"], settings);
      assert.match(lacking.stdout, /The file of document [0-9a-f-]{36} is missing\./);
      // The doctor does not report a file that a crash may have left, because the sweep removes it.
      // It does report a file that the sweep would not remove.
      assert.doesNotMatch(lacking.stdout, /stray\.original/);
      assert.match(lacking.stdout, /The stored file notes\.txt does not have a name that Sheaf uses\./);
      assert.match(lacking.stdout, /^ok {4}stored files: \d+, 1 without a row/m);
      const of = (ending: string) => files.filter((name) => name.endsWith(ending)).toSorted();
      const folderOfFiles = join(data, "files", organization, agent);
      const [empty = "", short = ""] = of(".document");
      await truncate(join(folderOfFiles, empty), 0);
      const bytes = await readFile(join(folderOfFiles, short));
      bytes[bytes.length - 30] = (bytes[bytes.length - 30] ?? 0) ^ 1;
      await writeFile(join(folderOfFiles, short), bytes);
      await truncate(join(folderOfFiles, of(".original").at(-1) ?? ""), 100);
      const damaged = await run(["doctor"], settings);
      assert.match(damaged.stdout, new RegExp(`The stored text of document ${empty.slice(0, 36)} is empty\\.`));
      assert.match(damaged.stdout, new RegExp(`The stored text of document ${short.slice(0, 36)} is damaged\\.`));
      assert.match(
        damaged.stdout,
        /The file of document [0-9a-f-]{36} is damaged: its size is 100 bytes, and \d+ bytes were/,
      );
      const nobody = await run(["ingest", documents, "--agent", "nobody"], settings);
      assert.deepEqual([nobody.code, nobody.stderr], [1, "sheaf: No such agent.\n"]);
    } finally {
      end();
      await database.drop();
    }
  });
});
