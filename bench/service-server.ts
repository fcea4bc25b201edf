/**
 * Runs the whole service as the measured process: starts it on a free port and sends its parent the
 * address and credential.
 */
import { startService } from "../server/src/compose/service.ts";
import { readConfig } from "../server/src/config.ts";
import { openLog } from "../server/src/lib/log.ts";

const service = await startService(readConfig(), openLog("silent"));
process.send?.({ service: { url: service.url, ...service.firstCredential } });
process.on("disconnect", () => process.exit());
