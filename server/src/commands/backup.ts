/** `sheaf backup`: the whole installation as one folder, beside a running service too. */

import { readConfig } from "../config.ts";
import { makeBackup } from "../features/backup/backup.service.ts";
import { backupSource } from "../installation.ts";
import { openLog } from "../lib/log.ts";

/** The exit code is 1 where stored files are missing that should be there. */
export async function backup(folder: string, options: { keys: boolean }): Promise<void> {
  const source = await backupSource(readConfig(), openLog("error"));
  const { manifest, missing } = await makeBackup(source, folder, { withoutKeys: !options.keys });
  const rows = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0);
  const { count, bytes } = manifest.files;
  console.log(
    `${folder}: ${rows} rows and ${count} files of ${Math.ceil(bytes / 2 ** 20)} MB, as of ${manifest.taken_at}`,
  );
  console.log(
    manifest.has_keys
      ? "The keys are in it: whoever has it can read everything and forge tokens. Keep it as you keep the keys."
      : "The keys are not in it: without them it can't be restored.",
  );
  for (const key of missing) console.error(`sheaf: the stored file ${key} is missing`);
  if (missing.length > 0) process.exitCode = 1;
}
