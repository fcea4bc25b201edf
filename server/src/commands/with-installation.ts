/** Runs an administrative command on the installation. The service may be running. */

import { readConfig } from "../config.ts";
import { type Installation, openInstallation } from "../installation.ts";
import { openLog } from "../lib/log.ts";

export async function withInstallation(command: (installation: Installation) => Promise<void>): Promise<void> {
  await using installation = await openInstallation(readConfig(), openLog("error"), { own: false });
  await command(installation);
}
