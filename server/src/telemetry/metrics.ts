/**
 * What is measured, for Prometheus. Labels take few values, all of them of our own: routes by their pattern, jobs and errors by name;
 * never an organization, a file, or anything else of a client.
 */
import { version } from "../lib/version.ts";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "./prom-client.ts";

const quick = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const slow = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 7200];

export type Metrics = ReturnType<typeof openMetrics>;

/** The metrics of one service, with a registry of their own. */
export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const duration = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets = quick) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const info = gauge("sheaf_build_info", "Always 1; the label says which version runs.", ["version"]);
  info.set({ version }, 1);
  const looks: (() => void | Promise<void>)[] = [];
  let watchesProcess = false;
  const watchProcess = (): void => {
    if (!watchesProcess) collectDefaultMetrics(registry);
    watchesProcess = true;
  };
  return {
    /** Begins to measure the process itself. Called once the service is ready, as loading it takes a while; a scrape calls it, too. */
    watchProcess,
    /** Registers what is looked at when somebody asks. */
    atScrape: (look: () => void | Promise<void>): void => void looks.push(look),
    /** All of it, in the text format of Prometheus. */
    scrape: async (): Promise<string> => {
      watchProcess();
      await Promise.all(looks.map((look) => look()));
      return registry.metrics();
    },
    requests: duration(
      "sheaf_http_request_duration_seconds",
      "Requests that are over, by method, pattern of the path and class of the status.",
      ["method", "route", "status"],
    ),
    requestsUnderWay: gauge("sheaf_http_requests_under_way", "Requests that have begun and are not over."),
    errors: counter("sheaf_http_errors_total", "Requests that were answered with an error, by its code.", ["code"]),
    shed: counter("sheaf_http_shed_total", "Requests that were refused at once because there was too much to do."),
    scans: duration(
      "sheaf_antivirus_scan_duration_seconds",
      "Scans of the antivirus by outcome: clean, infected, unavailable or aborted.",
      ["outcome"],
    ),
    uploadedBytes: counter("sheaf_http_uploaded_bytes_total", "Bytes of the files that were received."),
    jobsStarted: counter("sheaf_job_attempts_started_total", "Attempts at jobs that have begun.", ["name"]),
    jobs: duration(
      "sheaf_job_attempt_duration_seconds",
      "Attempts at jobs that are over, by how they ended: done, retried, failed, lost or unrecorded.",
      ["name", "outcome"],
      slow,
    ),
    queue: gauge("sheaf_jobs", "Jobs in the queue by state: due, later, running, failed.", ["name", "state"]),
    oldestDue: gauge("sheaf_jobs_oldest_due_seconds", "How long the oldest job that is due has waited.", ["name"]),
    pendingDeliveries: gauge("sheaf_deliveries_pending", "Events and callbacks that have still to be told."),
    filesHeldBack: gauge(
      "sheaf_files_held_back",
      "Stored files without a row in the database that the last sweep left because they are too many.",
    ),
    filesInTrash: gauge("sheaf_files_in_trash", "Stored files in the trash after the last sweep."),
    databaseUp: gauge("sheaf_database_up", "Whether the database answered at the last look: 1 or 0."),
    readings: duration(
      "sheaf_reading_duration_seconds",
      "Files that were read, with the wait for a process, by format and outcome: read, a reason of failure, aborted or error.",
      ["format", "outcome"],
      slow,
    ),
    pages: counter("sheaf_reading_pages_total", "Pages that were read: as text, or by recognizing their picture.", [
      "source",
    ]),
    readingProcesses: gauge("sheaf_reading_processes", "Reading processes by state: busy, idle.", ["state"]),
    readingWaiting: gauge("sheaf_reading_waiting", "Files that wait for a reading process."),
    readingProcessesStarted: counter("sheaf_reading_processes_started_total", "Reading processes that were started."),
    readingProcessesKilled: counter(
      "sheaf_reading_processes_killed_total",
      "Of these the ones that broke down or had to be killed: for time, for memory, or because the client left.",
    ),
    engine: duration(
      "sheaf_engine_duration_seconds",
      "What the engine did, with the wait for a thread, by task (extract, classify, answer, answer with model) and outcome (done, found, not_found, failed, aborted, error).",
      ["task", "outcome"],
    ),
    tokens: counter("sheaf_engine_tokens_total", "Language model tokens that were consumed.", ["task"]),
    engineThreads: gauge("sheaf_engine_threads", "Threads of the engine by state: busy, idle.", ["state"]),
    engineWaiting: gauge("sheaf_engine_waiting", "Documents that wait for a thread of the engine."),
    deliveries: duration(
      "sheaf_delivery_attempt_duration_seconds",
      "Posts to webhooks and callbacks by outcome: the class of the status, timeout, unreachable, refused_address, or aborted.",
      ["outcome"],
    ),
  };
}

/** Seconds since a time of `performance.now`. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;
