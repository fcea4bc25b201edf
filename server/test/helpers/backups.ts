/** Backups made and restored in this process, as the commands do it. */
import { backupSource, openCorpus, placesOf } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { listAllDocumentalists } from "../../src/features/agents/agents.service.ts";
import { makeBackup } from "../../src/features/backup/backup.service.ts";
import { restoreBackup } from "../../src/features/backup/restore.service.ts";
import { reindexAgent } from "../../src/features/documents/reindex.ts";
import { openLog } from "../../src/lib/log.ts";

interface Place {
  settings: Record<string, string | undefined>;
}

const log = openLog("silent");

export async function backUp(place: Place, target: string, { withoutKeys = false } = {}): Promise<void> {
  const config = readConfig(place.settings);
  await makeBackup(await backupSource(config, log), target, { withoutKeys });
}

export async function restore(backup: string, place: Place): Promise<void> {
  const config = readConfig(place.settings);
  await restoreBackup(backup, placesOf(config, log), async (db) => {
    await using corpus = await openCorpus(config, log);
    for (const { id: agent, organization_id: organizationId } of await listAllDocumentalists(db))
      await reindexAgent({ db, ...corpus }, { organizationId, agent });
  });
}
