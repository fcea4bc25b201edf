/**
 * The parts of prom-client that a start needs. Its index also loads the metrics of the process and with them the interface of
 * OpenTelemetry: half of its 84 modules, for figures that nobody reads before the first scrape.
 */
import { createRequire } from "node:module";

type PromClient = typeof import("prom-client");

const load = createRequire(import.meta.url);

export const Counter = load("prom-client/lib/counter") as PromClient["Counter"];
export const Gauge = load("prom-client/lib/gauge") as PromClient["Gauge"];
export const Histogram = load("prom-client/lib/histogram") as PromClient["Histogram"];
export const Registry = load("prom-client/lib/registry") as PromClient["Registry"];

/** Registers the metrics of the process: memory, processor time, event loop, garbage collection. */
export function collectDefaultMetrics(register: InstanceType<PromClient["Registry"]>): void {
  (load("prom-client/lib/defaultMetrics") as PromClient["collectDefaultMetrics"])({ register });
}
