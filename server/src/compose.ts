/** Turns settings into running parts, and takes them down in the reverse order. The only file that sees everything. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Antivirus, openAntivirus } from "./antivirus/antivirus.ts";
import type { Config } from "./config.ts";
import { builtinAnswerer } from "./engine/builtin/answer/answer.ts";
import { openBuiltinEngine } from "./engine/builtin/open.ts";
import type { Answerer, Engine } from "./engine/engine.ts";
import { openModelEngine } from "./engine/model/engine.ts";
import { openModelClient } from "./engine/model/model-client.ts";
import { agentsRoutes } from "./features/agents/agents.routes.ts";
import type { AgentDeps } from "./features/agents/agents.service.ts";
import { cleanAgentJob } from "./features/agents/clean-agent.job.ts";
import { auditRoutes } from "./features/audit/audit.routes.ts";
import type { BackupSource } from "./features/backup/backup.service.ts";
import { type Places, refuseUnfinished } from "./features/backup/restore.service.ts";
import { classificationRoutes } from "./features/classification/classification.routes.ts";
import { runClassificationJob } from "./features/classification/run-classification.job.ts";
import { cleanDocumentJob } from "./features/documents/clean-document.job.ts";
import { documentsRoutes } from "./features/documents/documents.routes.ts";
import { type DocumentDeps, removeCorpus } from "./features/documents/documents.service.ts";
import { ingestDocumentJob } from "./features/documents/ingest-document.job.ts";
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
import { bindKeys, createFirstOrganization } from "./features/organizations/organizations.service.ts";
import { tokenRoutes } from "./features/organizations/token.routes.ts";
import { subscriptionsRoutes } from "./features/plans/subscriptions.routes.ts";
import { startUpkeep } from "./features/upkeep/upkeep.service.ts";
import { usageRoutes } from "./features/usage/usage.routes.ts";
import { Deliverer } from "./features/webhooks/deliver-webhook.job.ts";
import { webhooksRoutes } from "./features/webhooks/webhooks.routes.ts";
import { openFolderFiles } from "./files/folder-files.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import { openTemporaryFiles, type TemporaryFiles } from "./files/temporary-files.ts";
import { AcceptDelay } from "./http/accept-delay.ts";
import { buildApp } from "./http/app.ts";
import { authenticateWith } from "./http/authentication.ts";
import { openAddressOf } from "./http/client-address.ts";
import { maxConnectionsOf } from "./http/connections.ts";
import { LoadGate } from "./http/load-gate.ts";
import { openApiRoutes } from "./http/openapi.routes.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { checkServed } from "./http/served-endpoints.ts";
import { type ObserveAttempt, Runner } from "./jobs/runner.ts";
import { AppError } from "./lib/errors.ts";
import { newId } from "./lib/ids.ts";
import { type Keys, openKeys, openMetricsToken } from "./lib/keys.ts";
import type { Logger } from "./lib/log.ts";
import type { AnyRoute } from "./lib/route.ts";
import { type Outbound, openOutbound } from "./net/outbound.ts";
import { defaultReadingSettings, openReader, type ProcessReader } from "./reading/host.ts";
import { type Db, type OnQuery, openRecords, type QueryMade, type Records } from "./records/records.ts";
import { tryLock } from "./records/sqlite.ts";
import { openPassageIndex, type PassageIndex } from "./search/passage-index.ts";
import {
  observeAnswerer,
  observeAntivirus,
  observeAttempts,
  observeEngine,
  observeOutbound,
  observeReader,
  observeRequests,
} from "./telemetry/observed.ts";
import { watchQueue } from "./telemetry/queue-look.ts";
import { openTelemetry, type Telemetry } from "./telemetry/telemetry.ts";

/** Connections that may wait to be accepted: a burst of them comes faster than a turn of the event loop. */
const waitingConnections = 1024;

/** How long a stopping service waits for requests under way before it ends them. */
const drainMs = 7_000;

/** Another process serves from the data folder. */
class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

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
  const firstCredential = await createFirstOrganization({ db: records.db, keys });
  const { reader, engine } = stack.use(openUnderstanding(config, telemetry));
  const temporaryFiles = await openTemporaryFiles(temporaryFolder(config));
  const corpus = stack.use(await openCorpus(config, log));
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
      loadGate,
      beginRequest: (caller, key, fingerprint) =>
        beginRequest({ db: records.db, keys, abandonedMs: abandonedAfter(config) }, caller, key, fingerprint),
      observer: observeRequests(telemetry),
      shutdown: shutdown.signal,
    },
    routes,
  );
  // Jobs go back to the queue while requests under way finish.
  stack.defer(async () => {
    await Promise.all([drain(app, shutdown), runner.stop()]);
  });
  loadGate.watch(stack.use(new AcceptDelay(app.server)));
  app.server.maxConnections = await maxConnectionsOf(config.maxConnections, log);
  await listen(app, config);
  await runner.start();
  const alone = config.database.dialect === "sqlite";
  stack.use(startUpkeep({ db: records.db, files: corpus.files, log, alone }));
  warm(reader, log, shutdown.signal);
  const resources = stack.move();
  return { app, url: config.publicUrl ?? urlOf(app), firstCredential, close: () => resources.disposeAsync() };
}

/** Browsers refuse a `Secure` cookie over plain HTTP, but from this machine itself. */
const hasSecureCookies = ({ publicUrl }: Config): boolean => {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  return url?.protocol !== "http:" || ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
};

/** No request is still under way so long after it began. */
const abandonedAfter = ({ antivirus, extraction, knowledge }: Config): number =>
  antivirus.timeoutMs + 2 * Math.max(extraction.timeoutMs, knowledge.timeoutMs) + 60_000;

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
    wake,
  }: ServiceParts & {
    identity: IdentitySource;
    antivirus: Antivirus | undefined;
    telemetry: Telemetry;
    metricsToken: string;
    wake(): void;
  },
): AnyRoute[] {
  const mayPost = (url: string) => outbound.mayPost(url);
  const callOff = (deliveries: readonly string[]) => deliverer.callOff(deliveries);
  const { maxStarted } = config.operations;
  const operations: OperationDeps = { db, files: corpus.files, mayPost, maxStarted, wake };
  const extractor = new Extractor({ db, reader, engine, budgetTokens: budgetOf(config), ...config.extraction });
  const knowledge = openKnowledge(config, {
    db,
    corpus,
    engine,
    answerer: observeAnswerer(builtinAnswerer, telemetry),
  });
  const routes = [
    ...tokenRoutes({ db, keys, tokenLifetimeSeconds: config.tokenLifetimeSeconds }),
    ...agentsRoutes(agentDeps(db, log, corpus)),
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

/** What is kept of documents beside their rows. */
export interface Corpus extends AsyncDisposable {
  files: StoredFiles;
  index: PassageIndex;
}

/** With `anew` a search index that another version has made is emptied. @throws Error where there is one and it may not be. */
export async function openCorpus(config: Config, log: Logger, { anew = false } = {}): Promise<Corpus> {
  const files = await openFolderFiles(config.filesDir);
  const index = await openPassageIndex({
    folder: config.indexDir,
    anew,
    report: (error) => log.warn({ err: error }, "the search index could not be tidied; it will be tried again"),
  });
  return { files, index, [Symbol.asyncDispose]: () => index[Symbol.asyncDispose]() };
}

export const openKnowledge = (
  config: Config,
  parts: { db: Db; corpus: Corpus; engine: Engine; answerer?: Answerer },
): Knowledge =>
  new Knowledge({
    db: parts.db,
    files: parts.corpus.files,
    index: parts.corpus.index,
    engine: parts.engine,
    answerer: parts.answerer ?? builtinAnswerer,
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
    budgetTokens: budgetOf(config),
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
  const corpus = stack.use(await openCorpus(config, log));
  const temporaryFiles = await openTemporaryFiles(temporaryFolder(config), { own: installation.owned });
  const antivirus = stack.use(openScanner(config, log));
  let wake = () => {};
  if (installation.owned) {
    const { keys, worker } = installation;
    const outbound = openOutbound(config.outbound);
    stack.defer(() => outbound.close());
    const parts = { db, keys, ...stack.use(openUnderstanding(config)), corpus, temporaryFiles, outbound };
    const runner = buildRunner(config, log, { ...parts, deliverer: new Deliverer(parts), worker });
    await runner.start();
    stack.defer(() => runner.stop());
    wake = () => runner.wake();
  }
  const documents = { db, log, files: corpus.files, index: corpus.index, wake };
  const resources = stack.move();
  return { installation, documents, temporaryFiles, antivirus, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

export interface Installation extends AsyncDisposable {
  records: Records;
  keys: Keys;
  /** Whether this process owns the data folder. */
  owned: boolean;
  /** Name of the owner of the data folder among the processes that share the database; the same after a restart. */
  worker: string;
}

/**
 * Opens folder, keys and database, and brings the database to this version's schema. With `own`, no other process may own the data
 * folder; without it, a running service of the same version may, as beside a command line call.
 * @throws FolderInUse
 */
export async function openInstallation(
  config: Config,
  log: Logger,
  options: { own: boolean; onQuery?: OnQuery | undefined },
): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await refuseUnfinished(config.dataDir);
  const lock = tryLock(join(config.dataDir, "sheaf.lock"));
  if (lock) stack.defer(() => lock.release());
  else if (options.own) throw new FolderInUse(`Another Sheaf process is using the data folder ${config.dataDir}.`);
  const keys = await openKeys(config.keysDir);
  const records = openRecords(databaseSettings(config, log), options.onQuery);
  stack.defer(() => records.close());
  if (lock) await records.migrate();
  else if (!(await records.isCurrent()))
    throw new Error("The running service has another version than this command: stop it first.");
  await bindKeys(records.db, keys);
  const worker = await workerOf(config.dataDir);
  const resources = stack.move();
  return { records, keys, owned: lock !== undefined, worker, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function workerOf(dataDir: string): Promise<string> {
  const path = join(dataDir, "worker.id");
  try {
    await writeFile(path, newId(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // A crash of the machine may have left it empty: its leases then pass to this worker as those of any dead one.
  return (await readFile(path, "utf8")) || newId();
}

const databaseSettings = (config: Config, log: Logger) =>
  config.database.dialect === "sqlite"
    ? config.database
    : { ...config.database, onIdleError: (error: Error) => log.warn({ err: error }, "a database connection broke") };

/** What a backup is made of; nothing of it is made where it is missing, and no database is brought to this version's schema. */
export const backupSource = async (config: Config, log: Logger): Promise<BackupSource> => ({
  database: databaseSettings(config, log),
  files: await openFolderFiles(config.filesDir),
  keysDir: config.keysDir,
});

const budgetOf = ({ model }: Config): number | null => model?.budgetTokens ?? null;

/** Where the settings say that an installation is to be. */
export const placesOf = (config: Config, log: Logger): Places => {
  const { dataDir, filesDir, indexDir, keysDir } = config;
  return { database: databaseSettings(config, log), dataDir, filesDir, indexDir, keysDir };
};

export interface Understanding extends AsyncDisposable {
  reader: ProcessReader;
  engine: Engine;
}

/** What reads and understands documents: needs no database and no folder. */
export function openUnderstanding(config: Config, telemetry?: Telemetry): Understanding {
  const reader = openReader({ ...defaultReadingSettings, ...config.reading });
  const builtin = openBuiltinEngine(config.engine);
  const engine = config.model
    ? openModelEngine(builtin, openModelClient(config.model.settings), config.model.mode)
    : builtin;
  return {
    reader: telemetry ? observeReader(reader, telemetry) : reader,
    engine: telemetry ? observeEngine(engine, config.engine.threads, telemetry) : engine,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([reader.close(), engine.close()]);
    },
  };
}

/** The first request need not wait for a process to start. A failure shows again, as an answer, with the first file. */
function warm(reader: ProcessReader, log: Logger, shutdown: AbortSignal): void {
  reader.warm().catch((error: unknown) => {
    if (!shutdown.aborted) log.error({ err: error }, "the reading processes did not start");
  });
}

/** Lets requests under way finish; those that don't in time get an error, and connections that are left then are cut. */
async function drain(app: FastifyInstance, shutdown: AbortController): Promise<void> {
  const stopping = new AppError("agent_unavailable", undefined, { message: "The service is stopping." });
  const timers = [
    setTimeout(() => shutdown.abort(stopping), drainMs),
    setTimeout(() => app.server.closeAllConnections(), drainMs + 1_000),
  ];
  await app.close();
  shutdown.abort(stopping);
  timers.forEach(clearTimeout);
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, backlog: waitingConnections });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(`Port ${port} of ${host} is in use: set SHEAF_PORT to another.`, { cause: error });
  }
}

function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  const host = address === "0.0.0.0" || address === "::" ? "localhost" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
