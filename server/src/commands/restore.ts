/** `sheaf restore`: restores a backup into an empty installation. */
import { readConfig } from "../config.ts";
import { openCorpus } from "../corpus.ts";
import { restoreBackup } from "../features/backup/restore.service.ts";
import { placesOf } from "../installation.ts";
import { openLog } from "../lib/log.ts";
import { reindexAll } from "./reindex.ts";

export async function restore(folder: string): Promise<void> {
  const config = readConfig();
  const log = openLog("error");
  const manifest = await restoreBackup(folder, placesOf(config, log), async (db) => {
    await using corpus = await openCorpus(config, log, db);
    await reindexAll({ db, ...corpus });
  });
  console.log(`${config.dataDir} was restored to its state at ${manifest.taken_at}.`);
}
