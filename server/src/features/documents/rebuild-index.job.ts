/** The job that rebuilds a damaged index. */
import { type Handler, RetryLater } from "../../jobs/runner.ts";
import type { DocumentDeps } from "./documents.service.ts";
import { rebuildIndex } from "./rebuild-index.ts";

/** Delay before the next attempt if another index is being rebuilt, in milliseconds. */
const waitMs = 1_000;

export const rebuildIndexJob = ({
  log,
  ...deps
}: Pick<DocumentDeps, "db" | "log" | "files" | "index">): Handler<"index.rebuild"> => ({
  concurrency: 1,
  run: async ({ organizationId, payload: { agent } }, signal) => {
    const result = await rebuildIndex(deps, { organizationId, agent }, { signal });
    if (!result) throw new RetryLater("Another index is being rebuilt.", waitMs);
    const { indexed, failed } = result;
    log.warn({ agent, indexed, failed }, "a damaged search index was rebuilt from the stored documents");
    return undefined;
  },
});
