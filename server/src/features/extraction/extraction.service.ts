/** Synchronous extraction: a stored file and params become data with evidence. */
import { extensionOf } from "@sheaf/contract/filename.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { type Engine, EngineFailure, type Extraction } from "../../engine/engine.ts";
import type { Caller } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
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

export interface ExtractionResult extends Extraction {
  threadId: string;
  durationSeconds: number;
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
      const startedAt = performance.now();
      const { pages, ...extraction } = await extractFile(this.#deps, input.file, input.params, signal);
      const durationMs = Math.round(performance.now() - startedAt);
      const threadId = await this.#record(caller, input, { ...extraction, pages, durationMs });
      return { ...extraction, threadId, durationSeconds: durationMs / 1000 };
    } finally {
      this.#running--;
    }
  }

  #record(
    caller: Caller,
    input: ExtractionInput,
    done: Extraction & { pages: number; durationMs: number },
  ): Promise<string> {
    const { organizationId } = caller;
    const { agentId, file, params } = input;
    return this.#deps.db.transaction().execute(async (transaction) => {
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
    });
  }
}

/**
 * Reads the file and extracts the params from it, without any record: what the command line does too.
 * @throws AppError `extraction_failed`, `agent_timeout`; the reason of `signal` where that aborts.
 */
export async function extractFile(
  deps: UnderstandingDeps,
  file: FileToExtract,
  params: ExtractionParam[],
  signal: AbortSignal,
): Promise<Extraction & { pages: number }> {
  const timeout = AbortSignal.timeout(deps.timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  try {
    const document = await read(deps.reader, file, either);
    const extraction = await understand(deps.engine, document, params, either);
    return { ...extraction, pages: document.pages.length };
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new AppError("agent_timeout", undefined, { cause: error });
    throw error;
  }
}

async function read(reader: Reader, file: FileToExtract, signal: AbortSignal): Promise<Document> {
  try {
    return await reader.read(file.path, file.extension, { signal });
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
