/**
 * The parts of prom-client needed at start-up. Its index module would also load the process metrics
 * and the OpenTelemetry API. Those are half of its 84 modules, and their metrics are not needed
 * before the first scrape.
 */
import { createRequire } from "node:module";

type PromClient = typeof import("prom-client");

const load = createRequire(import.meta.url);

export const Counter = load("prom-client/lib/counter") as PromClient["Counter"];
export const Gauge = load("prom-client/lib/gauge") as PromClient["Gauge"];
export const Histogram = load("prom-client/lib/histogram") as PromClient["Histogram"];
export const Registry = load("prom-client/lib/registry") as PromClient["Registry"];

/** Registers the process metrics: memory, processor time, event loop, garbage collection. */
export function collectDefaultMetrics(register: InstanceType<PromClient["Registry"]>): void {
  (load("prom-client/lib/defaultMetrics") as PromClient["collectDefaultMetrics"])({ register });
}
