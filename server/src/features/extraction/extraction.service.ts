/** Extraction: turns a stored file and fields into data with evidence. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import type {
  ExtractionMetadataJson,
  FailedRuleJson,
  LearnedValueJson,
  ListLedgerJson,
} from "@sheaf/contract/extraction-result.ts";
import { escapePointer } from "@sheaf/contract/issues.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Precision } from "@sheaf/contract/precision.ts";
import type { TemplateLanguage } from "@sheaf/contract/templates.ts";
import type { Extraction, ListLedger } from "../../engine/engine.ts";
import type { LearnedPaper } from "../../engine/memory.ts";
import type { Meter } from "../../engine/meter.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Principal } from "../../lib/caller.ts";
import { now } from "../../lib/clock.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import { FairAdmission } from "../../lib/fair-admission.ts";
import { newId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/log.ts";
import type { Document } from "../../reading/document.ts";
import type { Db } from "../../records/records.ts";
import { storeKeepable } from "../kept-extractions/kept-extractions.service.ts";
import type { KeptFilesDeps } from "../kept-files/kept-files.service.ts";
import { countUses, fromMemoryOf, memoryOf } from "../learning/learning.service.ts";
import { engineError, type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { valuesToReview } from "../quality/coverage.service.ts";
import { failedRules } from "../rules/rules.service.ts";
import { startThread } from "../threads/threads.service.ts";
import {
  type FileToRead,
  pageImageOf,
  type UnderstandingDeps,
  understandFile,
} from "../understanding/understanding.service.ts";
import { insertExtraction } from "./extraction.repo.ts";
import { type Inference, inferFields } from "./inference.service.ts";

export interface ExtractionDeps extends UnderstandingDeps, ModelUseDeps, KeptFilesDeps {
  db: Db;
  /** Maximum number of extractions running or waiting, shared fairly among organizations. */
  queue: number;
}

export interface ExtractionInput {
  file: FileToRead;
  params: ExtractionParam[];
  /** The extractor agent that defines the fields; null for the global extractor. */
  agentId: string | null;
  engine?: EngineName | undefined;
  /** Days for which the extraction is kept; 0 if it is not kept. */
  keepDays: number;
  /**
   * Target share of correct values among the values that nobody reviews, such as 0.99. If
   * undefined, the result does not report which values need a review.
   */
  wantedPrecision?: Precision | undefined;
}

/** An extraction with its duration and page count. */
export interface DoneExtraction extends Extraction {
  pages: number;
  durationMs: number;
  /**
   * Paths of the values that need a review; undefined if `wantedPrecision` is not set for the
   * agent.
   */
  needsReview?: string[] | undefined;
  /** Rules that the values do not satisfy, with evidence; undefined if no field has rules. */
  failedRules?: FailedRuleJson[] | undefined;
  /**
   * Values that the agent recalled from documents it has learned from; undefined if there are none.
   */
  fromMemory?: LearnedValueJson[] | undefined;
}

export interface ExtractionResult extends DoneExtraction {
  threadId: string;
  /** Id of the kept extraction; undefined if it is not kept. */
  keptId?: string | undefined;
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
   * Throws if too many extractions are running to admit another one of this organization. Call this
   * method before the file is received.
   * @throws AppError `agent_unavailable`
   */
  checkRoom({ organizationId }: Principal): void {
    if (!this.#admissions.hasRoomFor(organizationId)) throw new AppError("agent_unavailable");
  }

  /**
   * Proposes fields from sample files, without recording anything. The call counts as a running
   * extraction.
   * @throws AppError `extraction_failed`, `agent_timeout`, `agent_unavailable`; the abort reason of
   * `signal` if it is aborted
   */
  async infer(
    caller: Principal,
    { files, language }: { files: readonly FileToRead[]; language: TemplateLanguage },
    signal: AbortSignal,
    atCommit?: AtCommit<Inference>,
  ): Promise<Inference> {
    using admission = this.#admissions.admit(caller.organizationId);
    if (admission === undefined) throw new AppError("agent_unavailable");
    const result = await inferFields(this.#deps, files, language, AbortSignal.any([signal, admission.signal]));
    await this.#deps.db.transaction().execute(async (transaction) => atCommit?.(transaction, result));
    return result;
  }

  /**
   * Extracts fields from a file. Records only the calls to the language model and the use of
   * learned documents.
   * @throws the same errors as `extract`
   */
  async extractOnly(
    caller: Principal,
    input: Pick<ExtractionInput, "file" | "params" | "engine" | "agentId">,
    signal: AbortSignal,
  ): Promise<ReadExtraction> {
    using admission = this.#admissions.admit(caller.organizationId);
    if (admission === undefined) throw new AppError("agent_unavailable");
    const within = AbortSignal.any([signal, admission.signal]);
    return await extractWithMemory(this.#deps, caller, input, openMeter(this.#deps, caller), within);
  }

  /**
   * Extracts fields from a Document that was read earlier. Records only the calls to the language
   * model and the use of learned documents.
   * @throws the same errors as `extract`, and any error that `document` throws
   */
  async extractStored(
    caller: Principal,
    input: StoredInput,
    signal: AbortSignal,
  ): Promise<Omit<DoneExtraction, "durationMs">> {
    using admission = this.#admissions.admit(caller.organizationId);
    if (admission === undefined) throw new AppError("agent_unavailable");
    const within = AbortSignal.any([signal, admission.signal]);
    return await extractDocument(this.#deps, caller, input, openMeter(this.#deps, caller), within);
  }

  /**
   * Extracts fields from a file, then records the thread and the extraction in one transaction. If
   * the extraction fails, only its calls to the language model are recorded.
   * @throws AppError `extraction_failed`, `agent_timeout`, `agent_unavailable`; the abort reason of
   * `signal` if it is aborted
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
    const within = AbortSignal.any([signal, admission.signal]);
    const read = await extractWithMemory(this.#deps, caller, input, meter, within);
    const done = { ...read, needsReview: await reviewOf(this.#deps.db, caller, input, read) };
    await using recorder = await recorderOf(this.#deps, caller, { ...input, id: newId() }, done);
    try {
      return await this.#deps.db.transaction().execute(async (transaction) => {
        const result = await recorder.record(transaction);
        await atCommit?.(transaction, result);
        return result;
      });
    } catch (error) {
      // After a database error, the files stay, because the row may have been committed
      // nevertheless. If there is no row, a sweep removes them.
      if (error instanceof AppError) await recorder.discard();
      throw error;
    }
  }
}

/**
 * Returns the paths of the values that need a review; undefined if `wantedPrecision` is not set for
 * the agent.
 */
export const reviewOf = async (
  db: Db,
  principal: Principal,
  { agentId, wantedPrecision: precision }: Pick<ExtractionInput, "agentId" | "wantedPrecision">,
  done: Extraction,
): Promise<string[] | undefined> =>
  agentId === null || precision === undefined
    ? undefined
    : valuesToReview(db, principal, { agent: agentId, precision }, done);

/**
 * Records one result in a transaction. If the result is kept for review, its files were stored when
 * the recorder was created. Dispose of the recorder when the transaction has ended.
 */
export interface Recorder extends AsyncDisposable {
  record(transaction: Db): Promise<ExtractionResult>;
  /** Removes the files of a result that was not recorded. */
  discard(): Promise<void>;
}

/**
 * If a result is to be kept, stores its files. Returns the recorder of the result.
 * @param input `id`: id of the kept extraction
 */
export async function recorderOf(
  deps: KeptFilesDeps,
  principal: Principal,
  input: ExtractionInput & { id: string },
  { document, ...done }: ReadExtraction,
): Promise<Recorder> {
  const { id, agentId, file, params, keepDays: days } = input;
  const stored =
    days > 0
      ? await storeKeepable(deps, principal, { id, agentId, days, file, params, document, result: done })
      : undefined;
  return {
    record: async (transaction) => {
      const threadId = await recordExtraction(transaction, principal, input, done);
      const isKept = (await stored?.record(transaction)) ?? false;
      return { ...done, threadId, ...(isKept && { keptId: id }) };
    },
    discard: async () => stored?.discard(),
    [Symbol.asyncDispose]: async () => stored?.[Symbol.asyncDispose](),
  };
}

/** Records the thread and the extraction. Returns the id of the thread. */
async function recordExtraction(
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

/** Returns the failed rules of a result. Includes their evidence only if it was requested. */
export const rulesJson = (
  { failedRules }: Pick<DoneExtraction, "failedRules">,
  include: readonly string[],
): Pick<ExtractionMetadataJson, "failed_rules"> =>
  failedRules
    ? {
        failed_rules: include.includes("evidence")
          ? failedRules
          : failedRules.map(({ path, rule, message }) => ({ path, rule, message })),
      }
    : {};

/**
 * Returns the evidence of the values and, as `lists`, an overview of the lines of each list: how
 * many were seen, returned and skipped, and which are unreadable or doubtful.
 */
export const evidenceOf = ({ evidence, lists }: Extraction): Pick<ExtractionMetadataJson, "evidence" | "lists"> => ({
  evidence: [evidence],
  ...(lists && lists.length > 0 && { lists: lists.map(ledgerJson) }),
});

const ledgerJson = ({ name, rowsSeen, rowsGiven, skipped, unreadable, doubts }: ListLedger): ListLedgerJson => ({
  path: `/0/${escapePointer(name)}`,
  rows_seen: rowsSeen,
  rows_given: rowsGiven,
  lines_skipped: skipped,
  rows_unreadable: unreadable,
  doubts,
});

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
  ...(include.includes("evidence") && evidenceOf(result)),
  ...rulesJson(result, include),
  ...(result.fallback && { fallback: result.fallback }),
  ...(result.needsReview && { needs_review: result.needsReview }),
  ...(result.fromMemory && { from_memory: result.fromMemory }),
  ...(result.keptId !== undefined && { extraction_id: result.keptId }),
});

interface Remembering {
  /** Documents that the agent has learned from; empty for the global extractor. */
  memory?: readonly LearnedPaper[];
}

/**
 * Like `extractFile`, but uses what the agent has learned.
 * @throws the same errors as `extractFile`
 */
export async function extractWithMemory(
  deps: UnderstandingDeps & { db: Db; log?: Logger },
  { organizationId }: Principal,
  input: Pick<ExtractionInput, "file" | "params" | "engine" | "agentId">,
  meter: Meter,
  signal: AbortSignal,
): Promise<ReadExtraction> {
  const { agentId } = input;
  if (agentId === null) return extractFile(deps, input, meter, signal);
  const learner = { organizationId, agentId };
  const memory = await memoryOf(deps.db, learner);
  const { usedMemory = [], recalled = [], ...done } = await extractFile(deps, { ...input, memory }, meter, signal);
  await countUses(deps.db, deps.log, learner, usedMemory);
  const fromMemory = await fromMemoryOf(deps.db, learner, recalled);
  return fromMemory.length > 0 ? { ...done, fromMemory } : done;
}

/** A Document of a corpus, and the fields to extract from it. */
export interface StoredInput extends Pick<ExtractionInput, "params" | "engine"> {
  agentId: string;
  document: () => Promise<Document>;
}

async function extractDocument(
  deps: UnderstandingDeps & { db: Db; log?: Logger },
  { organizationId }: Principal,
  { agentId, params, engine, document: load }: StoredInput,
  meter: Meter,
  signal: AbortSignal,
): Promise<Omit<DoneExtraction, "durationMs">> {
  const learner = { organizationId, agentId };
  const memory = await memoryOf(deps.db, learner);
  const extracted = await withinTime(deps.timeoutMs, signal, async (within) => {
    const document = await load();
    const done = await deps.engine.extract({ document, params, meter, engine, memory }, within);
    return { ...done, pages: document.pages.length };
  }).catch((error: unknown) => {
    throw engineError(error, "extraction_failed") ?? error;
  });
  await countUses(deps.db, deps.log, learner, extracted.usedMemory ?? []);
  return { ...extracted, failedRules: await failedRules(params, extracted.data, extracted.evidence) };
}

/** An extraction with the Document that it was made from. */
export interface ReadExtraction extends DoneExtraction {
  document: Document;
}

/**
 * Reads a file and extracts its fields, without recording anything. The command line also uses this
 * function.
 * @throws AppError `extraction_failed`, `agent_timeout`; the abort reason of `signal` if it is
 * aborted
 */
export async function extractFile(
  deps: UnderstandingDeps,
  { file, params, engine, memory = [] }: Pick<ExtractionInput, "file" | "params" | "engine"> & Remembering,
  meter: Meter,
  signal: AbortSignal,
): Promise<ReadExtraction> {
  const pageImage = pageImageOf(deps, file);
  const extract = async (document: Document, within: AbortSignal) => ({
    ...(await deps.engine.extract({ document, params, meter, engine, pageImage, memory }, within)),
    document,
  });
  const { result, ...taken } = await understandFile(deps, file, "extraction_failed", extract, signal);
  return { ...result, ...taken, failedRules: await failedRules(params, result.data, result.evidence) };
}
