/**
 * Runs the whole service in the process that is measured. Starts it on a free port, and sends its
 * URL and credential to the parent process.
 */
import { startService } from "../server/src/compose/service.ts";
import { readConfig } from "../server/src/config.ts";
import { openLog } from "../server/src/lib/log.ts";

const service = await startService(readConfig(), openLog("silent"));
process.send?.({ service: { url: service.url, ...service.firstCredential } });
process.on("disconnect", () => process.exit());
