/**
 * Opens the reader and the engine, which read and understand documents. They need neither a
 * database nor a data folder.
 */
import type { Config } from "../config.ts";
import type { Engine } from "../engine/engine.ts";
import { openEngine } from "../engine/open-engine.ts";
import { defaultReadingSettings, openReader } from "../reading/open-reader.ts";
import type { ProcessReader } from "../reading/reader.ts";
import { observeAnswerer, observeEngine, observeModelAnswerer, observeReader } from "../telemetry/observed.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface Understanding extends AsyncDisposable {
  reader: ProcessReader;
  engine: Engine;
}

export async function openUnderstanding(config: Config, telemetry?: Telemetry): Promise<Understanding> {
  const reader = openReader({ ...defaultReadingSettings, ...config.reading });
  const observers = telemetry && {
    builtin: (answerer: Parameters<typeof observeAnswerer>[0]) => observeAnswerer(answerer, telemetry),
    model: (answerer: Parameters<typeof observeModelAnswerer>[0]) => observeModelAnswerer(answerer, telemetry),
  };
  const engine = await openEngine({ ...config.engine, model: config.model }, observers);
  return {
    reader: telemetry ? observeReader(reader, telemetry) : reader,
    engine: telemetry ? observeEngine(engine, config.engine.threads, telemetry) : engine,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([reader.close(), engine.close()]);
    },
  };
}
