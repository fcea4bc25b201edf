/** The engine with a given model client, for tests and measurements. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { Engine } from "../engine.ts";
import type { ModelClient } from "../model/model-client.ts";
import { openModelEngine } from "../model/model-engine.ts";
import { engineOf } from "../open-engine.ts";
import { openBuiltinAnswerer } from "../threads/threaded-answerer.ts";
import type { BuiltinEngine } from "../threads/threaded-engine.ts";

/** Combines both engines. When the result is closed, it closes `builtin` and `client`. */
export function engineWithModel(builtin: BuiltinEngine, client: ModelClient, usual: EngineName): Engine {
  const answerer = openBuiltinAnswerer({ threads: 1 });
  return engineOf(builtin, answerer, { engine: openModelEngine(client, builtin, answerer), usual });
}
