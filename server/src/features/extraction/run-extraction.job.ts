/** The job of an asynchronous extraction. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Precision } from "@sheaf/contract/precision.ts";
import type { Handler } from "../../jobs/runner.ts";
import type { KeptFilesDeps } from "../kept-files/kept-files.service.ts";
import { type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { principalOf, type RunDeps, runOperationJob } from "../operations/operations.service.ts";
import type { UnderstandingDeps } from "../understanding/understanding.service.ts";
import { extractionMetadata, extractWithMemory, recorderOf, reviewOf } from "./extraction.service.ts";

/** The part of the request that is stored until the job runs. */
export interface KeptRequest {
  filename: string;
  params: ExtractionParam[];
  engine?: EngineName;
  include?: readonly string[];
  /** Days for which the extraction is kept. If absent, it is not kept. */
  keepDays?: number;
  /**
   * Target share of correct values among the values that nobody reviews. If absent, the result does
   * not report which values need a review.
   */
  wantedPrecision?: Precision;
}

export const runExtractionJob = (
  deps: RunDeps & UnderstandingDeps & ModelUseDeps & KeptFilesDeps,
): Handler<"extraction.run"> =>
  runOperationJob("extraction", deps, async (operation, file, signal) => {
    const {
      filename,
      params,
      engine,
      include,
      keepDays = 0,
      wantedPrecision,
    } = JSON.parse(operation.request) as KeptRequest;
    const principal = principalOf(operation);
    const meter = openMeter(deps, principal);
    const agentId = operation.agent_id;
    const read = await extractWithMemory(deps, principal, { file, params, engine, agentId }, meter, signal);
    const input = { id: operation.id, file, params, agentId, keepDays, wantedPrecision };
    const done = { ...read, needsReview: await reviewOf(deps.db, principal, input, read) };
    // A retry stores the files under the same keys. A crash before the row is inserted therefore
    // leaves no stray files once the job has been retried.
    await using recorder = await recorderOf(deps, principal, input, done);
    return async (transaction) => {
      const result = await recorder.record(transaction);
      return { data: [result.data], metadata: extractionMetadata(filename, result, include) };
    };
  });
