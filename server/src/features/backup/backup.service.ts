/**
 * Backs up a whole installation, even while a service is running. It first copies the stored files,
 * then takes a snapshot of all rows, and finally copies any other files that these rows need.
 * Stored files never change, so a file that was copied before the snapshot is still correct.
 * Objects, such as documents, may be deleted between the snapshot and the last copy. The manifest
 * lists them, and a restore leaves them out.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, lstat, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type { StoredFiles } from "../../files/stored-files.ts";
import { now } from "../../lib/clock.ts";
import { syncPath } from "../../lib/sync-path.ts";
import { version } from "../../lib/version.ts";
import { type DumpedRow, type Snapshot, withSnapshot } from "../../records/dump.ts";
import { newerMigrations } from "../../records/migrate.ts";
import { openRecords, type Records, type RecordsSettings } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { filesOfDocument } from "../documents/documents.service.ts";
import { filesOfKeptClassification } from "../kept-classifications/kept-classifications.service.ts";
import { filesOfKept } from "../kept-extractions/kept-extractions.service.ts";
import { filesOfOperation } from "../operations/operations.service.ts";
import { readInside } from "./backup-files.ts";
import {
  ByteCounter,
  filePath,
  formatVersion,
  keyPath,
  type Manifest,
  manifestName,
  maxKeyBytes,
  sumsName,
  tablePath,
} from "./backup-format.ts";

/**
 * The parts of an installation that are backed up. The search index is not among them, because a
 * restore rebuilds it from the other parts.
 */
export interface BackupSource {
  database: RecordsSettings;
  files: StoredFiles;
  keysDir: string;
}

export interface BackupOptions {
  /** Omits the keys from the backup. Use it if they are kept elsewhere. */
  withoutKeys: boolean;
}

/**
 * A finished backup. `missing` lists stored files that rows need but that do not exist. If there
 * are any, the installation is damaged. The backup then contains everything else.
 */
export interface Backup {
  manifest: Manifest;
  missing: string[];
}

/**
 * Makes a backup in `target`, a folder that must not exist yet. The folder has a temporary name
 * until it is complete and synced.
 * @throws Error if there is no installation, `target` exists, or a newer version has migrated the
 * database
 */
export async function makeBackup(source: BackupSource, target: string, options: BackupOptions): Promise<Backup> {
  const folder = resolve(target);
  await refuseExisting(folder);
  await using stack = new AsyncDisposableStack();
  const records = await openExisting(source);
  stack.defer(() => records.close());
  await refuseNewer(records);
  const part = `${folder}.part`;
  const removePart = () => rm(part, { recursive: true, force: true });
  await removePart();
  stack.defer(removePart);
  await mkdir(part, { mode: 0o700 });
  const backup = await new Writer(part, records, source.files).write(source.keysDir, options);
  await refuseExisting(folder);
  await rename(part, folder);
  await syncPath(dirname(folder));
  await recordBackup(records, backup.manifest);
  return backup;
}

async function refuseExisting(folder: string): Promise<void> {
  const isThere = await lstat(folder).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${folder} already exists: a backup must be a new folder.`);
}

/**
 * Throws if a newer version has migrated the database. This version does not know which stored
 * files belong to the tables of a newer version.
 */
async function refuseNewer({ db }: Records): Promise<void> {
  const [newer] = await newerMigrations(db);
  if (newer !== undefined)
    throw new Error(`A newer version has migrated the database (${newer}): make the backup with that version.`);
}

/** Opens the database without migrating it. */
async function openExisting({ database }: BackupSource): Promise<Records> {
  const none = "There is no installation to back up.";
  if (database.dialect === "sqlite")
    await access(database.path).catch(() => {
      throw new Error(none);
    });
  const records = openRecords(database);
  try {
    if ((await keyFingerprintOf(records)) !== undefined) return records;
  } catch (error) {
    await records.close();
    throw new Error(none, { cause: error });
  }
  await records.close();
  throw new Error(none);
}

/**
 * Reads a key file. Follows links, because some deployments provide each key as a link to a file in
 * the same folder.
 */
async function readKeyFile(keysDir: string, name: string): Promise<Buffer> {
  const folder = await realpath(keysDir);
  const path = relative(folder, await realpath(join(folder, name)));
  if (path.startsWith("..")) throw new Error(`${name} in ${keysDir} is a link to a file outside of that folder.`);
  return readInside(folder, path, maxKeyBytes);
}

const keyFingerprintOf = async ({ db }: Records): Promise<string | undefined> =>
  (await db.selectFrom("installation").select("key_fingerprint").executeTakeFirst())?.key_fingerprint;

/**
 * Records the backup in the audit log, if this version can use the database without migrating it.
 */
async function recordBackup(records: Records, { taken_at, tables, files }: Manifest): Promise<void> {
  if (!(await records.isCurrent())) return;
  const detail = { taken_at, documents: tables.documents ?? 0, ...files };
  await recordAudit(records.db, { operator: "cli" }, { action: "backup.made", detail });
}

/**
 * For each table whose rows need stored files, a function that returns the files that a row needs.
 */
const neededBy: Record<string, (row: DumpedRow) => string[]> = {
  documents: (row) => filesOfDocument(row as unknown as Parameters<typeof filesOfDocument>[0]),
  kept_classifications: (row) =>
    filesOfKeptClassification(row as unknown as Parameters<typeof filesOfKeptClassification>[0]),
  kept_extractions: (row) => filesOfKept(row as unknown as Parameters<typeof filesOfKept>[0]),
  operations: (row) => filesOfOperation(row as unknown as Parameters<typeof filesOfOperation>[0]),
};

interface Need {
  table: string;
  id: string;
}

interface Copied {
  storedMs: number;
  bytes: number;
}

const copiesAtOnce = 8;

class Writer {
  readonly #folder: string;
  readonly #records: Records;
  readonly #files: StoredFiles;
  /** Hash of every complete file, by path. */
  readonly #sums = new Map<string, string>();
  readonly #folders = new Set<string>();
  readonly #copied = new Map<string, Copied>();
  readonly #needed = new Map<string, Need>();

  constructor(folder: string, records: Records, files: StoredFiles) {
    this.#folder = folder;
    this.#records = records;
    this.#files = files;
  }

  async write(keysDir: string, { withoutKeys }: BackupOptions): Promise<Backup> {
    await this.#copyStored(() => true);
    const takenAt = now();
    const { migrations, tables } = await withSnapshot(this.#records, (snapshot) => this.#writeTables(snapshot));
    await this.#copyStored((key, storedMs) => this.#needed.has(key) && this.#copied.get(key)?.storedMs !== storedMs);
    for (const key of [...this.#copied.keys()].filter((key) => !this.#needed.has(key))) await this.#drop(key);
    const { gone, missing } = await this.#lacking();
    if (!withoutKeys) await this.#copyKeys(keysDir);
    const bytes = [...this.#copied.values()].reduce((sum, copied) => sum + copied.bytes, 0);
    const sums = [...this.#sums].sort().map(([path, sum]) => `${sum}  ${path}\n`);
    const manifest: Manifest = {
      format: formatVersion,
      version,
      taken_at: takenAt,
      migrations,
      tables,
      files: { count: this.#copied.size, bytes },
      key_fingerprint: (await keyFingerprintOf(this.#records)) ?? "",
      has_keys: !withoutKeys,
      gone,
      sums_sha256: createHash("sha256").update(sums.join("")).digest("hex"),
    };
    await this.#put(sumsName, sums.join(""));
    await this.#put(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
    for (const folder of this.#folders) await syncPath(folder);
    return { manifest, missing };
  }

  async #writeTables({ migrations, tables, rows }: Snapshot) {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      let count = 0;
      const needs = neededBy[table];
      const lines = async function* (needed: Map<string, Need>) {
        for await (const row of rows(table)) {
          count++;
          for (const key of needs?.(row) ?? []) needed.set(key, { table, id: String(row.id) });
          yield `${JSON.stringify(row)}\n`;
        }
      };
      const meter = new ByteCounter();
      const path = tablePath(table);
      const output = createWriteStream(await this.#place(path), { flags: "wx", mode: 0o600, flush: true });
      await pipeline(Readable.from(lines(this.#needed)), createZstdCompress(), meter, output);
      this.#sums.set(path, meter.sha256());
      counts[table] = count;
    }
    return { migrations, tables: counts };
  }

  /**
   * Copies the wanted stored files, several at the same time. Skips files that are deleted before
   * they are copied.
   */
  async #copyStored(wanted: (key: string, storedMs: number) => boolean): Promise<void> {
    const listed = this.#files.list()[Symbol.asyncIterator]();
    const copyAll = async () => {
      for (;;) {
        const { done, value } = await listed.next();
        if (done) return;
        if (wanted(value.key, value.storedMs)) await this.#copy(value.key, value.storedMs);
      }
    };
    await Promise.all(Array.from({ length: copiesAtOnce }, copyAll));
  }

  async #copy(key: string, storedMs: number): Promise<void> {
    const path = filePath(key);
    const target = await this.#place(path);
    const meter = new ByteCounter();
    try {
      await pipeline(this.#files.open(key), meter, createWriteStream(target, { mode: 0o600, flush: true }));
      this.#sums.set(path, meter.sha256());
      this.#copied.set(key, { storedMs, bytes: meter.bytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await this.#drop(key);
    }
  }

  async #drop(key: string): Promise<void> {
    this.#copied.delete(key);
    this.#sums.delete(filePath(key));
    await rm(join(this.#folder, filePath(key)), { force: true });
  }

  /**
   * Finds the needed files that could not be copied. `gone` contains the ids of the rows that no longer
   * need them, for example because they have been deleted since the snapshot. `missing` contains the
   * files that rows still need.
   */
  async #lacking() {
    const gone: Record<string, Set<string>> = Object.fromEntries(
      Object.keys(neededBy).map((table) => [table, new Set<string>()]),
    );
    const missing: string[] = [];
    for (const [key, { table, id }] of this.#needed) {
      if (this.#copied.has(key)) continue;
      const row = await this.#records.db
        .selectFrom(table as "documents")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      if (row !== undefined && neededBy[table]?.(row).includes(key)) missing.push(key);
      else gone[table]?.add(id);
    }
    const { documents = [], operations = [], kept_extractions = [], kept_classifications = [] } = gone;
    const all = {
      documents: [...documents],
      operations: [...operations],
      kept_extractions: [...kept_extractions],
      kept_classifications: [...kept_classifications],
    };
    return { gone: all, missing };
  }

  async #copyKeys(keysDir: string): Promise<void> {
    for (const name of await readdir(keysDir)) {
      if (!name.endsWith(".key")) continue;
      // Maintenance may have removed an expired key after the folder was listed.
      const content = await readKeyFile(keysDir, name).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (content) await this.#put(keyPath(name), content, true);
    }
  }

  async #put(path: string, content: string | Buffer, summed = false): Promise<void> {
    const target = await this.#place(path);
    await writeFile(target, content, { flag: "wx", mode: 0o600, flush: true });
    if (summed) this.#sums.set(path, createHash("sha256").update(content).digest("hex"));
  }

  /** Creates the parent folder of a path if it is missing. */
  async #place(path: string): Promise<string> {
    const target = join(this.#folder, path);
    for (let folder = dirname(target); !this.#folders.has(folder); folder = dirname(folder)) {
      this.#folders.add(folder);
      if (folder === this.#folder) break;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    return target;
  }
}
