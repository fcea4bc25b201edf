/** The job of an asynchronous classification. */
import type { ClassInputJson, ClassificationMode } from "@sheaf/contract/classification.ts";
import type { Handler } from "../../jobs/runner.ts";
import { storeKeepable } from "../kept-classifications/kept-classifications.service.ts";
import type { KeptFilesDeps } from "../kept-files/kept-files.service.ts";
import { type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { principalOf, type RunDeps, runOperationJob } from "../operations/operations.service.ts";
import type { UnderstandingDeps } from "../understanding/understanding.service.ts";
import { classifyFile, recordClassification } from "./classification.service.ts";

/** The part of the request that is stored until the job runs. */
export interface KeptRequest {
  filename: string;
  classes: readonly ClassInputJson[];
  mode: ClassificationMode;
  /** Days for which the classification is kept. If absent, it is not kept. */
  keepDays?: number;
}

export const runClassificationJob = (
  deps: RunDeps & UnderstandingDeps & ModelUseDeps & KeptFilesDeps,
): Handler<"classification.run"> =>
  runOperationJob("classification", deps, async (operation, file, signal) => {
    const { classes, mode, keepDays: days = 0 } = JSON.parse(operation.request) as KeptRequest;
    const input = { file, classes, mode };
    const principal = principalOf(operation);
    const { document, ...done } = await classifyFile(deps, input, openMeter(deps, principal), signal);
    const keepable = { id: operation.id, days, file, document, data: done.data };
    // A retry stores the files under the same keys. So if the process crashes before the row is
    // inserted, the retry reuses these files, and no stray files remain.
    await using stored = days > 0 ? await storeKeepable(deps, principal, keepable) : undefined;
    return async (transaction) => {
      await stored?.record(transaction);
      return { data: done.data, metadata: await recordClassification(transaction, principal, input, done) };
    };
  });
