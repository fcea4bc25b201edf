/**
 * Posts from a separate process, whose environment the test sets: node post-process.ts SETTINGS
 * URL... Prints one line per URL.
 */
import { type OutboundSettings, openOutbound } from "../outbound.ts";

const [settings = "", ...urls] = process.argv.slice(2);
const outbound = openOutbound(JSON.parse(settings) as OutboundSettings);
for (const url of urls) {
  const outcome = outbound.post(url, { headers: {}, body: Buffer.from("{}") }).then(
    ({ status }) => status,
    (error: Error & { kind?: string }) => error.kind ?? error.message,
  );
  console.log(await outcome);
}
