/** The job of an asynchronous extraction. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Handler } from "../../jobs/runner.ts";
import { type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { principalOf, type RunDeps, runOperationJob } from "../operations/operations.service.ts";
import type { UnderstandingDeps } from "../understanding/understanding.service.ts";
import { extractFile, extractionMetadata, recordExtraction } from "./extraction.service.ts";

/** The part of the request that is stored until the job runs. */
export interface KeptRequest {
  filename: string;
  params: ExtractionParam[];
  engine?: EngineName;
  include?: readonly string[];
}

export const runExtractionJob = (deps: RunDeps & UnderstandingDeps & ModelUseDeps): Handler<"extraction.run"> =>
  runOperationJob("extraction", deps, async (operation, file, signal) => {
    const { filename, params, engine, include } = JSON.parse(operation.request) as KeptRequest;
    const meter = openMeter(deps, principalOf(operation));
    const done = await extractFile(deps, { file, params, engine }, meter, signal);
    return async (transaction) => {
      const input = { file, params, agentId: operation.agent_id };
      const threadId = await recordExtraction(transaction, principalOf(operation), input, done);
      return { data: [done.data], metadata: extractionMetadata(filename, { ...done, threadId }, include) };
    };
  });
