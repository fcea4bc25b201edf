/** Wraps parts of the service so that their calls are measured and traced, by task and outcome. */
import type { Counter, Histogram } from "prom-client";
import type { Antivirus } from "../antivirus/antivirus.ts";
import type { Answerer } from "../engine/answering.ts";
import { type Engine, EngineFailure } from "../engine/engine.ts";
import type { ModelAnswer, ModelAnswerer, ModelAsking } from "../engine/open-engine.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import type { ObserveAttempt } from "../jobs/runner.ts";
import { AppError } from "../lib/errors.ts";
import { type Outbound, OutboundError } from "../net/outbound.ts";
import type { Document, Page } from "../reading/document.ts";
import type { ProcessReader } from "../reading/reader.ts";
import { ReadingError } from "../reading/reader.ts";
import { secondsSince } from "./metrics.ts";
import type { Telemetry } from "./telemetry.ts";
import type { Attributes, Span, Tracer } from "./tracer.ts";

interface Observed<T, Label extends string> {
  name: string;
  attributes: Attributes;
  work(span: Span): Promise<T>;
  duration: Histogram<Label | "outcome">;
  labels: Record<Exclude<Label, "outcome">, string>;
  /**
   * Returns the value of the `outcome` label for a result, such as `found`. `failed` returns the
   * value of the label for an error.
   */
  done(result: T): string;
  failed(error: unknown): string;
}

/** Runs `work` in a span, and records its duration and outcome. */
async function observe<T, Label extends string>(tracer: Tracer, observed: Observed<T, Label>): Promise<T> {
  const startedAt = performance.now();
  const over = (outcome: string) =>
    observed.duration.observe(
      { ...observed.labels, outcome } as Record<Label | "outcome", string>,
      secondsSince(startedAt),
    );
  try {
    const result = await tracer.span(observed.name, observed.attributes, observed.work);
    over(observed.done(result));
    return result;
  } catch (error) {
    over(observed.failed(error));
    throw error;
  }
}

export function observeReader(reader: ProcessReader, { metrics, tracer }: Telemetry): ProcessReader {
  const measured = <T>(format: string, signal: AbortSignal | undefined, work: (span: Span) => Promise<T>) =>
    observe(tracer, {
      name: "read file",
      attributes: { "sheaf.file.format": format },
      work,
      duration: metrics.readings,
      labels: { format },
      done: () => "read",
      failed: (error) => (signal?.aborted ? "aborted" : error instanceof ReadingError ? error.reason : "error"),
    });
  const count = ({ source }: Page) => metrics.pages.inc({ source });
  metrics.atScrape(() => {
    const { busy, idle, waiting, started, killed } = reader.load();
    metrics.readingProcesses.set({ state: "busy" }, busy);
    metrics.readingProcesses.set({ state: "idle" }, idle);
    metrics.readingWaiting.set(waiting);
    setTotal(metrics.readingProcessesStarted, started);
    setTotal(metrics.readingProcessesKilled, killed);
  });
  return {
    read: (path, extension, options) =>
      measured(extension, options?.signal, async (span) => {
        const document = await reader.read(path, extension, options);
        document.pages.forEach(count);
        span.set({ "sheaf.file.pages": document.pages.length });
        return document;
      }),
    readPages: (path, extension, { onPage, ...options }) =>
      measured(extension, options.signal, async (span) => {
        const read = await reader.readPages(path, extension, {
          ...options,
          onPage: (page) => {
            count(page);
            return onPage(page);
          },
        });
        span.set({ "sheaf.file.pages": read.pages });
        return read;
      }),
    renderPage: (...args) => reader.renderPage(...args),
    copyPages: (...args) => reader.copyPages(...args),
    warm: () => reader.warm(),
    probe: () => reader.probe(),
    isAlive: () => reader.isAlive(),
    load: () => reader.load(),
    close: () => reader.close(),
  };
}

function setTotal(counter: Counter, total: number): void {
  counter.reset();
  counter.inc(total);
}

export function observeEngine(engine: Engine, threads: number, { metrics, tracer }: Telemetry): Engine {
  let underWay = 0;
  const measured = async <T extends { tokens: number }>(
    task: string,
    { pages }: Document,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    underWay++;
    try {
      const result = await observe(tracer, {
        name: `engine ${task}`,
        attributes: { "sheaf.file.pages": pages.length },
        work,
        duration: metrics.engine,
        labels: { task },
        done: () => "done",
        failed: (error) => (signal.aborted ? "aborted" : error instanceof EngineFailure ? "failed" : "error"),
      });
      metrics.tokens.inc({ task }, result.tokens);
      return result;
    } finally {
      underWay--;
    }
  };
  metrics.atScrape(() => {
    // Every call occupies one thread, or waits if no thread is free.
    metrics.engineThreads.set({ state: "busy" }, Math.min(underWay, threads));
    metrics.engineThreads.set({ state: "idle" }, Math.max(0, threads - underWay));
    metrics.engineWaiting.set(Math.max(0, underWay - threads));
  });
  return {
    extract: (request, signal) => measured("extract", request.document, signal, () => engine.extract(request, signal)),
    classify: (request, signal) =>
      measured("classify", request.document, signal, () => engine.classify(request, signal)),
    learn: (...asked) => engine.learn(...asked),
    readFacts: (...asked) => engine.readFacts(...asked),
    propose: (request, signal) => measured("propose", request.document, signal, () => engine.propose(request, signal)),
    // Not measured here: `observeAnswerer` and `observeModelAnswerer` observe the calls that answer
    // questions.
    understand: (...asked) => engine.understand(...asked),
    answer: (...asked) => engine.answer(...asked),
    stream: (...asked) => engine.stream(...asked),
    close: () => engine.close(),
  };
}

export function observeAntivirus(antivirus: Antivirus, { metrics, tracer }: Telemetry): Antivirus {
  // Creates the series with the value 0. Otherwise an alert on an increase would miss the first
  // failure.
  metrics.scans.zero({ outcome: "unavailable" });
  return {
    scan: (file, signal) =>
      observe(tracer, {
        name: "scan file",
        attributes: { "sheaf.file.bytes": file.size },
        work: () => antivirus.scan(file, signal),
        duration: metrics.scans,
        labels: {},
        done: () => "clean",
        failed: (error) =>
          signal.aborted
            ? "aborted"
            : error instanceof AppError && error.code === "infected_file"
              ? "infected"
              : "unavailable",
      }),
    check: () => antivirus.check(),
    [Symbol.dispose]: () => antivirus[Symbol.dispose](),
  };
}

export function observeAnswerer(answerer: Answerer, { metrics, tracer }: Telemetry): Answerer {
  return {
    understand: (...asked) => answerer.understand(...asked),
    documentsToRead: (...asked) => answerer.documentsToRead(...asked),
    readFacts: (...asked) => answerer.readFacts(...asked),
    answer: (question, passages, facts, signal) =>
      observe(tracer, {
        name: "engine answer",
        attributes: { "sheaf.passages": passages.length },
        work: () => answerer.answer(question, passages, facts, signal),
        duration: metrics.engine,
        labels: { task: "answer" },
        done: ({ found }) => (found ? "found" : "not_found"),
        failed: (error) => (signal.aborted ? "aborted" : error instanceof EngineFailure ? "failed" : "error"),
      }),
    likelySpans: (...asked) => answerer.likelySpans(...asked),
    close: () => answerer.close(),
  };
}

export function observeModelAnswerer(model: ModelAnswerer, { metrics, tracer }: Telemetry): ModelAnswerer {
  const observed = async (asking: ModelAsking, signal: AbortSignal, work: () => Promise<ModelAnswer>) => {
    const answer = await observe(tracer, {
      name: "model answer",
      attributes: { "sheaf.passages": asking.passages.length },
      work,
      duration: metrics.engine,
      labels: { task: "answer with model" },
      done: ({ found }) => (found ? "found" : "not_found"),
      failed: () => (signal.aborted ? "aborted" : "error"),
    });
    metrics.tokens.inc({ task: "answer" }, answer.tokens);
    return answer;
  };
  return {
    answer: (asking, signal) => observed(asking, signal, () => model.answer(asking, signal)),
    stream: async function* (asking, signal) {
      const told = Promise.withResolvers<ModelAnswer>();
      const observing = observed(asking, signal, () => told.promise).catch(() => {});
      try {
        const answer = yield* model.stream(asking, signal);
        told.resolve(answer);
        return answer;
      } catch (error) {
        told.reject(error);
        throw error;
      } finally {
        told.reject(new Error("The consumer stopped reading."));
        await observing;
      }
    },
  };
}

export const observeOutbound = (outbound: Outbound, { metrics, tracer }: Telemetry): Pick<Outbound, "post"> => ({
  post: (url, request, signal) =>
    observe(tracer, {
      name: "deliver",
      attributes: {},
      work: async (span) => {
        const answer = await outbound.post(url, request, signal);
        span.set({ "http.response.status_code": answer.status });
        return answer;
      },
      duration: metrics.deliveries,
      labels: {},
      done: ({ status }) => classOf(status),
      failed: (error) => (signal?.aborted ? "aborted" : error instanceof OutboundError ? error.kind : "error"),
    }),
});

export const observeAttempts =
  ({ metrics, tracer }: Telemetry): ObserveAttempt =>
  ({ id, name, attempt }, make) => {
    metrics.jobsStarted.inc({ name });
    return observe(tracer, {
      name: `job ${name}`,
      attributes: { "sheaf.job.id": id, "sheaf.job.attempt": attempt },
      work: async (span) => {
        const outcome = await make();
        span.set({ "sheaf.job.outcome": outcome });
        return outcome;
      },
      duration: metrics.jobs,
      labels: { name },
      done: (outcome) => outcome,
      failed: () => "unrecorded",
    });
  };

export const observeRequests = ({ metrics, tracer }: Telemetry): RequestObserver => ({
  begin: ({ id, method, route = "unmatched", headers }) => {
    const startedAt = performance.now();
    const attributes = { "http.request.method": method, "http.route": route, "sheaf.request.id": id };
    const { traceparent } = headers;
    const span = tracer.request(
      `${method} ${route}`,
      attributes,
      typeof traceparent === "string" ? traceparent : undefined,
    );
    metrics.requestsUnderWay.inc();
    return {
      run: (work) => span.run(work),
      uploaded: (bytes) => metrics.uploadedBytes.inc(bytes),
      shed: () => metrics.shed.inc(),
      failed: (code) => {
        metrics.errors.inc({ code });
        span.set({ "error.type": code });
      },
      end: (status) => {
        metrics.requestsUnderWay.dec();
        metrics.requests.observe({ method, route, status: classOf(status) }, secondsSince(startedAt));
        span.end(status);
      },
    };
  },
});

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`;
