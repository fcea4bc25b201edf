/** Removal of kept extractions: deletion, expiry, the sweep, and missing files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCorpus } from "../src/features/documents/corpus-check.ts";
import { removeExpired } from "../src/features/kept-extractions/kept-extractions.service.ts";
import { sweep } from "../src/features/maintenance/sweep.service.ts";
import { newId } from "../src/lib/ids.ts";
import { corpusOf, samplePath } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { dayMs, keptExtractionsOver } from "./helpers/kept-extractions.ts";
import { storedEarlier, withCalls } from "./helpers/stored-files.ts";

describeOverDatabases("removal of kept extractions", (dialect) => {
  const at = keptExtractionsOver(dialect);
  const { makeAgent, keptBy, keptFiles, cleaned } = at;

  test("deleted extractions, and the extractions of a deleted agent, leave no row and no file", async () => {
    const doomed = await makeAgent();
    const [one, two] = [await keptBy(at.bob, `/${doomed}`), await keptBy(at.bob, `/${doomed}`)];
    const ofDoomed = async () => (await keptFiles()).filter((path) => path.includes(doomed));
    assert.equal((await ofDoomed()).length, 4);
    assert.equal((await at.bob.send("DELETE", `/v2/extractions/${one}`)).status, 200);
    assert.equal((await at.bob.send("DELETE", `/v2/extractions/${one}`)).status, 404);
    assert.equal((await ofDoomed()).length, 2);
    assert.deepEqual((await at.ada.send("DELETE", `/v2/agents/${doomed}`)).body.data.warnings, []);
    assert.deepEqual(await ofDoomed(), []);
    assert.equal((await at.ada.send("GET", `/v2/extractions/${two}`)).status, 404);
    const rows = await at.service.db
      .selectFrom("kept_extractions")
      .select("id")
      .where("id", "in", [one, two])
      .execute();
    assert.deepEqual(rows, []);
  });

  test("an expired extraction is no longer returned, and maintenance removes it with its files", async () => {
    const [expired, young] = [await keptBy(at.bob), await keptBy(at.bob)];
    await keptBy(at.bob, `/${await makeAgent({ keep_extractions_days: 2 })}`);
    const soon = new Date(Date.now() + 29 * dayMs).toISOString();
    const past = new Date(Date.now() - 1).toISOString();
    assert.equal(await removeExpired(at.service.db, past), 0);
    await at.service.db.updateTable("kept_extractions").set({ expires_at: past }).where("id", "=", expired).execute();
    assert.equal((await at.bob.send("GET", `/v2/extractions/${expired}`)).status, 404);
    assert.equal(await removeExpired(at.service.db), 1);
    await cleaned();
    const paths = await keptFiles();
    assert.ok(!paths.some((path) => path.includes(expired)) && paths.some((path) => path.includes(young)));
    assert.equal(await removeExpired(at.service.db, soon), 1);
    assert.equal((await at.bob.send("GET", `/v2/extractions/${young}`)).status, 200);
    assert.ok((await removeExpired(at.service.db, new Date(Date.now() + 31 * dayMs).toISOString())) > 0);
    await cleaned();
    assert.deepEqual(await keptFiles(), []);
    assert.equal((await at.bob.send("GET", `/v2/extractions/${young}`)).status, 404);
  });

  test("the sweep removes files without a row, but keeps files of kept extractions", async () => {
    const id = await keptBy(at.bob, `/${at.agent}`);
    const before = await keptFiles();
    const strays = [
      `${at.organization.id}/extractions/${newId()}.original`,
      `${at.organization.id}/extractions.${at.agent}/${newId()}.document`,
    ];
    for (const key of strays) await at.files.put(key, samplePath);
    assert.equal((await sweep({ db: at.service.db, files: at.files }, { trashDays: 7 })).moved, 0);
    const old = storedEarlier(at.files, 2 * dayMs);
    assert.equal((await sweep({ db: at.service.db, files: old }, { trashDays: 7 })).moved, 2);
    assert.deepEqual(await keptFiles(), before);
    assert.ok(before.some((path) => path.includes(id)));
    await at.files.trash.empty("9");
  });

  test("the doctor reports a missing file", async () => {
    const id = await keptBy(at.bob);
    const parts = await corpusOf(at.service, at.organization).parts();
    assert.deepEqual((await checkCorpus(parts, { running: false })).problems, []);
    const lacking = withCalls(at.files, {
      list: async function* (prefix) {
        for await (const each of at.files.list(prefix)) if (!each.key.endsWith(`${id}.document`)) yield each;
      },
    });
    const { problems } = await checkCorpus({ ...parts, files: lacking }, { running: false });
    assert.deepEqual(problems, [`A file of the kept extraction ${id} is missing.`]);
  });
});
