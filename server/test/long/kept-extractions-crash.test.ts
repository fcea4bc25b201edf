/**
 * Kills a service while extractions are being kept. Each extraction that was returned must exist
 * with its files, and no other file may be left over. `TEST_KILLS` sets the number of kills.
 */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readStoredDocument } from "../../src/features/documents/documents.service.ts";
import { filesOfKept, placeOf } from "../../src/features/kept-extractions/kept-extractions.service.ts";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import { sampleBase64 as file } from "../helpers/corpus.ts";
import { describeOverDatabases } from "../helpers/databases.ts";
import { clientOf, placeOver, urlOf } from "../helpers/killed-service.ts";
import { start } from "../helpers/process.ts";

const kills = Number(process.env.TEST_KILLS ?? 4);
const inParallel = 4;
const params = [{ name: "total", format: "number", description: "Total amount" }];
const body = { filename: "a.pdf", file, params, keep: true };

describeOverDatabases("kept extractions and kills", (dialect) => {
  test(`${kills} kills during extractions: extractions that were returned are kept, and no other file is left over`, async (t) => {
    await using here = await placeOver(dialect);
    let server = start(["serve"], here.settings);
    const { url: first, send } = await clientOf(server);
    let url = first;
    let isOver = false;
    const returned: string[] = [];
    const started: string[] = [];
    const work = async (path: string) => {
      while (!isOver) {
        const callback = { callback: "https://callback.invalid/" };
        const answer = await send(url, "POST", path, { ...body, ...callback }).catch(() => undefined);
        if (answer?.status === 200 && path.endsWith("/async")) {
          started.push(answer.body.extract_id);
          await sleep(200);
        } else if (answer?.status === 200) returned.push(answer.body.metadata.extraction_id);
        else await sleep(50);
      }
    };
    const working = Array.from({ length: inParallel }, (_, i) => work(`/v2/extractor${i === 0 ? "/async" : ""}`));
    for (let i = 0; i < kills; i++) {
      const before = returned.length;
      while (returned.length === before) await sleep(10);
      await sleep(Math.random() * 300);
      server.child.kill("SIGKILL");
      await server.finished;
      server = start(["serve"], here.settings);
      url = await urlOf(server);
    }
    isOver = true;
    await Promise.all(working);
    await using _last = server;
    const files = await openFolderFiles(join(here.data, "files"));
    const kept = async () => {
      await using opened = here.open();
      return await opened.db.selectFrom("kept_extractions").selectAll().execute();
    };
    const isKept = async (id: string) => (await kept()).some((row) => row.id === id);
    const deadline = performance.now() + 60_000;
    for (const id of started)
      while (!(await isKept(id))) {
        assert.ok(performance.now() < deadline, `${id} is not kept`);
        await sleep(50);
      }
    const stored = async () => {
      const names = await readdir(join(here.data, "files"), { recursive: true });
      return names.filter((name) => /\/extractions\/[^/]+\.(original|document)$/.test(name) && !name.startsWith("."));
    };
    const expected = async () => (await kept()).flatMap(filesOfKept).sort();
    while ((await stored()).sort().join() !== (await expected()).join()) {
      assert.ok(performance.now() < deadline, "files and rows differ");
      await sleep(100);
    }
    const rows = await kept();
    for (const id of returned) assert.ok(rows.some((row) => row.id === id));
    for (const row of rows) assert.equal((await readStoredDocument(files, placeOf(row))).pages.length, row.pages);
    t.diagnostic(`${returned.length} returned, ${started.length} started, ${rows.length} kept`);
  });
});
