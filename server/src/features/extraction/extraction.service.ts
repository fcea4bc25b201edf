/** Extraction: turns a stored file and fields into data with evidence. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { ExtractionMetadataJson } from "@sheaf/contract/extraction.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Extraction } from "../../engine/engine.ts";
import type { Meter } from "../../engine/meter.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { FairAdmission } from "../../lib/fair-admission.ts";
import { newId } from "../../lib/ids.ts";
import type { Document } from "../../reading/document.ts";
import type { Db } from "../../records/records.ts";
import { type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { startThread } from "../threads/threads.service.ts";
import {
  type FileToRead,
  pageImageOf,
  type UnderstandingDeps,
  understandFile,
} from "../understanding/understanding.service.ts";
import { insertExtraction } from "./extraction.repo.ts";

export interface ExtractionDeps extends UnderstandingDeps, ModelUseDeps {
  db: Db;
  /** Maximum extractions running or waiting, shared fairly by organization. */
  queue: number;
}

export interface ExtractionInput {
  file: FileToRead;
  params: ExtractionParam[];
  /** The extractor agent that defines the fields; null for the global extractor. */
  agentId: string | null;
  engine?: EngineName | undefined;
}

/** An extraction with its duration and page count. */
export interface DoneExtraction extends Extraction {
  pages: number;
  durationMs: number;
}

export interface ExtractionResult extends DoneExtraction {
  threadId: string;
}

/** Runs extractions, at most `queue` at a time. */
export class Extractor {
  readonly #deps: ExtractionDeps;
  readonly #admissions: FairAdmission;

  constructor(deps: ExtractionDeps) {
    this.#deps = deps;
    this.#admissions = new FairAdmission(deps.queue);
  }

  /**
   * Refuses an extraction that would not be admitted, before its file is received.
   * @throws AppError `agent_unavailable`
   */
  checkRoom({ organizationId }: Principal): void {
    if (!this.#admissions.hasRoomFor(organizationId)) throw new AppError("agent_unavailable");
  }

  /**
   * Extracts, then records thread and extraction in one transaction. A failure records nothing but
   * its model calls.
   * @throws AppError `extraction_failed`, `agent_timeout`, `agent_unavailable`; the reason of
   * `signal` if that aborts
   */
  async extract(
    caller: Principal,
    input: ExtractionInput,
    signal: AbortSignal,
    atCommit?: AtCommit<ExtractionResult>,
  ): Promise<ExtractionResult> {
    using admission = this.#admissions.admit(caller.organizationId);
    if (admission === undefined) throw new AppError("agent_unavailable");
    const meter = openMeter(this.#deps, caller);
    const done = await extractFile(this.#deps, input, meter, AbortSignal.any([signal, admission.signal]));
    return await this.#deps.db.transaction().execute(async (transaction) => {
      const result = { ...done, threadId: await recordExtraction(transaction, caller, input, done) };
      await atCommit?.(transaction, result);
      return result;
    });
  }
}

/** Records thread and extraction. Returns the id of the thread. */
export async function recordExtraction(
  transaction: Db,
  principal: Principal,
  { agentId, file, params }: ExtractionInput,
  done: DoneExtraction,
): Promise<string> {
  const threadId = await startThread(transaction, principal, agentId, [
    { role: "user", content: { filename: file.filename, params } },
    { role: "assistant", content: { data: [done.data] } },
  ]);
  await insertExtraction(transaction, {
    id: newId(),
    organization_id: principal.organizationId,
    agent_id: agentId,
    thread_id: threadId,
    filename: file.filename,
    pages: done.pages,
    tokens: done.tokens,
    duration_ms: done.durationMs,
    created_at: now(),
  });
  return threadId;
}

/** Returns the metadata of a result, with the evidence if it was requested. */
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
  ...(result.fallback && { fallback: result.fallback }),
});

/**
 * Reads a file and extracts its fields, without recording anything. Also used by the command line.
 * @throws AppError `extraction_failed`, `agent_timeout`; the reason of `signal` if that aborts
 */
export async function extractFile(
  deps: UnderstandingDeps,
  { file, params, engine }: Pick<ExtractionInput, "file" | "params" | "engine">,
  meter: Meter,
  signal: AbortSignal,
): Promise<DoneExtraction> {
  const extract = (document: Document, within: AbortSignal) =>
    deps.engine.extract({ document, params, meter, engine, pageImage: pageImageOf(deps, file) }, within);
  const { result, ...taken } = await understandFile(deps, file, "extraction_failed", extract, signal);
  return { ...result, ...taken };
}
