/**
 * Prometheus metrics. Labels have few values, which are defined in the code, such as route patterns
 * and the names of jobs and errors. Labels never contain organizations, files or other data of
 * clients.
 */
import { version } from "../lib/version.ts";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "./prom-client.ts";

const quick = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const slow = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 7200];

export type Metrics = ReturnType<typeof openMetrics>;

/** Creates the metrics of one service, in a separate registry. */
export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const duration = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets = quick) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const info = gauge("sheaf_build_info", "Always 1; the label is the running version.", ["version"]);
  info.set({ version }, 1);
  const looks: (() => void | Promise<void>)[] = [];
  let watchesProcess = false;
  const watchProcess = (): void => {
    if (!watchesProcess) collectDefaultMetrics(registry);
    watchesProcess = true;
  };
  const errors = counter("sheaf_http_errors_total", "Requests that ended with an error, by its code.", ["code"]);
  // Creates the series with the value 0. Otherwise an alert on an increase would miss the first
  // error.
  errors.inc({ code: "internal_error" }, 0);
  return {
    /**
     * Starts measuring the process itself, such as its memory and processor time. Called when the
     * service is ready, or at the first scrape if that is earlier. It is not called at start-up,
     * because loading the code would delay the start.
     */
    watchProcess,
    /** Registers a callback that updates gauges at each scrape. */
    atScrape: (look: () => void | Promise<void>): void => void looks.push(look),
    /** Returns all metrics in the Prometheus text format. */
    scrape: async (): Promise<string> => {
      watchProcess();
      await Promise.all(looks.map((look) => look()));
      return registry.metrics();
    },
    requests: duration(
      "sheaf_http_request_duration_seconds",
      "Finished requests, by method, path pattern and status class.",
      ["method", "route", "status"],
    ),
    requestsUnderWay: gauge("sheaf_http_requests_under_way", "Requests that have started but not finished."),
    errors,
    shed: counter("sheaf_http_shed_total", "Requests that were refused by load shedding."),
    scans: duration(
      "sheaf_antivirus_scan_duration_seconds",
      "Scans of the antivirus by outcome: clean, infected, unavailable or aborted.",
      ["outcome"],
    ),
    uploadedBytes: counter("sheaf_http_uploaded_bytes_total", "Bytes of the files that were received."),
    jobsStarted: counter("sheaf_job_attempts_started_total", "Job attempts that have started.", ["name"]),
    jobs: duration(
      "sheaf_job_attempt_duration_seconds",
      "Job attempts that have ended, by outcome: done, retried, failed, lost or unrecorded.",
      ["name", "outcome"],
      slow,
    ),
    queue: gauge("sheaf_jobs", "Jobs in the queue by state: due, later, running, failed.", ["name", "state"]),
    oldestDue: gauge("sheaf_jobs_oldest_due_seconds", "How long the oldest due job has been due.", ["name"]),
    pendingDeliveries: gauge("sheaf_deliveries_pending", "Events and callbacks still to be delivered."),
    filesHeldBack: gauge(
      "sheaf_files_held_back",
      "Stored files without a row in the database that the last sweep did not move to the trash because there were too many.",
    ),
    filesInTrash: gauge("sheaf_files_in_trash", "Stored files in the trash after the last sweep."),
    databaseUp: gauge("sheaf_database_up", "Whether the database responded at the last check: 1 or 0."),
    readings: duration(
      "sheaf_reading_duration_seconds",
      "Time to read files, including the wait for a process, by format and outcome: read, a failure reason, aborted or error.",
      ["format", "outcome"],
      slow,
    ),
    pages: counter("sheaf_reading_pages_total", "Pages that were read, by method: from text or by OCR.", ["source"]),
    readingProcesses: gauge("sheaf_reading_processes", "Reading processes by state: busy, idle.", ["state"]),
    readingWaiting: gauge("sheaf_reading_waiting", "Files that wait for a reading process."),
    readingProcessesStarted: counter("sheaf_reading_processes_started_total", "Reading processes that were started."),
    readingProcessesKilled: counter(
      "sheaf_reading_processes_killed_total",
      "Reading processes that crashed or were killed, by reason: time, memory, or a client that disconnected.",
    ),
    engine: duration(
      "sheaf_engine_duration_seconds",
      "Engine calls, including the wait for a thread, by task (extract, classify, propose, answer, answer with model) and outcome (done, found, not_found, failed, aborted, error).",
      ["task", "outcome"],
    ),
    tokens: counter("sheaf_engine_tokens_total", "Language model tokens that were consumed.", ["task"]),
    engineThreads: gauge("sheaf_engine_threads", "Threads of the engine by state: busy, idle.", ["state"]),
    engineWaiting: gauge("sheaf_engine_waiting", "Documents that wait for a thread of the engine."),
    deliveries: duration(
      "sheaf_delivery_attempt_duration_seconds",
      "Requests to webhooks and callbacks by outcome: the status class, timeout, unreachable, refused_address, or aborted.",
      ["outcome"],
    ),
  };
}

/** Returns the seconds since a time that `performance.now` returned. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;
