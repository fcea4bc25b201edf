/** Asynchronous classification: started by a request, done by a job. */
import type { ClassInputJson, ClassificationMode } from "@sheaf/contract/classification.ts";
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import type { Handler } from "../../jobs/runner.ts";
import type { Caller } from "../../lib/caller.ts";
import { readableExtensionOf } from "../extraction/extraction.service.ts";
import {
  type NewOperation,
  type OperationDeps,
  type RunDeps,
  runOperationJob,
  startOperation,
} from "../operations/operations.service.ts";
import { type ClassificationDeps, classifyFile, recordClassification } from "./classification.service.ts";

interface Request {
  filename: string;
  classes: readonly ClassInputJson[];
  mode: ClassificationMode;
}

/** Answers its `classification_id`. @throws AppError `unsupported_file_type`, `invalid_request` where the callback is refused. */
export function startClassification(
  deps: OperationDeps,
  caller: Caller,
  input: Pick<NewOperation, "callback" | "file"> & { request: Request },
): Promise<string> {
  readableExtensionOf(input.request.filename, extractionExtensions);
  return startOperation(deps, caller, { kind: "classification", agentId: null, ...input });
}

export const runClassificationJob = (deps: RunDeps & ClassificationDeps): Handler<"classification.run"> =>
  runOperationJob("classification", deps, async (operation, path, signal) => {
    const { filename, classes, mode } = JSON.parse(operation.request) as Request;
    const file = { path, filename, extension: readableExtensionOf(filename, extractionExtensions) };
    const input = { file, classes, mode };
    const done = await classifyFile(deps, input, signal);
    const organizationId = operation.organization_id;
    return async (transaction) => ({
      data: done.data,
      metadata: await recordClassification(transaction, { organizationId }, input, done),
    });
  });
