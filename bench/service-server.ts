/** The whole service as the process that is measured: starts it on a free port and tells its parent address and token. */
import { startService } from "../server/src/compose.ts";
import { readConfig } from "../server/src/config.ts";
import { openLog } from "../server/src/lib/log.ts";

const service = await startService(readConfig(), openLog("silent"));
const { clientId = "", clientSecret = "" } = service.firstCredential ?? {};
const answer = await fetch(`${service.url}/v2/token?client_id=${clientId}&client_secret=${clientSecret}`);
const { access_token } = (await answer.json()) as { access_token: string };
process.send?.({ service: { url: service.url, token: access_token } });
process.on("disconnect", () => process.exit());
