/** Classification: splits a file into documents and classifies each. */
import type { ClassInputJson, ClassificationJson, ClassificationMode } from "@sheaf/contract/classification.ts";
import type { FallbackJson } from "@sheaf/contract/fallback.ts";
import type { ResultMetadataJson } from "@sheaf/contract/upload.ts";
import type { Classification } from "../../engine/engine.ts";
import type { Meter } from "../../engine/meter.ts";
import type { Principal } from "../../lib/caller.ts";
import type { Document } from "../../reading/document.ts";
import type { Db } from "../../records/records.ts";
import { startThread } from "../threads/threads.service.ts";
import { type FileToRead, type UnderstandingDeps, understandFile } from "../understanding/understanding.service.ts";

export interface ClassificationInput {
  file: FileToRead;
  classes: readonly ClassInputJson[];
  mode: ClassificationMode;
}

export interface DoneClassification {
  data: ClassificationJson;
  tokens: number;
  fallback?: FallbackJson | undefined;
  durationMs: number;
}

/** A classification with the Document that it was made from. */
export interface ReadClassification extends DoneClassification {
  document: Document;
}

/**
 * Reads a file and classifies it, without recording anything. Used by the service and by the
 * command line.
 * @throws AppError `classification_failed`, `agent_timeout`, `agent_unavailable`, `quota_exceeded`;
 * the reason of `signal` if that aborts
 */
export async function classifyFile(
  deps: UnderstandingDeps,
  { file, classes, mode }: ClassificationInput,
  meter: Meter,
  signal: AbortSignal,
): Promise<ReadClassification> {
  const { filename } = file;
  const classify = async (document: Document, within: AbortSignal) => ({
    ...(await deps.engine.classify({ document, filename, classes, mode, meter }, within)),
    document,
  });
  const { result, pages, durationMs } = await understandFile(deps, file, "classification_failed", classify, signal);
  const { tokens, fallback, document } = result;
  return { data: dataOf(filename, mode, result, pages), tokens, fallback, durationMs, document };
}

const dataOf = (
  filename: string,
  mode: ClassificationMode,
  { segments, discoveredClasses }: Classification,
  pages: number,
): ClassificationJson => ({
  source_name: filename,
  mode,
  segments,
  discovered_classes: discoveredClasses,
  pages_count: pages,
});

/** Records the thread and returns the metadata of the result. */
export async function recordClassification(
  transaction: Db,
  principal: Principal,
  { file: { filename }, classes, mode }: ClassificationInput,
  { data, tokens, fallback, durationMs }: DoneClassification,
): Promise<ResultMetadataJson> {
  const thread_id = await startThread(transaction, principal, null, [
    { role: "user", content: { filename, classes, mode } },
    { role: "assistant", content: { data } },
  ]);
  return {
    filename,
    duration: durationMs / 1000,
    tokens_consumed: tokens,
    thread_id,
    ...(fallback && { fallback }),
  };
}
