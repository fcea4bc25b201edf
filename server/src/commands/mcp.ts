/**
 * `sheaf mcp`: serves the tools of the Model Context Protocol over standard input and output, from
 * a running service or from the local installation. Only calls to the language model are recorded.
 */
import { accessIn, runBridge } from "@sheaf/mcp";
import { openToolFiles, openTools } from "../compose/service-parts.ts";
import { openUnderstanding } from "../compose/understanding.ts";
import { readConfig } from "../config.ts";
import { openCorpus } from "../corpus.ts";
import { Extractor } from "../features/extraction/extraction.service.ts";
import { Links, serveProcess } from "../features/mcp/mcp.service.ts";
import { getOrganization, listOrganizations } from "../features/organizations/organizations.service.ts";
import { type Installation, openInstallation } from "../installation.ts";
import { onBehalfOf } from "../lib/caller.ts";
import { openLog } from "../lib/log.ts";

interface McpOptions {
  url?: string;
  organization?: string;
}

export async function serveMcp({ url = process.env.SHEAF_URL, organization }: McpOptions): Promise<void> {
  if (url !== undefined) return serveRemote(url);
  const config = readConfig();
  const log = openLog("error");
  await using installation = await openInstallation(config, log, { own: false });
  const { db } = installation.records;
  const organizationId = await organizationOf(installation, organization);
  await using corpus = await openCorpus(config, log, db);
  await using understanding = await openUnderstanding(config);
  const { files } = corpus;
  const temporaryFiles = await openToolFiles(config);
  const extractor = new Extractor({
    ...{ db, files, temporaryFiles, budgetTokens: config.budgetTokens },
    ...understanding,
    ...config.extraction,
  });
  const parts = { db, corpus, temporaryFiles, extractor, antivirus: undefined, operations: undefined };
  const links = new Links(config.publicUrl ?? `http://localhost:${config.port}`);
  await serveProcess(openTools(config, log, parts), {
    principal: onBehalfOf(organizationId),
    caller: undefined,
    links,
  });
}

async function serveRemote(url: string): Promise<void> {
  const access = accessIn(process.env);
  if (access === undefined)
    throw new Error("Set SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET, or SHEAF_TOKEN, to use a running service.");
  await runBridge({ url, access, input: process.stdin, output: process.stdout });
}

/**
 * Returns the id of the named organization. If no name is given, returns the id of the only
 * organization.
 */
async function organizationOf({ records: { db } }: Installation, name: string | undefined): Promise<string> {
  if (name !== undefined) return (await getOrganization(db, name)).id;
  const [only, ...others] = await listOrganizations(db);
  if (only === undefined || others.length > 0)
    throw new Error("Name the organization with --organization: `sheaf organization list` lists them.");
  return only.id;
}
