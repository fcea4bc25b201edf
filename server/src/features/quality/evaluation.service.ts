/**
 * Evaluates a proposed configuration on the reviewed extractions of an agent, and refuses changes
 * that make correct values wrong.
 */
import type { EvaluateRequestJson, EvaluationJson } from "@sheaf/contract/evaluation.ts";
import { limits } from "@sheaf/contract/limits.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Meter } from "../../engine/meter.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { AtCommit } from "../../lib/at-commit.ts";
import type { Caller } from "../../lib/caller.ts";
import { withinTime } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import { FairAdmission } from "../../lib/fair-admission.ts";
import type { Document } from "../../reading/document.ts";
import type { Db } from "../../records/records.ts";
import {
  type ExtractorFields,
  type ProposedConfiguration,
  proposedConfiguration,
} from "../agents/agent-proposals.service.ts";
import { readStoredDocument } from "../documents/documents.service.ts";
import { listReviewed, type Reviewed, readReviewed } from "../kept-extractions/kept-extractions.service.ts";
import { engineError, type ModelUseDeps, openMeter } from "../models/models.service.ts";
import { fieldPaths, Scores } from "./scores.ts";

export { pathsOf } from "./cells.ts";
export { type Judged, Scores } from "./scores.ts";

export interface EvaluationDeps extends ModelUseDeps {
  db: Db;
  files: StoredFiles;
  engine: Engine;
  /** True if the installation has a language model. */
  hasModel: boolean;
  /** Maximum time of one evaluation. */
  timeoutMs: number;
}

/**
 * Maximum number of concurrent evaluations in this process. Each evaluation runs one extraction at
 * a time. The limit leaves engine threads for other extractions. Chosen by hand, 2026-11.
 */
const maxEvaluations = 4;

export class Evaluator {
  readonly #deps: EvaluationDeps;
  readonly #admissions = new FairAdmission(maxEvaluations);

  constructor(deps: EvaluationDeps) {
    this.#deps = deps;
  }

  /**
   * Compares a proposed configuration with the current one on the reviewed extractions.
   * @throws AppError `agent_not_found`, `not_found`, `invalid_config`, `extraction_failed`,
   * `agent_timeout`, `agent_unavailable`
   */
  async evaluate(
    caller: Caller,
    reference: string,
    { documents, ...proposal }: EvaluateRequestJson,
    signal: AbortSignal,
    atCommit: AtCommit<EvaluationJson>,
  ): Promise<EvaluationJson> {
    const { db } = this.#deps;
    const configuration = await proposedConfiguration(this.#deps, caller, reference, proposal);
    const max = documents ?? limits.maxEvaluatedDocuments;
    const { evaluation } = await this.#run(caller, configuration, max, signal);
    await db.transaction().execute((transaction) => atCommit(transaction, evaluation));
    return evaluation;
  }

  /**
   * Throws if a change of the configuration makes correct values wrong. Otherwise returns the
   * stored configuration that the change was compared with.
   * @throws AppError `quality_lost`, and as `evaluate`; `forbidden` if the caller may not change
   * the agent
   */
  async checkChange(caller: Caller, reference: string, configuration: unknown, signal: AbortSignal): Promise<string> {
    const proposed = await proposedConfiguration(this.#deps, caller, reference, { configuration });
    const { evaluation, worse } = await this.#run(caller, proposed, limits.maxEvaluatedDocuments, signal);
    const { documents, lost } = evaluation;
    if (documents === 0) {
      const message = "The agent has no reviewed extractions on which to measure the change.";
      throw new AppError("quality_lost", { documents, lost, changes: [] }, { message });
    }
    if (lost.length > 0) throw new AppError("quality_lost", { documents, lost, changes: worse });
    return proposed.stored;
  }

  async #run(
    caller: Caller,
    { reference, before, after }: ProposedConfiguration,
    max: number,
    signal: AbortSignal,
  ): Promise<{ evaluation: EvaluationJson; worse: Scores["worse"] }> {
    using admission = this.#admissions.admit(caller.organizationId);
    if (admission === undefined) throw new AppError("agent_unavailable");
    const startedAt = performance.now();
    const { db, files, timeoutMs } = this.#deps;
    const meter = openMeter(this.#deps, caller);
    const scores = new Scores();
    const { ids, total } = await listReviewed(db, caller, reference, max);
    let tokens = 0;
    const either = AbortSignal.any([signal, admission.signal]);
    await withinTime(timeoutMs, either, async (within) => {
      for (const id of ids) {
        within.throwIfAborted();
        const reviewed = await readReviewed(db, caller, id);
        const document = reviewed && (await documentOf(files, reviewed));
        if (!reviewed || !document) continue;
        const [was, is] = [
          await this.#extract(document, before, meter, within),
          await this.#extract(document, after, meter, within),
        ];
        tokens += was.tokens + is.tokens;
        const { filename, truth, params } = reviewed;
        scores.add({ extraction_id: id, filename, truth, known: fieldPaths(params) }, was.data, is.data);
      }
    });
    const duration = Math.round(performance.now() - startedAt) / 1000;
    const evaluation = { ...scores.result(after.params), reviewed: total, duration, tokens_consumed: tokens };
    return { evaluation, worse: scores.worse };
  }

  async #extract(document: Document, { params, engine }: ExtractorFields, meter: Meter, signal: AbortSignal) {
    if (params.length === 0) return { data: {}, tokens: 0 };
    try {
      const result = await this.#deps.engine.extract({ document, params, meter, engine }, signal);
      if (result.fallback === undefined) return result;
      const message = "The language model failed, so its results cannot be compared.";
      throw new AppError("extraction_failed", { reason: "model" }, { message });
    } catch (error) {
      throw engineError(error, "extraction_failed") ?? error;
    }
  }
}

/** Returns the stored Document; undefined if the extraction was deleted after it was listed. */
async function documentOf(files: StoredFiles, { documentKey, place }: Reviewed): Promise<Document | undefined> {
  return (await files.size(documentKey)) === undefined ? undefined : readStoredDocument(files, place);
}
