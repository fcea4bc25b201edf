/** The job that removes what a deleted or failed document left behind. */
import type { Handler } from "../../jobs/runner.ts";
import { cleanDocument, type DocumentDeps } from "./documents.service.ts";

export const cleanDocumentJob = (deps: Pick<DocumentDeps, "db" | "files" | "index">): Handler<"document.clean"> => ({
  concurrency: 2,
  run: async ({ organizationId, payload }) => {
    await cleanDocument(deps, { organizationId, ...payload });
    return undefined;
  },
});
