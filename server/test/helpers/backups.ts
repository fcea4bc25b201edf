/** Makes and restores backups in this process, as the commands do. */

import { type Config, readConfig } from "../../src/config.ts";
import { openCorpus } from "../../src/corpus.ts";
import { listAllDocumentalists } from "../../src/features/agents/agent-lookup.service.ts";
import { makeBackup } from "../../src/features/backup/backup.service.ts";
import { restoreBackup } from "../../src/features/backup/restore.service.ts";
import { rebuildIndex } from "../../src/features/documents/rebuild-index.ts";
import { backupSource, openInstallation, placesOf } from "../../src/installation.ts";
import { openLog } from "../../src/lib/log.ts";
import type { Db } from "../../src/records/records.ts";

interface BackupPlace {
  settings: Record<string, string | undefined>;
}

const log = openLog("silent");

export async function backUp(place: BackupPlace, target: string, { withoutKeys = false } = {}): Promise<void> {
  const config = readConfig(place.settings);
  await makeBackup(await backupSource(config, log), target, { withoutKeys });
}

export async function restore(backup: string, place: BackupPlace): Promise<void> {
  const config = readConfig(place.settings);
  await restoreBackup(backup, placesOf(config, log), (db) => rebuild(config, db));
}

/** Rebuilds the search index, as an operator does if another version created it. */
export async function reindex(place: BackupPlace): Promise<void> {
  const config = readConfig(place.settings);
  await using installation = await openInstallation(config, log, { own: true });
  await rebuild(config, installation.records.db);
}

async function rebuild(config: Config, db: Db): Promise<void> {
  await using corpus = await openCorpus(config, log, db, { anew: true });
  for (const { id: agent, organization_id: organizationId } of await listAllDocumentalists(db))
    await rebuildIndex({ db, ...corpus }, { organizationId, agent });
}
