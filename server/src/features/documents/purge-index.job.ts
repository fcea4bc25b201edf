/** The job that removes the text of deleted documents from the files of an index. */
import { enqueueOnce } from "../../jobs/queue.ts";
import type { Handler } from "../../jobs/runner.ts";
import { versionsKeptMs } from "../../search/index-version.ts";
import type { DocumentDeps } from "./documents.service.ts";

/**
 * Delay, in milliseconds, until previous versions of the index files are removed. By then, no
 * reader uses those versions any more.
 */
const afterVersionsMs = versionsKeptMs + 5_000;

export const purgeIndexJob = ({ index }: Pick<DocumentDeps, "index">): Handler<"index.purge"> => ({
  concurrency: 1,
  run: async ({ organizationId, payload: { agent, what } }) => {
    if (what === "versions") {
      await index.purge(agent, "versions");
      return undefined;
    }
    await index.purge(agent, "rows");
    const options = { organizationId, delayMs: afterVersionsMs };
    return (transaction) => enqueueOnce(transaction, "index.purge", { agent, what: "versions" }, options);
  },
});
