/**
 * `sheaf adopt`: lets the operator declare that the database, the keys and the stored files belong
 * to one installation.
 */
import { readConfig } from "../config.ts";
import { openInstallation } from "../installation.ts";
import { openLog } from "../lib/log.ts";
import { markOfFiles } from "../store.ts";

export async function adopt(): Promise<void> {
  const config = readConfig();
  await using _ = await openInstallation(config, openLog("error"), { own: true, adopt: true });
  const { place } = await markOfFiles(config);
  console.log(`The database, the keys in ${config.keysDir} and the files in ${place} are one installation.`);
}
