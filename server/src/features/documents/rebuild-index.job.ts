/** The job that makes a damaged index anew. */
import { type Handler, TryAgain } from "../../jobs/runner.ts";
import type { DocumentDeps } from "./documents.service.ts";
import { rebuildIndex } from "./rebuild-index.ts";

/** While another index is made anew. */
const waitMs = 1_000;

export const rebuildIndexJob = ({
  log,
  ...deps
}: Pick<DocumentDeps, "db" | "log" | "files" | "index">): Handler<"index.rebuild"> => ({
  concurrency: 1,
  run: async ({ organizationId, payload: { agent } }, signal) => {
    const result = await rebuildIndex(deps, { organizationId, agent }, { signal });
    if (!result) throw new TryAgain("Another index is made anew.", waitMs);
    const { indexed, failed } = result;
    log.warn({ agent, indexed, failed }, "a damaged search index was made anew from the stored documents");
    return undefined;
  },
});
