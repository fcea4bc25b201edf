/** Inference: proposes fields from samples, without recording anything. */
import type { InferredFieldsJson } from "@sheaf/contract/inference.ts";
import type { TemplateLanguage } from "@sheaf/contract/templates.ts";
import type { Proposals } from "../../engine/engine.ts";
import { AppError } from "../../lib/errors.ts";
import { allTemplates } from "../templates/templates.service.ts";
import { type FileToRead, type UnderstandingDeps, understandFile } from "../understanding/understanding.service.ts";
import { mergeProposals } from "./merge-proposals.ts";

export interface Inference {
  fields: InferredFieldsJson;
  pages: number;
  durationMs: number;
}

/**
 * Proposes fields from sample files, which are read one after the other. The time limit of one
 * extraction applies to all files together. The service and the command line both use this
 * function.
 * @throws AppError `extraction_failed`, `agent_timeout`, `agent_unavailable`; the abort reason of
 * `signal` if it is aborted
 */
export async function inferFields(
  deps: UnderstandingDeps,
  files: readonly FileToRead[],
  language: TemplateLanguage,
  signal: AbortSignal,
): Promise<Inference> {
  const startedAt = performance.now();
  const kinds = allTemplates(language).map(({ name, title, params }) => ({ name, title, params }));
  const found: Proposals[] = [];
  let pages = 0;
  for (const file of files) {
    const timeoutMs = Math.round(deps.timeoutMs - (performance.now() - startedAt));
    if (timeoutMs <= 0) throw new AppError("agent_timeout");
    const done = await understandFile(
      { ...deps, timeoutMs },
      file,
      "extraction_failed",
      (document, within) => deps.engine.propose({ document, filename: file.filename, kinds }, within),
      signal,
    );
    found.push(done.result);
    pages += done.pages;
  }
  return { fields: mergeProposals(found), pages, durationMs: Math.round(performance.now() - startedAt) };
}
