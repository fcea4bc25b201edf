import type { AgentParam, ExtractionParam } from "@sheaf/client";

/**
 * Converts fields to the format that an agent requires: format `text` instead of `date`, and
 * `items` in every field.
 */
export const agentParamsOf = (params: readonly ExtractionParam[]): AgentParam[] =>
  params.map(({ format, items = [], ...param }) => ({
    ...param,
    format: format === "date" ? "text" : format,
    items: agentParamsOf(items),
  }));
