/** Extraction: a stored file and params become data with evidence. */
import type { ExtractionMetadataJson } from "@sheaf/contract/extraction.ts";
import { extensionOf } from "@sheaf/contract/filename.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { type Engine, EngineFailure, type Extraction } from "../../engine/engine.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Document } from "../../reading/document.ts";
import { type ReadableExtension, type Reader, ReadingError, readableExtensions } from "../../reading/reader.ts";
import type { Db } from "../../records/records.ts";
import { startThread } from "../threads/threads.service.ts";
import { recordUsage } from "../usage/usage.service.ts";
import { insertExtraction } from "./extraction.repo.ts";

export interface UnderstandingDeps {
  reader: Reader;
  engine: Engine;
  /** Time for reading and extracting one file. */
  timeoutMs: number;
  /** Whether nobody waits for it. */
  background?: boolean;
}

export interface ExtractionDeps extends UnderstandingDeps {
  db: Db;
  /** Extractions under way or waiting at most. */
  queue: number;
}

export interface FileToExtract {
  /** Where the bytes are. */
  path: string;
  filename: string;
  extension: ReadableExtension;
}

export interface ExtractionInput {
  file: FileToExtract;
  params: ExtractionParam[];
  /** The extractor agent whose params these are; null for the global extractor. */
  agentId: string | null;
}

/** What was found, how long it took, and how much was read. */
export interface DoneExtraction extends Extraction {
  pages: number;
  durationMs: number;
}

export interface ExtractionResult extends DoneExtraction {
  threadId: string;
}

/**
 * The extension of a file that can be read and, where `accepted` limits that, may be sent.
 * @throws AppError `unsupported_file_type`
 */
export function readableExtensionOf(
  filename: string,
  accepted: readonly string[] = readableExtensions,
): ReadableExtension {
  const extension = extensionOf(filename);
  const supported = readableExtensions.filter((each) => accepted.includes(each));
  const found = supported.find((each) => each === extension);
  if (found === undefined) {
    const message = `This file type is not accepted; accepted are ${supported.join(", ")}.`;
    throw new AppError("unsupported_file_type", { supported }, { message });
  }
  return found;
}

/** Runs extractions, at most `queue` at a time. */
export class Extractor {
  readonly #deps: ExtractionDeps;
  #running = 0;

  constructor(deps: ExtractionDeps) {
    this.#deps = deps;
  }

  /**
   * Extracts, then records thread, extraction and usage in one transaction. A failure records nothing.
   * @throws AppError `extraction_failed`, `agent_timeout`, `agent_unavailable`; the reason of `signal` where that aborts.
   */
  async extract(caller: Caller, input: ExtractionInput, signal: AbortSignal): Promise<ExtractionResult> {
    if (this.#running >= this.#deps.queue) throw new AppError("agent_unavailable");
    this.#running++;
    try {
      const done = await extractFile(this.#deps, input.file, input.params, signal);
      const threadId = await this.#deps.db
        .transaction()
        .execute((transaction) => recordExtraction(transaction, caller, input, done));
      return { ...done, threadId };
    } finally {
      this.#running--;
    }
  }
}

/** Writes down thread, extraction and usage; answers the id of the thread. */
export async function recordExtraction(
  transaction: Db,
  { organizationId }: Pick<Caller, "organizationId">,
  { agentId, file, params }: ExtractionInput,
  done: DoneExtraction,
): Promise<string> {
  const threadId = await startThread(transaction, { organizationId, agentId }, [
    { role: "user", content: { filename: file.filename, params } },
    { role: "assistant", content: { data: [done.data] } },
  ]);
  await insertExtraction(transaction, {
    id: newId(),
    organization_id: organizationId,
    agent_id: agentId,
    thread_id: threadId,
    filename: file.filename,
    pages: done.pages,
    tokens: done.tokens,
    duration_ms: done.durationMs,
    created_at: now(),
  });
  await recordUsage(transaction, organizationId, "api", done.tokens);
  return threadId;
}

/** The metadata of a result, with the evidence where it was asked for. */
export const extractionMetadata = (
  filename: string,
  result: ExtractionResult,
  include: readonly string[] = [],
): ExtractionMetadataJson => ({
  filename,
  duration: result.durationMs / 1000,
  tokens_consumed: result.tokens,
  thread_id: result.threadId,
  ...(include.includes("evidence") ? { evidence: [result.evidence] } : {}),
});

/**
 * Reads the file and extracts the params from it, without any record: what the command line does too.
 * @throws AppError `extraction_failed`, `agent_timeout`; the reason of `signal` where that aborts.
 */
export async function extractFile(
  deps: UnderstandingDeps,
  file: FileToExtract,
  params: ExtractionParam[],
  signal: AbortSignal,
): Promise<DoneExtraction> {
  const startedAt = performance.now();
  const { extraction, pages } = await withinTime(deps.timeoutMs, signal, async (within) => {
    const document = await read(deps, file, within);
    return { extraction: await understand(deps.engine, document, params, within), pages: document.pages.length };
  });
  return { ...extraction, pages, durationMs: Math.round(performance.now() - startedAt) };
}

async function read(
  { reader, background = false }: UnderstandingDeps,
  file: FileToExtract,
  signal: AbortSignal,
): Promise<Document> {
  try {
    return await reader.read(file.path, file.extension, { signal, background });
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    throw new AppError(
      "extraction_failed",
      { reason: error.reason },
      { cause: error, message: `The document could not be read: ${error.message}` },
    );
  }
}

async function understand(
  engine: Engine,
  document: Document,
  params: ExtractionParam[],
  signal: AbortSignal,
): Promise<Extraction> {
  try {
    return await engine.extract({ document, params }, signal);
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    throw new AppError("extraction_failed", { reason: "too_complex" }, { cause: error });
  }
}
