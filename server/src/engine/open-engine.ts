/**
 * Opens the engine, and decides for each request which engine handles it: the built-in one, the
 * model, or both (`auto`).
 */
import type { EngineName } from "@sheaf/contract/agents.ts";
import { quoteFromCorpus } from "./answer/quote-from-corpus.ts";
import type { Answerer } from "./answering.ts";
import type { Engine } from "./engine.ts";
import type { Meter } from "./meter.ts";
import type { ModelAnswerer } from "./model/answer-with-model.ts";
import type { ModelSettings } from "./model/model-client.ts";
import type { ModelEngine } from "./model/model-engine.ts";
import { openBuiltinAnswerer } from "./threads/threaded-answerer.ts";
import { type BuiltinEngine, openBuiltinEngine } from "./threads/threaded-engine.ts";

export type { ModelAnswer, ModelAnswerer, ModelAsking } from "./model/answer-with-model.ts";

export interface EngineSettings {
  /**
   * Maximum number of documents that are processed at the same time. Questions are counted
   * separately, and have the same maximum.
   */
  threads: number;
  /**
   * Settings of the language model. `usual` is the engine for requests that do not name an engine.
   * Undefined if no language model is configured.
   */
  model?: { settings: ModelSettings; usual: EngineName } | undefined;
}

/** Functions that wrap the answerers of both engines, for telemetry. */
export interface AnswererObservers {
  builtin: (answerer: Answerer) => Answerer;
  model: (answerer: ModelAnswerer) => ModelAnswerer;
}

const unobserved: AnswererObservers = { builtin: (answerer) => answerer, model: (answerer) => answerer };

export async function openEngine({ threads, model }: EngineSettings, observe = unobserved): Promise<Engine> {
  const builtin = openBuiltinEngine({ threads });
  const answerer = observe.builtin(openBuiltinAnswerer({ threads }));
  if (model === undefined) return engineOf(builtin, answerer);
  // The module is loaded only if a model is configured, because its client uses several megabytes
  // of memory.
  const { openModelClient } = await import("./model/model-client.ts");
  const { openModelEngine } = await import("./model/model-engine.ts");
  const engine = openModelEngine(openModelClient(model.settings), builtin, answerer, observe.model);
  return engineOf(builtin, answerer, { engine, usual: model.usual });
}

/** Combines the engines. When the result is closed, it closes all of them. */
export function engineOf(
  builtin: BuiltinEngine,
  answerer: Answerer,
  model?: { engine: ModelEngine; usual: EngineName },
): Engine {
  /**
   * Returns the engine that uses the model, and the request for it. Returns undefined if the
   * built-in engine was chosen, if there is no model, or if there is no budget for the model.
   */
  const modelFor = <Request extends { engine?: EngineName | undefined; meter?: Meter }>(request: Request) => {
    const { meter, engine = model?.usual } = request;
    if (model === undefined || meter === undefined || engine === "builtin") return undefined;
    return { engine: model.engine, request: { ...request, meter }, isAuto: engine === "auto" };
  };
  return {
    extract: async (request, signal) => {
      const chosen = modelFor(request);
      if (!chosen) return builtin.extract(request, signal);
      const extraction = await chosen.engine.extract(chosen.request, chosen.isAuto, signal);
      return request.memory?.length ? builtin.recall(request, extraction, signal) : extraction;
    },
    learn: (request, signal) => builtin.learn(request, signal),
    classify: async (request, signal) => {
      const chosen = modelFor(request);
      return chosen ? chosen.engine.classify(chosen.request, chosen.isAuto, signal) : builtin.classify(request, signal);
    },
    propose: (request, signal) => builtin.propose(request, signal),
    readFacts: (document, question, signal) => answerer.readFacts(document, question, signal),
    understand: (request, signal) => answerer.understand(request, signal),
    answer: async (request, signal) => {
      const chosen = modelFor(request);
      return chosen
        ? chosen.engine.answer(chosen.request, chosen.isAuto, signal)
        : quoteFromCorpus(answerer, request.corpus, request.question, signal);
    },
    stream: async (request, signal) => {
      const chosen = modelFor(request);
      return chosen?.engine.stream(chosen.request, chosen.isAuto, signal);
    },
    close: async () => {
      await Promise.all([model?.engine.close(), builtin.close(), answerer.close()]);
    },
  };
}
