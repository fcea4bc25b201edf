import type { AgentParam, ExtractionParam } from "@sheaf/client";

/**
 * Returns fields in the form that an agent requires: format `text` instead of `date`, and `items`
 * in every field.
 */
export const agentParamsOf = (params: readonly ExtractionParam[]): AgentParam[] =>
  params.map(({ format, items = [], ...param }) => ({
    ...param,
    format: format === "date" ? "text" : format,
    items: agentParamsOf(items),
  }));
