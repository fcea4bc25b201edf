/**
 * Extracts, classifies and answers with a language model. The model works alone or, with `auto`,
 * only if the built-in engine is not sure.
 */
import type { Answerer, AnswerStream, CorpusAnswer, PassageText } from "../answering.ts";
import type { Classification, ClassifyRequest, Extraction, ExtractRequest } from "../engine.ts";
import type { Meter } from "../meter.ts";
import type { BuiltinEngine } from "../threads/threaded-engine.ts";
import { answerWithModel, type MeteredAnswerRequest, streamWithModel } from "./answer-from-corpus.ts";
import { type ModelAnswerer, openModelAnswerer } from "./answer-with-model.ts";
import { classifyWithModel } from "./classify-with-model.ts";
import { extractWhereUnsure } from "./extract-where-unsure.ts";
import { extractWithModel } from "./extract-with-model.ts";
import type { ModelClient } from "./model-client.ts";

interface Metered {
  meter: Meter;
}

/** With `isAuto`, the model is asked only if the built-in engine is not sure. */
export interface ModelEngine {
  extract(request: ExtractRequest & Metered, isAuto: boolean, signal: AbortSignal): Promise<Extraction>;
  classify(request: ClassifyRequest & Metered, isAuto: boolean, signal: AbortSignal): Promise<Classification>;
  answer<Passage extends PassageText>(
    request: MeteredAnswerRequest<Passage>,
    isAuto: boolean,
    signal: AbortSignal,
  ): Promise<CorpusAnswer<Passage>>;
  stream<Passage extends PassageText>(
    request: MeteredAnswerRequest<Passage>,
    isAuto: boolean,
    signal: AbortSignal,
  ): Promise<AnswerStream<Passage> | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the engine. `observe` wraps the answerer for telemetry. When the engine is closed, it
 * closes the client.
 */
export function openModelEngine(
  client: ModelClient,
  builtin: BuiltinEngine,
  answerer: Answerer,
  observe: (model: ModelAnswerer) => ModelAnswerer = (model) => model,
): ModelEngine {
  const documents = { client, builtin };
  const questions = { model: observe(openModelAnswerer(client)), answerer };
  return {
    extract: (request, isAuto, signal) =>
      isAuto ? extractWhereUnsure(documents, request, signal) : extractWithModel(documents, request, signal),
    classify: (request, isAuto, signal) => classifyWithModel(documents, request, isAuto, signal),
    answer: (request, isAuto, signal) => answerWithModel(questions, request, isAuto, signal),
    stream: (request, isAuto, signal) => streamWithModel(questions, request, isAuto, signal),
    close: () => client.close(),
  };
}
