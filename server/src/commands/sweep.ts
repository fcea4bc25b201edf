/** `sheaf sweep`: stored files that no row knows, and the trash they go to. */
import { readConfig } from "../config.ts";
import { lookAtStore, putAllBack, sweep as sweepStore } from "../features/upkeep/sweep.service.ts";
import { openStore } from "../installation.ts";
import { withInstallation } from "./with-installation.ts";

export const sweep = ({ yes, putBack }: { yes: boolean; putBack: boolean }): Promise<void> =>
  withInstallation(async ({ records: { db } }) => {
    const config = readConfig();
    const files = await openStore(config);
    if (putBack) console.log(`${await putAllBack({ files })} files were put back from the trash.`);
    if (yes) {
      const { moved, trashed } = await sweepStore({ db, files }, { trashDays: config.trashDays, wanted: true });
      console.log(
        `${moved} files were moved to the trash, which holds ${trashed} and keeps them ${config.trashDays} days.`,
      );
    }
    if (putBack || yes) return;
    const report = await lookAtStore({ db, files });
    console.log(
      `${report.files} stored files, ${report.strays} without a row, ${report.old} of these older than a day; ${report.trashed} in the trash.`,
    );
    if (report.tooMany)
      console.log("They are too many to be swept without your word: `sheaf sweep --yes` moves them to the trash.");
  });
