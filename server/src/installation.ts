/**
 * The configured installation: data folder, keys and database. One process owns the data folder.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { BackupSource } from "./features/backup/backup.service.ts";
import { type Places, refuseUnfinished } from "./features/backup/restore.service.ts";
import { adoptParts, claimParts, type MarkedParts } from "./features/installation/installation.service.ts";
import { bindKeys } from "./features/organizations/organizations.service.ts";
import { folderMark } from "./files/installation-mark.ts";
import { makeDurableFile } from "./lib/durable-file.ts";
import { tryLock } from "./lib/file-lock.ts";
import { newId } from "./lib/ids.ts";
import { type Keys, openKeys } from "./lib/keys.ts";
import type { Logger } from "./lib/log.ts";
import { type OnQuery, openRecords, type Records } from "./records/records.ts";
import { markOfFiles, openStore } from "./store.ts";

/** Thrown if another process owns the data folder. */
class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

export interface Installation extends AsyncDisposable {
  records: Records;
  keys: Keys;
  /** True if this process owns the data folder. */
  owned: boolean;
  /**
   * Name of the owner of the data folder, unique among processes that share the database. It stays
   * the same after a restart.
   */
  worker: string;
}

/**
 * Opens the data folder, keys and database. Migrates the database if this process owns the data
 * folder. With `own`, throws if another process owns the data folder. Without `own`, another
 * process of the same version may own it. With `adopt`, keys and stored files that are marked as
 * belonging to another installation become part of this one.
 * @throws FolderInUse; ForeignPart if database, keys and files belong to different installations
 */
export async function openInstallation(
  config: Config,
  log: Logger,
  options: { own: boolean; adopt?: boolean; onQuery?: OnQuery | undefined },
): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await refuseUnfinished(config.dataDir);
  const lock = tryLock(join(config.dataDir, "sheaf.lock"));
  if (lock) stack.defer(() => lock.release());
  else if (options.own) throw new FolderInUse(`Another Sheaf process is using the data folder ${config.dataDir}.`);
  const keys = await openKeys(config.keysDir);
  const records = openRecords(databaseSettings(config, log), options.onQuery);
  stack.defer(() => records.close());
  if (lock) await records.migrate();
  else if (!(await records.isCurrent()))
    throw new Error("The running service has a different version than this command. Stop the service first.");
  await bindKeys(records.db, keys);
  await (options.adopt ? adoptParts : claimParts)(records.db, await markedParts(config));
  const worker = await workerOf(config.dataDir);
  const resources = stack.move();
  return { records, keys, owned: lock !== undefined, worker, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function workerOf(dataDir: string): Promise<string> {
  const path = join(dataDir, "worker.id");
  await makeDurableFile(path, newId());
  // An earlier version may have left the file empty. In that case this process uses a new name at
  // each start, and other workers expire the leases held under the old name.
  return (await readFile(path, "utf8")) || newId();
}

const databaseSettings = (config: Config, log: Logger, options: { unbounded?: boolean } = {}) =>
  config.database.dialect === "sqlite"
    ? config.database
    : {
        ...config.database,
        ...options,
        onIdleError: (error: Error) => log.warn({ err: error }, "a database connection broke"),
      };

const markedParts = async (config: Config): Promise<MarkedParts> => ({
  files: await markOfFiles(config),
  keys: folderMark(config.keysDir),
});

/** Returns the parts that a backup contains. Creates nothing and does not migrate the database. */
export const backupSource = async (config: Config, log: Logger): Promise<BackupSource> => ({
  database: databaseSettings(config, log, { unbounded: true }),
  files: await openStore(config),
  keysDir: config.keysDir,
});

/** Returns the database, folders and stored files into which a backup is restored. */
export const placesOf = (config: Config, log: Logger): Places => {
  const { dataDir, filesDir, indexDir, keysDir } = config;
  return {
    database: databaseSettings(config, log, { unbounded: true }),
    dataDir,
    filesDir: config.s3 === undefined ? filesDir : undefined,
    indexDir,
    keysDir,
    openFiles: () => openStore(config),
    markedParts: () => markedParts(config),
  };
};
