/**
 * Combines the database, keys and stored files of different installations. The service must refuse
 * to start, and nothing may be lost.
 */
import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/config.ts";
import { createFirstOrganization } from "../../src/features/organizations/organizations.service.ts";
import { openFolderFiles } from "../../src/files/folder-files.ts";
import { openInstallation } from "../../src/installation.ts";
import { newId } from "../../src/lib/ids.ts";
import { openLog } from "../../src/lib/log.ts";
import { createDatabase, describeOverDatabases } from "../helpers/databases.ts";
import { clientOf, type Place, placeOver, settled, urlOf } from "../helpers/killed-service.ts";
import { run, start } from "../helpers/process.ts";

const sample = await readFile(join(import.meta.dirname, "../../../examples/invoice.pdf"));

describeOverDatabases("an installation", (dialect) => {
  const open = async ({ settings }: Pick<Place, "settings">, more: Record<string, string> = {}) => {
    const config = readConfig({ ...settings, ...more });
    await using installation = await openInstallation(config, openLog("silent"), { own: true });
    const { db } = installation.records;
    await createFirstOrganization({ db, keys: installation.keys });
    return (await db.selectFrom("installation").selectAll().executeTakeFirstOrThrow()).installation_id;
  };
  const markOf = async (folder: string) => (await readFile(join(folder, ".installation"), "utf8")).trim();
  const store = async ({ data, folder }: Place) => {
    const source = join(folder, "source");
    await writeFile(source, "x");
    const files = await openFolderFiles(join(data, "files"));
    await files.put(`${newId()}/${newId()}/${newId()}.original`, source);
  };
  /** Returns the settings of the place with a new, empty database. */
  const withDatabase = async (place: Place) => {
    const database = await createDatabase(dialect);
    const sqlite = join(place.data, "sheaf.db");
    if (dialect === "sqlite") for (const end of ["", "-wal", "-shm"]) await rm(sqlite + end, { force: true });
    return { settings: { ...place.settings, DATABASE_URL: database.url }, [Symbol.asyncDispose]: database.drop };
  };

  test("with an empty database the service refuses to start and deletes no file, until the operator runs `adopt`", async () => {
    await using here = await placeOver(dialect);
    const first = start(["serve"], here.settings);
    const client = await clientOf(first);
    for (let i = 0; i < 3; i++) await client.upload(client.url, `${i}.pdf`, sample);
    await settled(() => client.list(client.url));
    first.child.kill("SIGTERM");
    await first.finished;
    const filesOf = () => readdir(join(here.data, "files"), { recursive: true });
    const before = await filesOf();
    assert.ok(before.filter((name) => name.endsWith(".original")).length === 3);
    await using other = await withDatabase(here);
    const refused = await run(["serve"], other.settings);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^sheaf: The folder of the keys, \S+, belongs to installation \S+, but the database belongs to none\. .*`sheaf adopt`\.\n$/,
    );
    assert.deepEqual(await filesOf(), before);
    const adopted = await run(["adopt"], other.settings);
    assert.equal(adopted.code, 0, adopted.stderr);
    await using second = start(["serve"], other.settings);
    await urlOf(second);
    // Without `--yes`, `sweep` only counts files. None of those without a row is old enough to be
    // moved by the sweep of the service.
    const doctor = await run(["sweep"], other.settings);
    assert.match(
      doctor.stdout,
      /^6 stored files, 6 without a row in the database, 0 of these older than a day; 0 in the trash\.$/m,
    );
    assert.deepEqual(await filesOf(), before);
  });

  test("files and keys of another installation are refused, and the message names them", async () => {
    await using here = await placeOver(dialect);
    await using there = await placeOver(dialect);
    const id = await open(here);
    await open(there);
    assert.deepEqual([await markOf(join(here.data, "files")), await markOf(join(here.data, "keys"))], [id, id]);
    await assert.rejects(
      open(here, { SHEAF_FILES_DIR: join(there.data, "files") }),
      /^ForeignPart: The folder of the stored files, \S+, belongs to installation \S+, but the database belongs to installation/,
    );
    // Copies only the mark (`.installation`) of the other installation. Its keys would already be
    // refused by their fingerprint; a wrong mark beside the correct keys must be refused too.
    await cp(join(there.data, "keys/.installation"), join(here.data, "keys/.installation"));
    await assert.rejects(open(here), /^ForeignPart: The folder of the keys, /);
    assert.equal((await run(["adopt"], here.settings)).code, 0);
    assert.equal(await open(here), id);
  });

  test("a folder of stored files without a mark is refused, because it may be an empty mount point", async () => {
    await using here = await placeOver(dialect);
    const id = await open(here);
    await rename(join(here.data, "files"), join(here.data, "away"));
    await mkdir(join(here.data, "files"));
    await assert.rejects(
      open(here),
      /has no mark of this installation \(\.installation\): it may be an empty mount point/,
    );
    await rm(join(here.data, "files"), { recursive: true });
    await rename(join(here.data, "away"), join(here.data, "files"));
    assert.equal(await open(here), id);
  });

  test("the first start after an upgrade marks the folders of an earlier version, unless the database is empty but the folders are not", async () => {
    await using here = await placeOver(dialect);
    await open(here);
    await store(here);
    const forget = async () => {
      await forgetInDatabase();
      for (const folder of ["files", "keys"]) await rm(join(here.data, folder, ".installation"), { force: true });
    };
    const forgetInDatabase = async () => {
      await using records = here.open();
      const { db } = records;
      await db
        .updateTable("installation")
        .set({ installation_id: null as never, marked_at: null as never })
        .execute();
    };
    await forget();
    const id = await open(here);
    assert.deepEqual([await markOf(join(here.data, "files")), await markOf(join(here.data, "keys"))], [id, id]);
    // Simulates restoring a database from before the folders were marked.
    await forgetInDatabase();
    assert.equal(await open(here), id);
    await forget();
    await using other = await withDatabase(here);
    await assert.rejects(open(other), /The database is empty, but the folder of the stored files, \S+, contains files/);
  });

  test("if a start was killed before it marked the folders, the next start marks them", async () => {
    await using here = await placeOver(dialect);
    const id = await open(here);
    {
      await using records = here.open();
      await records.db
        .updateTable("installation")
        .set({ marked_at: null as never })
        .execute();
    }
    await rm(join(here.data, "files/.installation"));
    assert.equal(await open(here), id);
    assert.equal(await markOf(join(here.data, "files")), id);
  });

  test("processes that start at the same time use the same installation id", async () => {
    if (dialect === "sqlite") return;
    await using here = await placeOver(dialect);
    const shared = { SHEAF_FILES_DIR: join(here.folder, "files"), SHEAF_KEYS_DIR: join(here.folder, "keys") };
    const ids = await Promise.all(
      Array.from({ length: 4 }, (_, i) => open(here, { ...shared, SHEAF_DATA_DIR: join(here.folder, `data${i}`) })),
    );
    assert.equal(new Set(ids).size, 1);
    assert.equal(await markOf(shared.SHEAF_FILES_DIR), ids[0]);
  });
});
