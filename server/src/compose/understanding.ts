/** What reads and understands documents. Needs no database and no data folder. */
import type { Config } from "../config.ts";
import type { Answerer, Engine } from "../engine/engine.ts";
import type { ModelAnswerer } from "../engine/model/answer-with-model.ts";
import { openBuiltinAnswerer } from "../engine/threads/threaded-answerer.ts";
import { type BuiltinEngine, openBuiltinEngine } from "../engine/threads/threaded-engine.ts";
import { defaultReadingSettings, openReader } from "../reading/open-reader.ts";
import type { ProcessReader } from "../reading/reader.ts";
import { observeAnswerer, observeEngine, observeModelAnswerer, observeReader } from "../telemetry/observed.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface Understanding extends AsyncDisposable {
  reader: ProcessReader;
  engine: Engine;
  /** Answers questions; undefined where the settings name no language model. Closed with the engine. */
  model: ModelAnswerer | undefined;
  /** Answers questions without a language model. */
  answerer: Answerer;
}

/** What reads and understands documents: needs no database and no folder. */
export async function openUnderstanding(config: Config, telemetry?: Telemetry): Promise<Understanding> {
  const reader = openReader({ ...defaultReadingSettings, ...config.reading });
  const builtin = openBuiltinEngine(config.engine);
  const answerer = openBuiltinAnswerer(config.engine);
  const { engine, model } = config.model ? await openModel(config.model, builtin) : { engine: builtin };
  return {
    reader: telemetry ? observeReader(reader, telemetry) : reader,
    engine: telemetry ? observeEngine(engine, config.engine.threads, telemetry) : engine,
    model: model && telemetry ? observeModelAnswerer(model, telemetry) : model,
    answerer: telemetry ? observeAnswerer(answerer, telemetry) : answerer,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([reader.close(), engine.close(), answerer.close()]);
    },
  };
}

/** Loads what asks a language model, which is not needed if the settings name none. */
async function openModel({ settings, usual }: NonNullable<Config["model"]>, builtin: BuiltinEngine) {
  const { openModelClient } = await import("../engine/model/model-client.ts");
  const { openModelEngine } = await import("../engine/open-engine.ts");
  const { openModelAnswerer } = await import("../engine/model/answer-with-model.ts");
  const client = openModelClient(settings);
  return { engine: openModelEngine(builtin, client, usual), model: openModelAnswerer(client, usual) };
}
