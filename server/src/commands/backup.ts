/** `sheaf backup`: backs up the whole installation to a folder. The service may be running. */

import { readConfig } from "../config.ts";
import { makeBackup } from "../features/backup/backup.service.ts";
import { backupSource } from "../installation.ts";
import { openLog } from "../lib/log.ts";

/** Exits with code 1 if stored files are missing. */
export async function backup(folder: string, options: { keys: boolean }): Promise<void> {
  const source = await backupSource(readConfig(), openLog("error"));
  const { manifest, missing } = await makeBackup(source, folder, { withoutKeys: !options.keys });
  const rows = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0);
  const { count, bytes } = manifest.files;
  console.log(
    `${folder}: ${rows} rows and ${count} files (${Math.ceil(bytes / 2 ** 20)} MB), as of ${manifest.taken_at}`,
  );
  console.log(
    manifest.has_keys
      ? "The backup contains the keys: with it, anyone can read all data and forge tokens. Protect it like the keys."
      : "The backup does not contain the keys: it cannot be restored without them.",
  );
  for (const key of missing) console.error(`sheaf: the stored file ${key} is missing`);
  if (missing.length > 0) process.exitCode = 1;
}
