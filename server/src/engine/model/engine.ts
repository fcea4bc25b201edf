/** The engine with a language model: it alone, or where the built-in engine is not sure. */
import type { EngineName } from "@sheaf/contract/agents.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../reading/document.ts";
import type { BuiltinEngine } from "../builtin/open.ts";
import type { Classification, ClassifyRequest, Engine, EvidenceValue, Extraction, ExtractRequest } from "../engine.ts";
import { classifyWithModel } from "./classify.ts";
import { extractWithModel } from "./extract.ts";
import { isOutOfBudget, type ModelClient } from "./model-client.ts";
import { sure } from "./sure.ts";

/** `usual`: what does the work of requests that don't say. Closing it closes both. */
export function openModelEngine(builtin: BuiltinEngine, client: ModelClient, usual: EngineName): Engine {
  const deps = {
    client,
    ground: builtin.ground.bind(builtin),
    surveyPages: builtin.surveyPages.bind(builtin),
    findQuotes: builtin.findQuotes.bind(builtin),
  };
  const extract = async (request: ExtractRequest, signal: AbortSignal): Promise<Extraction> => {
    const { meter, engine = usual } = request;
    if (meter === undefined || engine === "builtin") return builtin.extract(request, signal);
    if (engine === "model") return extractWithModel(deps, { ...request, meter }, signal);
    const first = await builtin.extract(request, signal);
    const params = request.params.filter(({ name }) => !isSure(first.evidence[name] ?? null));
    if (params.length === 0) return first;
    const document = pagesThatMatter(request.document, params, first);
    try {
      return completed(first, params, await extractWithModel(deps, { ...request, document, params, meter }, signal));
    } catch (error) {
      // Without a budget what the built-in engine found is better than nothing.
      if (isOutOfBudget(error)) return first;
      throw error;
    }
  };
  const classify = async (request: ClassifyRequest, signal: AbortSignal): Promise<Classification> => {
    const { meter, engine = usual } = request;
    if (meter === undefined || engine === "builtin") return builtin.classify(request, signal);
    return classifyWithModel(deps, { ...request, meter }, engine === "auto", signal);
  };
  return {
    extract,
    classify,
    close: async () => {
      await Promise.all([client.close(), builtin.close()]);
    },
  };
}

/** A list is as sure as its elements are on the whole. */
function isSure(found: EvidenceValue): boolean {
  const leaves = confidencesOf(found);
  return leaves.length > 0 && leaves.reduce((sum, each) => sum + each, 0) / leaves.length >= sure;
}

function confidencesOf(found: EvidenceValue): number[] {
  if (found === null) return [];
  if (!Array.isArray(found)) return [found.confidence];
  return found.flatMap((row) => Object.values(row)).flatMap(confidencesOf);
}

/** What the model finds goes before what the built-in engine was not sure of; where it finds nothing, that stays. */
function completed(first: Extraction, params: readonly ExtractionParam[], model: Extraction): Extraction {
  const data = { ...first.data };
  const evidence = { ...first.evidence };
  for (const { name } of params) {
    if (confidencesOf(model.evidence[name] ?? null).length === 0) continue;
    data[name] = model.data[name] ?? null;
    evidence[name] = model.evidence[name] ?? null;
  }
  return { data, evidence, tokens: model.tokens };
}

const manyPages = 4;

/**
 * Of a long document the pages that speak of what is asked for: its first, those that say the words of a param, those with what the
 * built-in engine found, and the neighbours that a list may go on to.
 */
function pagesThatMatter(document: Document, params: readonly ExtractionParam[], first: Extraction): Document {
  const { pages } = document;
  if (pages.length <= manyPages) return document;
  const wanted = new Set(params.flatMap(({ name, description }) => wordsOf(`${name} ${description}`)));
  const found = new Set(params.flatMap(({ name }) => pagesOf(first.evidence[name] ?? null)));
  const scores = pages.map(
    ({ words }) => new Set(words.flatMap(({ text }) => wordsOf(text)).filter((word) => wanted.has(word))).size,
  );
  const enough = Math.max(1, Math.max(...scores) / 2);
  const matters = pages.map(({ number }, at) => at === 0 || found.has(number) || (scores[at] ?? 0) >= enough);
  const kept = pages.filter((_, at) => matters[at] || matters[at - 1] || matters[at + 1]);
  return { ...document, pages: kept };
}

function pagesOf(found: EvidenceValue): number[] {
  if (found === null) return [];
  if (!Array.isArray(found)) return [found.page];
  return found.flatMap((row) => Object.values(row)).flatMap(pagesOf);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
