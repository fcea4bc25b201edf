/** The job of an asynchronous classification. */
import type { ClassInputJson, ClassificationMode } from "@sheaf/contract/classification.ts";
import type { Handler } from "../../jobs/runner.ts";
import { type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { principalOf, type RunDeps, runOperationJob } from "../operations/operations.service.ts";
import type { UnderstandingDeps } from "../understanding/understanding.service.ts";
import { classifyFile, recordClassification } from "./classification.service.ts";

/** The part of the request that is stored until the job runs. */
export interface KeptRequest {
  filename: string;
  classes: readonly ClassInputJson[];
  mode: ClassificationMode;
}

export const runClassificationJob = (deps: RunDeps & UnderstandingDeps & ModelUseDeps): Handler<"classification.run"> =>
  runOperationJob("classification", deps, async (operation, file, signal) => {
    const { classes, mode } = JSON.parse(operation.request) as KeptRequest;
    const input = { file, classes, mode };
    const done = await classifyFile(deps, input, openMeter(deps, principalOf(operation)), signal);
    return async (transaction) => ({
      data: done.data,
      metadata: await recordClassification(transaction, principalOf(operation), input, done),
    });
  });
