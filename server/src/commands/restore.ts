/** `sheaf restore`: an installation made of a backup, in an empty place. */
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
  console.log(`${config.dataDir} is as it was at ${manifest.taken_at}.`);
}
