/** Moves the stored files of a stopped installation to another folder or bucket. */
import { type CopyReport, copyFiles } from "../../files/copy-files.ts";
import type { FilesMark } from "../../files/installation-mark.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { hasLiveProcess } from "../../jobs/live-process.ts";
import type { Db } from "../../records/records.ts";
import { moveFilesMark } from "../installation/installation.service.ts";

/** A folder or bucket of stored files, with the mark of its installation. */
export interface Storage {
  files: StoredFiles;
  mark: FilesMark;
}

/**
 * Copies all files, then makes `to` the place of the installation's files. Can be interrupted and
 * called again.
 * @throws Error if a process of the installation is running, or if the places are the same
 */
export async function migrateStorage(db: Db, from: Storage, to: Storage): Promise<CopyReport> {
  if (from.mark.place === to.mark.place) throw new Error(`The stored files are already in ${to.mark.place}.`);
  if (await hasLiveProcess(db)) throw new Error("A process of this installation is running: stop all of them first.");
  const report = await copyFiles(from.files, to.files);
  await moveFilesMark(db, from.mark, to.mark);
  return report;
}
