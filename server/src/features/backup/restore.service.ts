/**
 * Restores a backup into an empty installation, which may use either database. During the restore,
 * a marker in the data folder prevents any service from starting.
 */
import { createWriteStream } from "node:fs";
import { access, mkdir, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import type { StoredFiles } from "../../files/stored-files.ts";
import { leaseHolders, releaseAll } from "../../jobs/leases.ts";
import { makeDurableFolder } from "../../lib/durable-file.ts";
import { tryLock } from "../../lib/file-lock.ts";
import { openKeys } from "../../lib/keys.ts";
import { syncPath } from "../../lib/sync-path.ts";
import { type DumpedRow, isEmpty, loadDump } from "../../records/dump.ts";
import { type Db, openRecords, type Records, type RecordsSettings } from "../../records/records.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { dropDocuments } from "../documents/documents.service.ts";
import { type MarkedParts, markParts } from "../installation/installation.service.ts";
import { dropKeptClassifications } from "../kept-classifications/kept-classifications.service.ts";
import { dropKept } from "../kept-extractions/kept-extractions.service.ts";
import { dropOperations } from "../operations/operations.service.ts";
import { filesInside, openInside, readInside } from "./backup-files.ts";
import { type Manifest, maxFileBytes, maxKeyBytes, readManifest, tablePath, verify } from "./backup-format.ts";

/** Destination of the restored installation. */
export interface Places {
  database: RecordsSettings;
  dataDir: string;
  /** Undefined if the stored files are in S3. */
  filesDir: string | undefined;
  indexDir: string;
  keysDir: string;
  openFiles(): Promise<StoredFiles>;
  markedParts(): Promise<MarkedParts>;
}

const markName = "restore.unfinished";
const lockName = "sheaf.lock";

/** @throws Error if a restore into the data folder was interrupted */
export async function refuseUnfinished(dataDir: string): Promise<void> {
  const isMarked = await access(join(dataDir, markName)).then(
    () => true,
    () => false,
  );
  if (isMarked)
    throw new Error(`A restore into ${dataDir} was interrupted. Empty the folder and the database, and restore again.`);
}

/**
 * Restores a backup.
 * @param rebuild builds the search index, which a backup does not contain
 * @throws Error if the backup has changed, the destination is not empty, or the keys do not belong
 * to the rows
 */
export async function restoreBackup(
  backup: string,
  places: Places,
  rebuild: (db: Db, files: StoredFiles) => Promise<void>,
): Promise<Manifest> {
  const manifest = await readManifest(backup);
  await verify(backup, manifest);
  const { dataDir, filesDir, indexDir, keysDir } = places;
  const folders = [dataDir, ...(filesDir === undefined ? [] : [filesDir]), indexDir];
  await refuseFilled([...folders, ...(manifest.has_keys ? [keysDir] : [])], keysDir);
  await using stack = new AsyncDisposableStack();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = tryLock(join(dataDir, lockName));
  if (!lock) throw new Error(`Another Sheaf process is using the data folder ${dataDir}.`);
  stack.defer(() => lock.release());
  const records = openRecords(places.database);
  stack.defer(() => records.close());
  if (!(await isEmpty(records)))
    throw new Error("The database is not empty: a backup can only be restored into an empty database.");
  if (filesDir === undefined) await refuseUsed(await places.markedParts());
  await writeFile(join(dataDir, markName), "", { flush: true });
  await syncPath(dataDir);

  if (manifest.has_keys) await copyKeys(join(backup, "keys"), keysDir);
  if ((await openKeys(keysDir)).fingerprint !== manifest.key_fingerprint)
    throw new Error(`The backup was made with other keys than those in ${keysDir}: put the right keys there.`);
  const files = await places.openFiles();
  if (filesDir !== undefined) await refuseFull(filesDir, manifest.files.bytes);
  await copyFiles(join(backup, "files"), files, dataDir);
  await loadRows(backup, manifest, records);
  await rebuild(records.db, files);
  await markParts(records.db, await places.markedParts());

  const detail = { taken_at: manifest.taken_at, version: manifest.version };
  await recordAudit(records.db, { operator: "cli" }, { action: "backup.restored", detail });
  await rm(join(dataDir, markName));
  await syncPath(dataDir);
  return manifest;
}

/**
 * Throws unless the folders are empty. If the backup has no keys, the keys must already be in the
 * keys folder. In that case, the keys folder is not checked, even if it is inside the data folder.
 */
async function refuseFilled(folders: readonly string[], keysDir: string): Promise<void> {
  for (const folder of folders) {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const inTheWay = names.filter((name) => folders.includes(keysDir) || join(folder, name) !== keysDir);
    if (inTheWay.length > 0)
      throw new Error(`${folder} is not empty: a backup can only be restored into empty folders.`);
  }
}

/** Throws if a bucket already contains stored files, or the marker of another installation. */
async function refuseUsed({ files }: MarkedParts): Promise<void> {
  if ((await files.read()) !== undefined || (await files.holdsFiles()))
    throw new Error(`${files.place} is not empty: a backup can only be restored into empty storage.`);
}

async function copyKeys(from: string, folder: string): Promise<void> {
  await makeDurableFolder(folder);
  for await (const { path } of filesInside(from)) {
    if (!/^[A-Za-z0-9][\w.-]*\.key$/.test(path)) throw new Error(`keys/${path} of the backup is not a key.`);
    const key = await readInside(from, path, maxKeyBytes);
    await writeFile(join(folder, path), key, { flag: "wx", mode: 0o600, flush: true });
  }
  await syncPath(folder);
}

/** @throws Error if the disk has less free space than the files need */
async function refuseFull(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes > bavail * bsize)
    throw new Error(
      `The files of the backup need ${Math.ceil(bytes / 2 ** 20)} MB, but ${folder} has only ${Math.floor((bavail * bsize) / 2 ** 20)} MB free.`,
    );
}

/**
 * Copies files instead of linking them, so that later changes of the installation never affect the
 * backup.
 */
async function copyFiles(from: string, files: StoredFiles, dataDir: string): Promise<void> {
  const copy = join(dataDir, "restore.copy");
  for await (const { path: key } of filesInside(from)) {
    await using source = await openInside(from, key, maxFileBytes);
    await pipeline(
      source.createReadStream({ autoClose: false }),
      createWriteStream(copy, { flags: "wx", mode: 0o600, flush: true }),
    );
    await files.put(key, copy);
    await rm(copy);
  }
}

function loadRows(backup: string, { migrations, tables, gone }: Manifest, records: Records): Promise<void> {
  const dump = {
    migrations,
    tables: Object.keys(tables),
    rows: (table: string) => readRows(backup, table, tables[table] ?? 0),
  };
  return loadDump(records, dump, async (transaction) => {
    await dropDocuments(transaction, gone.documents);
    await dropOperations(transaction, gone.operations);
    await dropKept(transaction, gone.kept_extractions ?? []);
    await dropKeptClassifications(transaction, gone.kept_classifications ?? []);
    // Backups that were made before this migration lack the column `alone`.
    const hasAloneColumn = migrations.includes("0010-installation-and-crashes");
    // The workers that held leases belong to the installation that was backed up.
    for (const worker of await leaseHolders(transaction)) await releaseAll(transaction, worker, { hasAloneColumn });
  });
}

/**
 * Maximum length of one row as JSON, in bytes. The result of a large extraction has several
 * megabytes.
 */
const maxRowBytes = 256 * 1024 ** 2;

/**
 * Reads the rows of a table.
 * @throws Error if there are more rows than the manifest states, or if a row is too long
 */
async function* readRows(backup: string, table: string, count: number): AsyncGenerator<DumpedRow> {
  await using file = await openInside(backup, tablePath(table), maxFileBytes);
  const source = file.createReadStream({ autoClose: false });
  const unpacked = source.pipe(createZstdDecompress());
  source.on("error", (error) => unpacked.destroy(error));
  const notAsMade = () => new Error(`The rows of ${table} in the backup are malformed.`);
  let read = 0;
  // Splits bytes, not text: JSON may contain characters that text readers treat as line ends.
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      if (++read > count) throw notAsMade();
      yield JSON.parse(Buffer.concat([...rest, chunk.subarray(from, end)]).toString("utf8"));
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > maxRowBytes) throw notAsMade();
  }
  if (read !== count) throw notAsMade();
}
