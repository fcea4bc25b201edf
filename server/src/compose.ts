/** Turns settings into running parts, and takes them down in the reverse order. The only file that sees everything. */
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Antivirus, openAntivirus } from "./antivirus/antivirus.ts";
import type { Config } from "./config.ts";
import { type Corpus, openCorpus } from "./corpus.ts";
import { openBuiltinAnswerer } from "./engine/builtin/answer/open-answerer.ts";
import { type BuiltinEngine, openBuiltinEngine } from "./engine/builtin/open.ts";
import type { Answerer, Engine } from "./engine/engine.ts";
import type { ModelAnswerer } from "./engine/model/answer.ts";
import { agentsRoutes } from "./features/agents/agents.routes.ts";
import type { AgentDeps } from "./features/agents/agents.service.ts";
import { cleanAgentJob } from "./features/agents/clean-agent.job.ts";
import { auditRoutes } from "./features/audit/audit.routes.ts";
import { classificationRoutes } from "./features/classification/classification.routes.ts";
import { runClassificationJob } from "./features/classification/run-classification.job.ts";
import { cleanDocumentJob } from "./features/documents/clean-document.job.ts";
import { documentsRoutes } from "./features/documents/documents.routes.ts";
import { type DocumentDeps, removeCorpus } from "./features/documents/documents.service.ts";
import { ingestDocumentJob } from "./features/documents/ingest-document.job.ts";
import { purgeIndexJob } from "./features/documents/purge-index.job.ts";
import { rebuildIndexJob } from "./features/documents/rebuild-index.job.ts";
import { extractionRoutes } from "./features/extraction/extraction.routes.ts";
import { Extractor } from "./features/extraction/extraction.service.ts";
import { runExtractionJob } from "./features/extraction/run-extraction.job.ts";
import { healthRoutes } from "./features/health/health.routes.ts";
import { beginRequest } from "./features/idempotency/idempotency.service.ts";
import { type IdentitySource, openIdentity } from "./features/identity/identity.ts";
import { sessionsRoutes } from "./features/identity/sessions.routes.ts";
import { knowledgeRoutes } from "./features/knowledge/knowledge.routes.ts";
import { Knowledge } from "./features/knowledge/knowledge.service.ts";
import { cleanOperationJob, type OperationDeps } from "./features/operations/operations.service.ts";
import type { NewCredential } from "./features/organizations/credentials.service.ts";
import { organizationRoutes } from "./features/organizations/organization.routes.ts";
import { createFirstOrganization } from "./features/organizations/organizations.service.ts";
import { tokenRoutes } from "./features/organizations/token.routes.ts";
import { subscriptionsRoutes } from "./features/plans/subscriptions.routes.ts";
import { startUpkeep } from "./features/upkeep/upkeep.service.ts";
import { usageRoutes } from "./features/usage/usage.routes.ts";
import { Deliverer } from "./features/webhooks/deliver-webhook.job.ts";
import { webhooksRoutes } from "./features/webhooks/webhooks.routes.ts";
import { openTemporaryFiles, type TemporaryFiles } from "./files/temporary-files.ts";
import { AcceptDelay } from "./http/accept-delay.ts";
import { buildApp } from "./http/app.ts";
import { authenticateWith } from "./http/authentication.ts";
import { openAddressOf } from "./http/client-address.ts";
import { Connections, connectionLimitsOf } from "./http/connections.ts";
import { drain, listen, urlOf } from "./http/listening.ts";
import { LoadGate } from "./http/load-gate.ts";
import { openApiRoutes } from "./http/openapi.routes.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { checkServed } from "./http/served-endpoints.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { LiveProcess } from "./jobs/live-process.ts";
import { type ObserveAttempt, Runner } from "./jobs/runner.ts";
import { FairAdmission } from "./lib/fair-admission.ts";
import { addressList } from "./lib/ip-addresses.ts";
import { type Keys, openMetricsToken } from "./lib/keys.ts";
import type { Logger } from "./lib/log.ts";
import type { AnyRoute } from "./lib/route.ts";
import { type Outbound, openOutbound } from "./net/outbound.ts";
import { defaultReadingSettings, openReader, type ProcessReader } from "./reading/host.ts";
import type { Db, QueryMade } from "./records/records.ts";
import {
  observeAnswerer,
  observeAntivirus,
  observeAttempts,
  observeEngine,
  observeModelAnswerer,
  observeOutbound,
  observeReader,
  observeRequests,
} from "./telemetry/observed.ts";
import { watchQueue } from "./telemetry/queue-look.ts";
import { openTelemetry, type Telemetry } from "./telemetry/telemetry.ts";

export interface Service {
  app: FastifyInstance;
  /** Address that it listens on, as a URL. */
  url: string;
  /** Only at the first start of an installation. */
  firstCredential: NewCredential | undefined;
  /** Finishes what runs, as long as `drainMs`, and closes everything. */
  close(): Promise<void>;
}

/** @throws FolderInUse where another process serves from the data folder. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const telemetry = await openTelemetry(config.traces, log);
  stack.defer(() => telemetry.tracer.close());
  const onQuery = config.traces && ((query: QueryMade) => telemetry.tracer.query(query));
  const installation = stack.use(await openInstallation(config, log, { own: true, onQuery }));
  const { records, keys } = installation;
  const process = stack.use(await LiveProcess.open({ db: records.db, log, worker: installation.worker }));
  stack.use(keys.tokens.watch(log));
  const firstCredential = await createFirstOrganization({ db: records.db, keys });
  const { reader, engine, model, answerer } = stack.use(await openUnderstanding(config, telemetry));
  const temporaryFiles = await openTemporaryFiles(temporaryFolder(config));
  const corpus = stack.use(await openCorpus(config, log, records.db, { owns: true }));
  const outbound = openOutbound(config.outbound);
  stack.defer(() => outbound.close());
  const scanner = stack.use(openScanner(config, log));
  const antivirus = scanner && observeAntivirus(scanner, telemetry);
  const parts = { db: records.db, keys, reader, engine, corpus, temporaryFiles, outbound };
  const deliverer = new Deliverer({ ...parts, outbound: observeOutbound(outbound, telemetry) });
  const observe = observeAttempts(telemetry);
  const runner = buildRunner(config, log, { ...parts, deliverer, worker: installation.worker, observe });
  watchQueue(records.db, telemetry.metrics);
  const shutdown = new AbortController();
  const identity = openIdentity(records.db, { secret: keys.sessions, secureCookies: hasSecureCookies(config) });
  const metricsToken = config.metricsToken ?? (await openMetricsToken(config.keysDir));
  const wake = () => runner.wake();
  const routes = serviceRoutes(config, log, {
    ...parts,
    identity,
    antivirus,
    deliverer,
    telemetry,
    metricsToken,
    model,
    answerer,
    wake,
  });
  const loadGate = stack.use(
    new LoadGate(config.maxRequests, (refused) =>
      log.warn({ refused }, "requests are refused: there is too much to do"),
    ),
  );
  const app = buildApp(
    {
      log,
      authenticate: authenticateWith({ db: records.db, keys, identity, publicUrl: config.publicUrl }),
      temporaryFiles,
      antivirus,
      addressOf: openAddressOf(config.trustedProxies, (peer) =>
        log.warn({ peer }, "X-Forwarded-For comes from a peer that is not in SHEAF_TRUSTED_PROXIES and is ignored"),
      ),
      rateLimits: new RateLimits(config.rateLimits),
      connections: new Connections(
        await connectionLimitsOf(config.connections, log),
        addressList(config.trustedProxies),
      ),
      loadGate,
      uploads: new FairAdmission(config.maxUploads),
      beginRequest: (caller, key, fingerprint) =>
        beginRequest({ db: records.db, keys, process: process.id }, caller, key, fingerprint),
      observer: observeRequests(telemetry),
      isTls: config.publicUrl?.startsWith("https:") ?? false,
      shutdown: shutdown.signal,
    },
    routes,
  );
  // Jobs go back to the queue while requests under way finish.
  stack.defer(async () => {
    await Promise.all([drain(app, shutdown), runner.stop()]);
  });
  loadGate.watch(stack.use(new AcceptDelay(app.server)));
  await listen(app, config);
  await runner.start();
  stack.use(
    startUpkeep({
      ...{ db: records.db, keys, files: corpus.files, log, trashDays: config.trashDays },
      abandoned: temporaryFiles.abandoned,
      onSweep: ({ heldBack, trashed }) => {
        telemetry.metrics.filesHeldBack.set(heldBack);
        telemetry.metrics.filesInTrash.set(trashed);
      },
    }),
  );
  void settleIn(reader, telemetry, log, shutdown.signal);
  const resources = stack.move();
  return { app, url: config.publicUrl ?? urlOf(app), firstCredential, close: () => resources.disposeAsync() };
}

/** Browsers refuse a `Secure` cookie over plain HTTP, but from this machine itself. */
const hasSecureCookies = ({ publicUrl }: Config): boolean => {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  return url?.protocol !== "http:" || ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
};

/** What both the routes and the jobs are made of. */
export interface ServiceParts {
  db: Db;
  keys: Keys;
  reader: ProcessReader;
  engine: Engine;
  corpus: Corpus;
  temporaryFiles: TemporaryFiles;
  outbound: Outbound;
  deliverer: Deliverer;
}

/** Every route that the service answers. */
function serviceRoutes(
  config: Config,
  log: Logger,
  {
    db,
    keys,
    reader,
    engine,
    corpus,
    outbound,
    antivirus,
    identity,
    deliverer,
    telemetry,
    metricsToken,
    model,
    answerer,
    wake,
  }: ServiceParts & {
    identity: IdentitySource;
    antivirus: Antivirus | undefined;
    telemetry: Telemetry;
    metricsToken: string;
    model: ModelAnswerer | undefined;
    answerer: Answerer;
    wake(): void;
  },
): AnyRoute[] {
  const mayPost = (url: string) => outbound.mayPost(url);
  const callOff = (deliveries: readonly string[]) => deliverer.callOff(deliveries);
  const { maxStarted } = config.operations;
  const operations: OperationDeps = { db, files: corpus.files, mayPost, maxStarted, wake };
  const extractor = new Extractor({ db, reader, engine, budgetTokens: config.budgetTokens, ...config.extraction });
  const knowledge = openKnowledge(config, {
    db,
    corpus,
    engine,
    model,
    answerer,
  });
  const routes = [
    ...tokenRoutes({ db, keys, tokenLifetimeSeconds: config.tokenLifetimeSeconds }),
    ...agentsRoutes({ ...agentDeps(db, log, corpus), hasModel: config.model !== undefined }),
    ...documentsRoutes({ db, log, ...corpus, wake }),
    ...extractionRoutes({ db, extractor, operations }),
    ...classificationRoutes(operations),
    ...webhooksRoutes({ db, keys, mayPost, callOff }),
    ...knowledgeRoutes({ db, log, knowledge, stream: config.knowledge.stream }),
    ...auditRoutes({ db }),
    ...usageRoutes({ db }),
    ...sessionsRoutes({ db, keys, identity, publicUrl: config.publicUrl }),
    ...organizationRoutes({ db, keys }),
    ...subscriptionsRoutes({ db, log, ...config.stripe }),
    ...healthRoutes({
      db,
      files: corpus.files,
      reader,
      antivirus,
      metrics: { scrape: telemetry.metrics.scrape, token: metricsToken },
    }),
    ...openApiRoutes(config.publicUrl),
  ];
  checkServed(routes);
  return routes;
}

export const temporaryFolder = (config: Config): string => join(config.dataDir, "tmp");

/** Scans files for viruses before they are kept; undefined where the settings name none. */
export const openScanner = (config: Config, log: Logger): Antivirus | undefined => openAntivirus(config.antivirus, log);

export const openKnowledge = (
  config: Config,
  parts: { db: Db; corpus: Corpus; engine: Engine; model?: ModelAnswerer | undefined; answerer: Answerer },
): Knowledge =>
  new Knowledge({
    db: parts.db,
    files: parts.corpus.files,
    index: parts.corpus.index,
    engine: parts.engine,
    model: parts.model,
    budgetTokens: config.budgetTokens,
    answerer: parts.answerer,
    ...config.knowledge,
  });

const agentDeps = (db: Db, log: Logger, corpus: Corpus): AgentDeps => ({
  db,
  log,
  removeCorpus: (organizationId, agent) => removeCorpus(corpus, organizationId, agent),
});

/** The runner with the handler of every kind of job. */
export function buildRunner(
  config: Config,
  log: Logger,
  parts: ServiceParts & { worker: string; observe?: ObserveAttempt },
): Runner {
  const { db, worker, corpus, reader, engine, temporaryFiles, deliverer } = parts;
  const { files } = corpus;
  const documents: Omit<DocumentDeps, "wake"> = { db, log, ...corpus };
  // While documents are put into the index, which is waiting for the disk above all, others are read.
  const concurrency = config.reading.processes + 3;
  const operations = {
    db,
    files,
    reader,
    engine,
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
      "delivery.send": deliverer.job,
    },
  });
}

/** The parts that fill and mend a corpus from the command line. */
export interface Workshop extends AsyncDisposable {
  installation: Installation;
  documents: DocumentDeps;
  temporaryFiles: TemporaryFiles;
  antivirus: Antivirus | undefined;
}

/**
 * Opens what a command needs that works on documents: beside a running service, whose runner then does the jobs, or alone, with a
 * runner in this process.
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

export interface Understanding extends AsyncDisposable {
  reader: ProcessReader;
  engine: Engine;
  /** Answers questions; undefined where the settings name no language model. Closed with the engine. */
  model: ModelAnswerer | undefined;
  /** Answers questions without a language model. */
  answerer: Answerer;
}

/** What reads and understands documents: needs no database and no folder. */
export async function openUnderstanding(config: Config, telemetry?: Telemetry): Promise<Understanding> {
  const reader = openReader({ ...defaultReadingSettings, ...config.reading });
  const builtin = openBuiltinEngine(config.engine);
  const answerer = openBuiltinAnswerer(config.engine);
  const { engine, model } = config.model ? await openModel(config.model, builtin) : { engine: builtin };
  return {
    reader: telemetry ? observeReader(reader, telemetry) : reader,
    engine: telemetry ? observeEngine(engine, config.engine.threads, telemetry) : engine,
    model: model && telemetry ? observeModelAnswerer(model, telemetry) : model,
    answerer: telemetry ? observeAnswerer(answerer, telemetry) : answerer,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([reader.close(), engine.close(), answerer.close()]);
    },
  };
}

/** Loads what asks a language model, which is not needed if the settings name none. */
async function openModel({ settings, usual }: NonNullable<Config["model"]>, builtin: BuiltinEngine) {
  const { openModelClient } = await import("./engine/model/model-client.ts");
  const { openModelEngine } = await import("./engine/model/engine.ts");
  const { openModelAnswerer } = await import("./engine/model/answer.ts");
  const client = openModelClient(settings);
  return { engine: openModelEngine(builtin, client, usual), model: openModelAnswerer(client, usual) };
}

/**
 * What a start need not wait for but an operator should learn of before the first request does: whether a reading process can be started.
 * Then the metrics of the process, and the compiled modules are kept for the next start, however this process ends.
 */
async function settleIn(reader: ProcessReader, telemetry: Telemetry, log: Logger, shutdown: AbortSignal) {
  await reader.probe().catch((error: unknown) => {
    if (!shutdown.aborted) log.error({ err: error }, "the reading processes did not start");
  });
  telemetry.metrics.watchProcess();
  flushCompileCache();
}
