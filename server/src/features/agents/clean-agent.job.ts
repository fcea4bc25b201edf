/** The job that removes what a deleted agent left behind. */
import type { Handler } from "../../jobs/runner.ts";
import { type CleaningDeps, cleanAgent } from "./agent-removal.ts";

export const cleanAgentJob = (deps: CleaningDeps): Handler<"agent.clean"> => ({
  concurrency: 1,
  run: async ({ organizationId, payload }) => {
    const [warning] = await cleanAgent(deps, organizationId, payload.agent);
    if (warning !== undefined) throw new Error(warning.message);
    return undefined;
  },
});
