import type { Engine } from "../engine.ts";
import { extractBuiltin } from "./extract.ts";
export const openBuiltinEngine = (_s: { threads: number }): Engine => ({
  extract: async (request) => extractBuiltin(request),
  close: async () => {},
});
