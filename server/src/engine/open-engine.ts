/** The engine with a language model: it alone, or where the built-in engine is not sure. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { Classification, ClassifyRequest, Engine, Extraction, ExtractRequest } from "./engine.ts";
import { classifyWithModel } from "./model/classify-with-model.ts";
import { extractWhereUnsure } from "./model/extract-where-unsure.ts";
import { extractWithModel } from "./model/extract-with-model.ts";
import type { ModelClient } from "./model/model-client.ts";
import type { BuiltinEngine } from "./threads/threaded-engine.ts";

/** `usual`: what does the work of requests that don't say. Closing it closes both. */
export function openModelEngine(builtin: BuiltinEngine, client: ModelClient, usual: EngineName): Engine {
  const deps = { client, builtin };
  const extract = async (request: ExtractRequest, signal: AbortSignal): Promise<Extraction> => {
    const { meter, engine = usual } = request;
    if (meter === undefined || engine === "builtin") return builtin.extract(request, signal);
    if (engine === "model") return extractWithModel(deps, { ...request, meter }, signal);
    return extractWhereUnsure(deps, { ...request, meter }, signal);
  };
  const classify = async (request: ClassifyRequest, signal: AbortSignal): Promise<Classification> => {
    const { meter, engine = usual } = request;
    if (meter === undefined || engine === "builtin") return builtin.classify(request, signal);
    return classifyWithModel(deps, { ...request, meter }, engine === "auto", signal);
  };
  return {
    extract,
    classify,
    close: async () => {
      await Promise.all([client.close(), builtin.close()]);
    },
  };
}
