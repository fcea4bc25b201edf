/** Classification: the documents that a file is made of, and the class of each. */
import type { ClassInputJson, ClassificationJson, ClassificationMode } from "@sheaf/contract/classification.ts";
import type { ResultMetadataJson } from "@sheaf/contract/upload.ts";
import { type Classification, type Engine, EngineFailure } from "../../engine/engine.ts";
import type { Caller } from "../../lib/caller.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import { type Reader, ReadingError } from "../../reading/reader.ts";
import type { Db } from "../../records/records.ts";
import type { FileToExtract } from "../extraction/extraction.service.ts";
import { startThread } from "../threads/threads.service.ts";
import { recordUsage } from "../usage/usage.service.ts";

export interface ClassificationDeps {
  reader: Reader;
  engine: Engine;
  /** Time for reading and classifying one file. */
  timeoutMs: number;
  /** Whether nobody waits for it. */
  background?: boolean;
}

export interface ClassificationInput {
  file: FileToExtract;
  classes: readonly ClassInputJson[];
  mode: ClassificationMode;
}

export interface DoneClassification {
  data: ClassificationJson;
  tokens: number;
  durationMs: number;
}

/**
 * Reads the file and classifies it, without any record: what the command line does too.
 * @throws AppError `classification_failed`, `agent_timeout`; the reason of `signal` where that aborts.
 */
export async function classifyFile(
  { reader, engine, timeoutMs, background = false }: ClassificationDeps,
  { file, classes, mode }: ClassificationInput,
  signal: AbortSignal,
): Promise<DoneClassification> {
  const startedAt = performance.now();
  const { found, pages } = await withinTime(timeoutMs, signal, async (within) => {
    try {
      const document = await reader.read(file.path, file.extension, { signal: within, background });
      const found = await engine.classify({ document, filename: file.filename, classes, mode }, within);
      return { found, pages: document.pages.length };
    } catch (error) {
      throw failureOf(error);
    }
  });
  const durationMs = Math.round(performance.now() - startedAt);
  return { data: dataOf(file.filename, mode, found, pages), tokens: found.tokens, durationMs };
}

function failureOf(error: unknown): unknown {
  if (error instanceof EngineFailure)
    return new AppError("classification_failed", { reason: "too_complex" }, { cause: error });
  if (!(error instanceof ReadingError)) return error;
  const message = `The document could not be read: ${error.message}`;
  return new AppError("classification_failed", { reason: error.reason }, { cause: error, message });
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

/** Writes down thread and usage; answers the metadata of the result. */
export async function recordClassification(
  transaction: Db,
  { organizationId }: Pick<Caller, "organizationId">,
  { file: { filename }, classes, mode }: ClassificationInput,
  { data, tokens, durationMs }: DoneClassification,
): Promise<ResultMetadataJson> {
  const thread_id = await startThread(transaction, { organizationId, agentId: null }, [
    { role: "user", content: { filename, classes, mode } },
    { role: "assistant", content: { data } },
  ]);
  await recordUsage(transaction, organizationId, "api", tokens);
  return { filename, duration: durationMs / 1000, tokens_consumed: tokens, thread_id };
}
