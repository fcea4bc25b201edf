/** Asynchronous extraction: started by a request, done by a job. */
import { extractionExtensions } from "@sheaf/contract/limits.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Handler } from "../../jobs/runner.ts";
import type { Caller } from "../../lib/caller.ts";
import {
  type NewOperation,
  type OperationDeps,
  type RunDeps,
  runOperationJob,
  startOperation,
} from "../operations/operations.service.ts";
import {
  extractFile,
  extractionMetadata,
  readableExtensionOf,
  recordExtraction,
  type UnderstandingDeps,
} from "./extraction.service.ts";

interface Request {
  filename: string;
  params: ExtractionParam[];
  include?: readonly string[];
}

/** Answers its `extract_id`. @throws AppError `unsupported_file_type`, `invalid_request` where the callback is refused. */
export function startExtraction(
  deps: OperationDeps,
  caller: Caller,
  input: Omit<NewOperation, "kind" | "request"> & { request: Request },
): Promise<string> {
  readableExtensionOf(input.request.filename, extractionExtensions);
  return startOperation(deps, caller, { kind: "extraction", ...input });
}

export const runExtractionJob = (deps: RunDeps & UnderstandingDeps): Handler<"extraction.run"> =>
  runOperationJob("extraction", deps, async (operation, path, signal) => {
    const { filename, params, include } = JSON.parse(operation.request) as Request;
    const file = { path, filename, extension: readableExtensionOf(filename, extractionExtensions) };
    const done = await extractFile(deps, file, params, signal);
    return async (transaction) => {
      const organizationId = operation.organization_id;
      const input = { file, params, agentId: operation.agent_id };
      const threadId = await recordExtraction(transaction, { organizationId }, input, done);
      return { data: [done.data], metadata: extractionMetadata(filename, { ...done, threadId }, include) };
    };
  });
