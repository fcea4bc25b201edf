/** The components that commands need to fill and repair a corpus. */
import type { Antivirus } from "../antivirus/antivirus.ts";
import type { Config } from "../config.ts";
import { openCorpus } from "../corpus.ts";
import type { DocumentDeps } from "../features/documents/documents.service.ts";
import { Deliverer } from "../features/webhooks/deliver-webhook.job.ts";
import { openTemporaryFiles, type TemporaryFiles } from "../files/temporary-files.ts";
import { type Installation, openInstallation } from "../installation.ts";
import type { Logger } from "../lib/log.ts";
import { openOutbound } from "../net/outbound.ts";
import { temporaryFolder } from "../store.ts";
import { openScanner } from "./service-parts.ts";
import { buildRunner } from "./service-runner.ts";
import { openUnderstanding } from "./understanding.ts";

export interface Workshop extends AsyncDisposable {
  installation: Installation;
  documents: DocumentDeps;
  temporaryFiles: TemporaryFiles;
  antivirus: Antivirus | undefined;
}

/**
 * Opens everything that a command needs to process documents. If the Sheaf service is running, it
 * executes the jobs. Otherwise, starts a job runner in this process.
 */
export async function openWorkshop(config: Config, log: Logger): Promise<Workshop> {
  await using stack = new AsyncDisposableStack();
  const installation = stack.use(await openInstallation(config, log, { own: false }));
  const { db } = installation.records;
  const corpus = stack.use(await openCorpus(config, log, db, { owns: installation.owned }));
  const temporaryFiles = await openTemporaryFiles(temporaryFolder(config), { own: installation.owned });
  const antivirus = stack.use(openScanner(config, log));
  let wake = () => {};
  if (installation.owned) {
    const { keys, worker } = installation;
    const outbound = openOutbound(config.outbound);
    stack.defer(() => outbound.close());
    const parts = { db, keys, ...stack.use(await openUnderstanding(config)), corpus, temporaryFiles, outbound };
    const runner = buildRunner(config, log, { ...parts, deliverer: new Deliverer(parts), worker });
    await runner.start();
    stack.defer(() => runner.stop());
    wake = () => runner.wake();
  }
  const documents = { db, log, files: corpus.files, index: corpus.index, wake };
  const resources = stack.move();
  return { installation, documents, temporaryFiles, antivirus, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
