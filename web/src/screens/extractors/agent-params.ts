import type { AgentParam, ExtractionParam } from "@sheaf/client";

/** Returns fields as an agent takes them: with `text` in place of `date`, and `items` always. */
export const agentParamsOf = (params: readonly ExtractionParam[]): AgentParam[] =>
  params.map(({ format, items = [], ...param }) => ({
    ...param,
    format: format === "date" ? "text" : format,
    items: agentParamsOf(items),
  }));
