/** Starts the service: opens its parts in order. Closing closes them in reverse order. */
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { openCorpus } from "../corpus.ts";
import { renewFirstSignInLink } from "../features/identity/first-sign-in.service.ts";
import { openIdentity } from "../features/identity/identity.ts";
import { LiveStates } from "../features/live-states/live-states.service.ts";
import { startMaintenance } from "../features/maintenance/maintenance.service.ts";
import type { NewCredential } from "../features/organizations/credentials.service.ts";
import { createFirstOrganization } from "../features/organizations/organizations.service.ts";
import { Deliverer } from "../features/webhooks/deliver-webhook.job.ts";
import { openTemporaryFiles } from "../files/temporary-files.ts";
import { AcceptDelay } from "../http/accept-delay.ts";
import { Listener } from "../http/listening.ts";
import { LoadGate } from "../http/load-gate.ts";
import { loadWebFiles } from "../http/web-files.ts";
import { openInstallation } from "../installation.ts";
import { openJobCalls } from "../jobs/job-calls.ts";
import { LiveProcess } from "../jobs/live-process.ts";
import { AppError } from "../lib/errors.ts";
import { openMetricsToken } from "../lib/keys.ts";
import type { Logger } from "../lib/log.ts";
import { openOutbound } from "../net/outbound.ts";
import type { ProcessReader } from "../reading/reader.ts";
import type { QueryMade } from "../records/records.ts";
import { temporaryFolder } from "../store.ts";
import { observeAntivirus, observeAttempts, observeOutbound } from "../telemetry/observed.ts";
import { watchQueue } from "../telemetry/queue-metrics.ts";
import { openTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { buildServiceApp } from "./service-app.ts";
import { openScanner } from "./service-parts.ts";
import { serviceRoutes } from "./service-routes.ts";
import { buildRunner } from "./service-runner.ts";
import { openUnderstanding } from "./understanding.ts";

export interface Service {
  app: FastifyInstance;
  /** URL at which clients reach the service. */
  url: string;
  /** The first credential; present only at the first start of an installation. */
  firstCredential: NewCredential | undefined;
  /** Single-use link with which the first administrator signs in; undefined if it is not needed. */
  firstSignInUrl: string | undefined;
  /**
   * Makes the service not ready. After the configured delay, waits up to `drainMs` for requests in
   * progress, then closes everything.
   */
  close(): Promise<void>;
}

/** @throws FolderInUse if another process is using the data folder */
export async function startService(config: Config, log: Logger): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const telemetry = await openTelemetry(config.traces, log);
  stack.defer(() => telemetry.tracer.close());
  const onQuery = config.traces && ((query: QueryMade) => telemetry.tracer.query(query));
  const installation = stack.use(await openInstallation(config, log, { own: true, onQuery }));
  const { records, keys } = installation;
  const process = stack.use(await LiveProcess.open({ db: records.db, log, worker: installation.worker }));
  stack.use(keys.tokens.watch(log));
  const isWorker = config.role === "worker";
  const firstCredential = isWorker ? undefined : await createFirstOrganization({ db: records.db, keys });
  const { reader, engine } = stack.use(await openUnderstanding(config, telemetry));
  const temporaryFiles = await openTemporaryFiles(temporaryFolder(config));
  const corpus = stack.use(await openCorpus(config, log, records.db, { owns: true }));
  const outbound = openOutbound(config.outbound);
  stack.defer(() => outbound.close());
  const scanner = stack.use(openScanner(config, log));
  const antivirus = scanner && observeAntivirus(scanner, telemetry);
  const parts = { db: records.db, keys, reader, engine, corpus, temporaryFiles, outbound };
  const deliverer = new Deliverer({ ...parts, outbound: observeOutbound(outbound, telemetry) });
  const observe = observeAttempts(telemetry);
  const runner =
    config.role === "api"
      ? undefined
      : buildRunner(config, log, { ...parts, deliverer, worker: installation.worker, observe });
  const calls = stack.use(
    openJobCalls(config.database, { db: records.db, log, onCall: runner && (() => runner.wake()) }),
  );
  watchQueue(records.db, telemetry.metrics);
  const stopping = new AbortController();
  const shutdown = new AbortController();
  const secureCookies = hasSecureCookies(config);
  const identity = openIdentity(records.db, { secret: keys.sessions, secureCookies });
  const metricsToken = config.metricsToken ?? (await openMetricsToken(config.keysDir));
  const wake = () => {
    runner?.wake();
    calls.call();
  };
  const liveStates = new LiveStates({ db: records.db, log, maxStreams: config.maxEventStreams });
  const routes = serviceRoutes(config, log, {
    ...parts,
    liveStates,
    identity,
    secureCookies,
    antivirus,
    deliverer,
    telemetry,
    metricsToken,
    wake,
    stopping: stopping.signal,
  });
  const application = isWorker ? undefined : loadWebFiles(config.webDir);
  const documentation = isWorker ? undefined : loadWebFiles(config.docsDir, "/docs/");
  const webFiles = new Map([...(application ?? []), ...(documentation ?? [])]);
  const loadGate = stack.use(
    new LoadGate(config.maxRequests, (refused) => log.warn({ refused }, "requests are refused because of overload")),
  );
  const app = await buildServiceApp(
    config,
    log,
    { ...parts, identity, antivirus, telemetry, loadGate, webFiles, process: process.id, shutdown: shutdown.signal },
    isWorker ? routes.filter(({ endpoint }) => endpoint.probe) : routes,
  );
  const listener = new Listener(app);
  // Stops the job runner, which returns its jobs to the queue, while the last requests finish.
  stack.defer(async () => {
    await Promise.all([listener.drain(shutdown), runner?.stop()]);
  });
  // Closed before waiting for the last requests, because open event streams would delay the
  // shutdown.
  stack.use(liveStates);
  loadGate.watch(stack.use(new AcceptDelay(app.server)));
  await listener.listen(config);
  if (application === undefined && !isWorker)
    log.info(
      { folder: config.webDir },
      "the web application is not built, so only the API is served: `npm run prepare` builds it",
    );
  if (documentation === undefined && !isWorker)
    log.info(
      { folder: config.docsDir },
      "the documentation is not built, so nothing is served at /docs: `npm run prepare` builds it",
    );
  if (runner) {
    await runner.start();
    stack.use(
      startMaintenance({
        ...{ db: records.db, keys, files: corpus.files, log, trashDays: config.trashDays },
        abandoned: temporaryFiles.abandoned,
        onSweep: ({ heldBack, trashed }) => {
          telemetry.metrics.filesHeldBack.set(heldBack);
          telemetry.metrics.filesInTrash.set(trashed);
        },
      }),
    );
  }
  void finishStart(reader, telemetry, log, shutdown.signal);
  const url = config.publicUrl ?? listener.url;
  // Creates the link only once the service is listening, because a failed start must not replace
  // the link of the previous start.
  const link = { worker: installation.worker, hasPage: application !== undefined };
  const token = isWorker ? undefined : await renewFirstSignInLink({ db: records.db, keys }, link);
  const firstSignInUrl = token && `${url}/welcome#token=${token}`;
  const resources = stack.move();
  const close = async (): Promise<void> => {
    stopping.abort(new AppError("agent_unavailable", undefined, { message: "The service is stopping." }));
    await sleep(config.stopDelayMs);
    await resources.disposeAsync();
  };
  return { app, url, firstCredential, firstSignInUrl, close };
}

/**
 * Returns whether cookies have the attribute `Secure`. Browsers refuse such cookies over plain
 * HTTP, except on localhost.
 */
const hasSecureCookies = ({ publicUrl }: Config): boolean => {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  return url?.protocol !== "http:" || ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
};

/**
 * Finishes the start in the background. Starts the reading processes before the first request needs
 * one, starts the metrics of the process, and saves the compile cache for the next start.
 */
async function finishStart(reader: ProcessReader, telemetry: Telemetry, log: Logger, shutdown: AbortSignal) {
  await reader.probe().catch((error: unknown) => {
    if (!shutdown.aborted) log.error({ err: error }, "the reading processes did not start");
  });
  telemetry.metrics.watchProcess();
  flushCompileCache();
}
