/**
 * `sheaf migrate-storage`: copies the stored files from a folder to S3 or back, or to another folder
 * or bucket.
 */
import { type Config, readConfig } from "../config.ts";
import { migrateStorage as migrate, type Storage } from "../features/maintenance/migrate-storage.service.ts";
import { openInstallation } from "../installation.ts";
import { openLog } from "../lib/log.ts";
import { markOfFiles, openStore } from "../store.ts";

/** @throws Error if a process of the installation is running */
export async function migrateStorage(place: string): Promise<void> {
  const config = readConfig();
  const name = place.startsWith("s3://") ? "SHEAF_FILES" : "SHEAF_FILES_DIR";
  const target = readConfig({ ...process.env, SHEAF_FILES: undefined, SHEAF_FILES_DIR: undefined, [name]: place });
  await using installation = await openInstallation(config, openLog("error"), { own: true });
  const [from, to] = [await storageOf(config), await storageOf(target)];
  const { copied, present } = await migrate(installation.records.db, from, to);
  console.log(`${copied} files were copied to ${to.mark.place}; ${present} were there already.`);
  console.log(`Set ${name}=${place} for all processes from now on. The files in ${from.mark.place} can be deleted.`);
}

const storageOf = async (config: Config): Promise<Storage> => ({
  files: await openStore(config),
  mark: await markOfFiles(config),
});
