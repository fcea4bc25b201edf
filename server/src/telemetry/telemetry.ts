/** Opens metrics and traces of one service. */
import type { Logger } from "../lib/log.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import type { OtlpSettings } from "./otlp-tracer.ts";
import { silentTracer, type Tracer } from "./tracer.ts";

export interface Telemetry {
  metrics: Metrics;
  tracer: Tracer;
}

/** Opens the telemetry. The code for traces is loaded only if they are configured. */
export async function openTelemetry(traces: OtlpSettings | undefined, log: Logger): Promise<Telemetry> {
  const tracer = traces === undefined ? silentTracer : (await import("./otlp-tracer.ts")).openOtlpTracer(traces, log);
  return { metrics: openMetrics(), tracer };
}
