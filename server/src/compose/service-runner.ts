/** The job runner of the service, with a handler for each kind of job. */
import type { Config } from "../config.ts";
import { cleanAgentJob } from "../features/agents/clean-agent.job.ts";
import { runClassificationJob } from "../features/classification/run-classification.job.ts";
import { cleanDocumentJob } from "../features/documents/clean-document.job.ts";
import type { DocumentDeps } from "../features/documents/documents.service.ts";
import { ingestDocumentJob } from "../features/documents/ingest-document.job.ts";
import { purgeIndexJob } from "../features/documents/purge-index.job.ts";
import { rebuildIndexJob } from "../features/documents/rebuild-index.job.ts";
import { runExtractionJob } from "../features/extraction/run-extraction.job.ts";
import { cleanKeptClassificationJob } from "../features/kept-classifications/kept-classifications.service.ts";
import { cleanKeptJob } from "../features/kept-extractions/kept-extractions.service.ts";
import { cleanOperationJob } from "../features/operations/operations.service.ts";
import { type ObserveAttempt, Runner } from "../jobs/runner.ts";
import type { Logger } from "../lib/log.ts";
import { agentDeps, type ServiceParts } from "./service-parts.ts";

/** Returns the runner with a handler for each kind of job. */
export function buildRunner(
  config: Config,
  log: Logger,
  parts: ServiceParts & { worker: string; observe?: ObserveAttempt },
): Runner {
  const { db, worker, corpus, reader, engine, temporaryFiles, deliverer } = parts;
  const { files } = corpus;
  const documents: Omit<DocumentDeps, "wake"> = { db, log, ...corpus };
  // Runs more jobs at a time than there are reading processes, because indexing mostly waits for
  // the disk.
  const concurrency = config.reading.processes + 3;
  const operations = {
    db,
    files,
    reader,
    engine,
    temporaryFiles,
    concurrency,
    timeoutMs: config.operations.timeoutMs,
    budgetTokens: config.budgetTokens,
    background: true,
  };
  return new Runner({
    db,
    log,
    worker,
    ...(parts.observe && { observe: parts.observe }),
    handlers: {
      "document.ingest": ingestDocumentJob({ ...documents, reader, temporaryFiles, concurrency }),
      "document.clean": cleanDocumentJob(documents),
      "index.purge": purgeIndexJob(corpus),
      "index.rebuild": rebuildIndexJob(documents),
      "agent.clean": cleanAgentJob(agentDeps(db, log, corpus)),
      "extraction.run": runExtractionJob(operations),
      "classification.run": runClassificationJob(operations),
      "operation.clean": cleanOperationJob({ files }),
      "extraction.clean": cleanKeptJob({ files }),
      "classification.clean": cleanKeptClassificationJob({ files }),
      "delivery.send": deliverer.job,
    },
  });
}
