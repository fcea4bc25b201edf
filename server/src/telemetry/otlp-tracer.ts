/**
 * OpenTelemetry traces, sent with OTLP over HTTP. This module is loaded only if a collector is
 * configured, and sets no globals.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { hostname } from "node:os";
import {
  type Context,
  isSpanContextValid,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import { AppError } from "../lib/errors.ts";
import type { Logger } from "../lib/log.ts";
import { version } from "../lib/version.ts";
import type { Attributes, DatabaseQuery, RequestSpan, Span, Tracer } from "./tracer.ts";

export interface OtlpSettings {
  /** URL to which spans are posted. */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  /**
   * Share (0–1) of traces to send. It applies to traces that start in this service. If a request
   * has a `traceparent` header, the header decides instead.
   */
  ratio: number;
}

/** Minimum interval between log lines about an unreachable collector. */
const complainEveryMs = 60_000;
/** How long a stopping service waits for the collector, in milliseconds. */
const closeMs = 2_000;
const traceparentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

export function openOtlpTracer(settings: OtlpSettings, log: Logger): Tracer {
  return new OtlpTracer(settings, log);
}

class OtlpTracer implements Tracer {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: OtelTracer;
  readonly #current = new AsyncLocalStorage<Context>();

  constructor({ url, headers, serviceName, ratio }: OtlpSettings, log: Logger) {
    const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: 5_000 });
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        "service.name": serviceName,
        "service.version": version,
        "host.name": hostname(),
        "process.pid": process.pid,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new BatchSpanProcessor(complaining(exporter, log))],
    });
    this.#tracer = this.#provider.getTracer("sheaf", version);
  }

  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
    const parent = this.#current.getStore() ?? ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { attributes }, parent);
    return this.#current.run(trace.setSpan(parent, span), async () => {
      try {
        return await work({ set: (more) => void span.setAttributes(more) });
      } catch (error) {
        fail(span, nameOf(error));
        throw error;
      } finally {
        span.end();
      }
    });
  }

  request(name: string, attributes: Attributes, traceparent: string | undefined): RequestSpan {
    const parent = contextOf(traceparent);
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    return {
      run: (work) => this.#current.run(trace.setSpan(parent, span), work),
      set: (more) => void span.setAttributes(more),
      end: (status) => {
        span.setAttribute("http.response.status_code", status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  query({ sql, durationMs, failed }: DatabaseQuery): void {
    const parent = this.#current.getStore();
    // Queries that no request or job caused, such as polling for jobs every second, are not traced.
    if (parent === undefined) return;
    const end = Date.now();
    const operation = sql.trimStart().split(/\s/, 1)[0] ?? "";
    const attributes = { "db.operation.name": operation, "db.query.text": sql };
    const options = { kind: SpanKind.CLIENT, startTime: end - durationMs, attributes };
    const span = this.#tracer.startSpan(`database ${operation}`, options, parent);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeMs);
    });
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
    clearTimeout(timer);
  }
}

/** Returns the code or name of an error instead of its message, which may contain user data. */
const nameOf = (error: unknown): string =>
  error instanceof AppError ? error.code : error instanceof Error ? error.name : "unknown";

function fail(span: OtelSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function contextOf(traceparent: string | undefined): Context {
  const [, traceId = "", spanId = "", flags = ""] = traceparentPattern.exec(traceparent ?? "") ?? [];
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

/** Wraps an exporter so that lost spans are logged. */
function complaining(exporter: SpanExporter, log: Logger): SpanExporter {
  let complainedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && performance.now() - complainedAt >= complainEveryMs) {
          complainedAt = performance.now();
          log.warn({ err: result.error }, "traces could not be sent");
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
