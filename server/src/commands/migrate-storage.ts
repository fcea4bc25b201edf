/**
 * `sheaf migrate-storage`: copies the stored files from a folder to S3 or back, or to another folder
 * or bucket.
 */
import { readConfig } from "../config.ts";
import { moveFilesMark } from "../features/installation/installation.service.ts";
import { copyFiles } from "../files/copy-files.ts";
import { openInstallation } from "../installation.ts";
import { hasLiveProcess } from "../jobs/live-process.ts";
import { openLog } from "../lib/log.ts";
import { markOfFiles, openStore } from "../store.ts";

/** @throws Error if a process of the installation is running */
export async function migrateStorage(place: string): Promise<void> {
  const config = readConfig();
  const name = place.startsWith("s3://") ? "SHEAF_FILES" : "SHEAF_FILES_DIR";
  const target = readConfig({ ...process.env, SHEAF_FILES: undefined, SHEAF_FILES_DIR: undefined, [name]: place });
  await using installation = await openInstallation(config, openLog("error"), { own: true });
  const { db } = installation.records;
  if (await hasLiveProcess(db)) throw new Error("A process of this installation is running: stop all of them first.");
  const [from, to] = [await markOfFiles(config), await markOfFiles(target)];
  if (from.place === to.place) throw new Error(`The stored files are already in ${to.place}.`);
  const { copied, present } = await copyFiles(await openStore(config), await openStore(target));
  await moveFilesMark(db, from, to);
  console.log(`${copied} files were copied to ${to.place}; ${present} were there already.`);
  console.log(`Set ${name}=${place} for all processes from now on. The files in ${from.place} can be deleted.`);
}
