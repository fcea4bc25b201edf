/**
 * `sheaf sweep`: counts stored files that have no row in the database, moves these files to the
 * trash, and restores files from the trash.
 */
import { readConfig } from "../config.ts";
import { inspectStore, restoreTrash, sweep as sweepStore } from "../features/maintenance/sweep.service.ts";
import { openStore } from "../store.ts";
import { withInstallation } from "./with-installation.ts";

export const sweep = ({ yes, putBack }: { yes: boolean; putBack: boolean }): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const config = readConfig();
    const files = await openStore(config);
    if (putBack) console.log(`${await restoreTrash({ files })} files were put back from the trash.`);
    if (yes) {
      const { moved, trashed } = await sweepStore({ db, files }, { trashDays: config.trashDays, wanted: true });
      console.log(
        `${moved} files were moved to the trash, which now contains ${trashed} files and keeps each for ${config.trashDays} days.`,
      );
    }
    if (putBack || yes) return;
    const report = await inspectStore({ db, files });
    console.log(
      `${report.files} stored files, ${report.strays} without a row in the database, ${report.old} of these older than a day; ${report.trashed} in the trash.`,
    );
    if (report.tooMany)
      console.log("There are too many to sweep without confirmation: `sheaf sweep --yes` moves them to the trash.");
  });
