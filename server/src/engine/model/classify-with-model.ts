/**
 * Classifies with a language model. The model sees the most informative rows of each page, and
 * returns segments with labels and a quote for each label. If the quote is not found, or the label
 * is not allowed, the label of the built-in engine is used.
 */

import type { PageAssessment } from "../classify/page-assessment.ts";
import { type Classification, type ClassifyRequest, fallbackReason } from "../engine.ts";
import type { Meter } from "../meter.ts";
import type { BuiltinEngine } from "../threads/threaded-engine.ts";
import { claimsOf } from "./class-claims.ts";
import { type Doubts, doubtsEverywhere, doubtsOf } from "./class-doubts.ts";
import { answerSchema, promptOf, type SaidSegment, system, windowsOf } from "./class-requests.ts";
import type { ModelClient } from "./model-client.ts";
import { reconcile } from "./reconcile-classes.ts";

export interface ModelClassificationDeps {
  client: Pick<ModelClient, "object" | "limits">;
  builtin: Pick<BuiltinEngine, "assessPages" | "findQuotes">;
}

/**
 * Asks the model about all pages. With `onlyDoubts`, asks only about pages that the built-in engine
 * is not sure of, and returns the built-in result if the model fails.
 * @throws ModelFailure; EngineFailure; the reason of `signal`.
 */
export async function classifyWithModel(
  deps: ModelClassificationDeps,
  request: ClassifyRequest & { meter: Meter },
  onlyDoubts: boolean,
  signal: AbortSignal,
): Promise<Classification> {
  const assessment = await deps.builtin.assessPages(request, signal);
  const doubts = (onlyDoubts ? doubtsOf : doubtsEverywhere)(assessment, request.mode);
  if (doubts.shown.length === 0) return assessment.builtin;
  try {
    return await asked(deps, request, assessment, doubts, signal);
  } catch (error) {
    const reason = fallbackReason(error);
    if (!onlyDoubts || reason === undefined) throw error;
    return { ...assessment.builtin, fallback: { reason } };
  }
}

async function asked(
  { client, builtin }: ModelClassificationDeps,
  request: ClassifyRequest & { meter: Meter },
  assessment: PageAssessment,
  doubts: Doubts,
  signal: AbortSignal,
): Promise<Classification> {
  const all = windowsOf(doubts.shown, assessment.pages, request, client.limits.maxInputTokens);
  // The first pages of a document show its kind.
  const windows = request.mode === "document" ? all.slice(0, 1) : all;
  const answers = await Promise.all(
    windows.map(async (window) => {
      const prompt = promptOf(window, assessment.pages, request);
      const { value, use } = await client.object(
        { purpose: "classify", system, prompt, schema: answerSchema },
        request.meter,
        signal,
      );
      return { segments: (value as { segments: SaidSegment[] }).segments, tokens: use.inputTokens + use.outputTokens };
    }),
  );
  const claims = claimsOf(
    answers.map(({ segments }) => segments),
    windows,
    assessment.pages,
  );
  const quotes = claims.flatMap(({ sayings }) =>
    sayings.map(({ quote, start, end }) => ({ quote, first: start, last: end })),
  );
  const { document } = request;
  const shown = new Set(windows.flat());
  const part = { ...document, pages: document.pages.filter((_, at) => shown.has(at + 1)) };
  const places = await builtin.findQuotes(part, quotes, signal);
  const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0);
  return { ...reconcile(assessment, claims, places, doubts, request.classes), tokens };
}
