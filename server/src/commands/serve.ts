/** `sheaf serve`: runs until a signal asks it to stop. */
import { join } from "node:path";
import { startService } from "../compose.ts";
import { readConfig } from "../config.ts";
import type { NewCredential } from "../features/organizations/credentials.service.ts";
import { openLog } from "../lib/log.ts";

export async function serve(): Promise<void> {
  const config = readConfig();
  const log = openLog(config.logLevel);
  const stopped = stopSignal();
  const service = await startService(config, log);
  console.log(`Sheaf is ready at ${service.url} (data in ${config.dataDir})`);
  if (service.firstCredential) console.log(firstStart(service.url, service.firstCredential));
  log.info({ signal: await stopped }, "stopping");
  await service.close();
  log.info("stopped");
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}

const sampleParams = [
  { name: "invoice_number", format: "text", description: "Number of the invoice" },
  { name: "issue_date", format: "date", description: "Date of the invoice" },
  { name: "due_date", format: "date", description: "Date by which it must be paid" },
  { name: "seller_name", format: "text", description: "Name of the seller" },
  { name: "gross_total", format: "number", description: "Total amount including tax" },
  {
    name: "line_items",
    format: "list",
    description: "The invoiced items",
    items: [
      { name: "description", format: "text", description: "What was sold" },
      { name: "quantity", format: "number", description: "How many" },
      { name: "line_total", format: "number", description: "Amount of the line" },
    ],
  },
];

/** What a new operator needs, printed once. The command can be pasted as it stands, with another file too. */
function firstStart(url: string, { clientId, clientSecret }: NewCredential): string {
  const sample = join(import.meta.dirname, "../../../examples/invoice.pdf");
  return `
This is the first start. Your API credential, shown this once:

  client id      ${clientId}
  client secret  ${clientSecret}

Try it with the sample invoice, or set FILE to a PDF of your own:

FILE='${sample}'
TOKEN=$(curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${url}/v2/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
(printf '{"filename":"invoice.pdf","include":["evidence"],"params":${JSON.stringify(sampleParams)},"file":"'; base64 < "$FILE" | tr -d '\\n'; printf '"}') |
  curl -s ${url}/v2/extractor -H "x-api-key: $TOKEN" -H 'content-type: application/json' --data-binary @-
`;
}
