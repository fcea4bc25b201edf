/** `sheaf serve`: runs until a signal stops it. */
import { join, resolve } from "node:path";
import { startService } from "../compose/service.ts";
import { readConfig } from "../config.ts";
import { deleteFirstSignInFile, firstSignInFile } from "../features/identity/first-sign-in.service.ts";
import type { NewCredential } from "../features/organizations/credentials.service.ts";
import { replaceDurableFile } from "../lib/durable-file.ts";
import { openLog } from "../lib/log.ts";
import { findSandboxGap } from "../reading/pool/confinement.ts";

export async function serve({ role }: { role?: string } = {}): Promise<void> {
  const config = readConfig({ ...process.env, ...(role !== undefined && { SHEAF_ROLE: role }) });
  const log = openLog(config.logLevel);
  const stopped = stopSignal();
  const service = await startService(config, log);
  console.log(`Sheaf is ready at ${service.url} (data in ${config.dataDir})`);
  if (config.antivirus.clamd === undefined) console.log("Files are not scanned for viruses: SHEAF_ANTIVIRUS is none.");
  const sandboxGap = await findSandboxGap();
  if (sandboxGap !== undefined) console.log(sandboxGap);
  log.info(
    "GET /v2/token has the client secret in its URL: a proxy must not log the query of that path (docs/proxy.md)",
  );
  if (service.firstCredential)
    await showFirstCredential(config.dataDir, firstStart(service.url, service.firstCredential));
  await showFirstSignIn(config.dataDir, service.firstSignInUrl);
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

/**
 * Prints the credential if the output is a terminal; otherwise writes it to a file. Any other
 * output may be a journal, which would store the secret.
 */
async function showFirstCredential(dataDir: string, text: string): Promise<void> {
  if (process.stdout.isTTY) {
    console.log(text);
    return;
  }
  const path = join(dataDir, "first-credential.txt");
  await replaceDurableFile(path, text);
  console.log(
    `This is the first start. Your API credential is in ${path}, which only this user can read. Store it elsewhere and delete the file.`,
  );
}

/**
 * Prints the link to a terminal; otherwise writes it to a file, so that no journal stores it. A
 * link left in the file by an earlier start no longer works, so the file is deleted or replaced.
 */
async function showFirstSignIn(dataDir: string, url: string | undefined): Promise<void> {
  const path = firstSignInFile(dataDir);
  if (url === undefined || process.stdout.isTTY) await deleteFirstSignInFile(dataDir);
  if (url === undefined) return;
  if (process.stdout.isTTY) {
    console.log(`Open ${url}\nto sign in as the first administrator. The link works once, within 24 hours.`);
    return;
  }
  await replaceDurableFile(path, `${url}\n`);
  console.log(
    `No administrator has a password yet. A link that signs the first one in once, within 24 hours, is in ${path}, which only this user can read.`,
  );
}

const examples = resolve(import.meta.dirname, "../../../examples");

/**
 * Returns the instructions for a new operator, which are printed once. The operator can paste the
 * command unchanged, or replace the file in it.
 */
function firstStart(url: string, { clientId, clientSecret }: NewCredential): string {
  return `
This is the first start. Your API credential, which is shown only once:

  client id      ${clientId}
  client secret  ${clientSecret}

Try it with the sample invoice, or set FILE to a PDF of your own:

FILE='${examples}/invoice.pdf'
TOKEN=$(curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${url}/v2/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
(printf '{"filename":"%s","include":["evidence"],"params":' "$(basename "$FILE")"; cat '${examples}/params.json'; printf ',"file":"'; base64 < "$FILE" | tr -d '\\n'; printf '"}') |
  curl -s ${url}/v2/extractor -H "x-api-key: $TOKEN" -H 'content-type: application/json' --data-binary @-
`;
}
