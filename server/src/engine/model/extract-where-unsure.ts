/**
 * Extracts with the built-in engine, and asks a language model for fields that the built-in engine
 * is not sure of. The model first sees only lines that may contain the values. If these lines do
 * not contain a value, the model sees the pages.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document } from "../../reading/document.ts";
import {
  type EvidenceRecord,
  type Extraction,
  type ExtractRequest,
  fallbackReason,
  leavesOf,
  ModelFailure,
  type ValueRecord,
} from "../engine.ts";
import type { Assessment } from "../extract/assessment.ts";
import { doubtful } from "../ground/field-checks.ts";
import type { Meter } from "../meter.ts";
import { countingTokens } from "../meter.ts";
import type { BuiltinEngine } from "../threads/threaded-engine.ts";
import { define } from "../values/define-member.ts";
import { fillable } from "./data-block.ts";
import { excerptOf, systemOf, withQuotes } from "./excerpt.ts";
import { extractWithModel, type ModelExtractionDeps, refusedIn } from "./extract-with-model.ts";
import { lineSchema } from "./extraction-schemas.ts";
import { estimateTokens } from "./model-client.ts";
import { hasPoorOcr } from "./poor-pages.ts";

export interface AutoDeps extends ModelExtractionDeps {
  builtin: Pick<BuiltinEngine, "assess" | "ground">;
}

type MeteredRequest = ExtractRequest & { meter: Meter };

/**
 * Asks the model only for fields that the built-in engine is not sure of. If the model fails, the
 * fields that it has not settled yet are set to null or to an empty list, and `fallback` names
 * them.
 * @throws EngineFailure; the reason of `signal`.
 */
export async function extractWhereUnsure(
  deps: AutoDeps,
  request: MeteredRequest,
  signal: AbortSignal,
): Promise<Extraction> {
  const { params } = request;
  const assessment = await deps.builtin.assess(request, signal);
  const { fields, ...first } = assessment;
  const remembered = new Set(first.remembered);
  const unsure = params.filter(({ name }) => !fields[name]?.sure && !remembered.has(name));
  if (unsure.length === 0) return first;
  const lists = first.lists?.filter(({ name }) => fields[name]?.sure) ?? [];
  const found = {
    data: { ...first.data },
    evidence: { ...first.evidence },
    ...(lists.length > 0 && { lists }),
    ...(first.remembered && { remembered: first.remembered }),
    ...(first.recalled && { recalled: first.recalled }),
    ...(first.usedMemory && { usedMemory: first.usedMemory }),
    tokens: 0,
  };
  const meter = countingTokens(request.meter, (tokens) => {
    found.tokens += tokens;
  });
  let left: readonly ExtractionParam[] = unsure;
  try {
    left = await askOfLines(deps, { ...request, meter, params: unsure }, assessment, found, signal);
    if (left.length > 0) await askOfPages(deps, { ...request, meter, params: left }, assessment, found, signal);
    return found;
  } catch (error) {
    const reason = fallbackReason(error);
    if (reason === undefined) throw error;
    for (const { name, format } of left) {
      define(found.data, name, format === "list" ? [] : null);
      define(found.evidence, name, format === "list" ? [] : null);
    }
    return { ...found, fallback: { reason, fields: left.map(({ name }) => name) } };
  }
}

/**
 * Asks the model about the lines that may contain the values. Returns the fields for which the
 * model must still see the pages.
 */
async function askOfLines(
  { client, builtin }: AutoDeps,
  { document, params, meter, pageImage }: MeteredRequest,
  { fields }: Assessment,
  found: Extraction,
  signal: AbortSignal,
): Promise<readonly ExtractionParam[]> {
  const hintsOf = ({ name }: ExtractionParam) => fields[name]?.hints ?? [];
  const hasPictures = client.limits.vision && pageImage !== undefined && document.pages.some(hasPoorOcr);
  // If one field needs the pages, all fields are requested together with the pages.
  if (hasPictures || params.some((param) => hintsOf(param).length === 0)) return params;
  const excerpt = excerptOf(document, params.flatMap(hintsOf));
  const request = { system: systemOf(params), prompt: excerpt.text, schema: lineSchema(params) };
  const needed = estimateTokens(request.system + request.prompt + JSON.stringify(request.schema));
  if (needed > client.limits.maxInputTokens * fillable) return params;
  const said = await client.object({ purpose: "extract", ...request }, meter, signal).catch(unlessMalformed);
  if (!said) return params;
  const tries = miscounts.map((off) => withQuotes(params, said.value, excerpt, off));
  const records = await builtin.ground(document, params, tries, [], signal);
  const refused = new Set(records.flatMap(refusedIn));
  const recordOf = (name: string) => records.find(({ evidence }) => (evidence[name] ?? null) !== null);
  const isLeft = ({ name }: ExtractionParam) => !recordOf(name) && (refused.has(name) || !fields[name]?.complete);
  for (const param of params) if (!isLeft(param)) take(found, param.name, recordOf(param.name));
  return params.filter(isLeft);
}

/**
 * Offsets that are added to the model's line number. The value must be in that line, the line
 * before, or the line after.
 */
const miscounts = [0, -1, 1];

/**
 * Returns undefined for a malformed response, so that the model is asked for quotes next: it may be
 * unable to return line numbers. Rethrows any other error.
 */
function unlessMalformed(error: unknown): undefined {
  if (!(error instanceof ModelFailure && error.kind === "malformed")) throw error;
}

async function askOfPages(
  deps: AutoDeps,
  request: MeteredRequest,
  assessment: Assessment,
  found: Extraction,
  signal: AbortSignal,
): Promise<void> {
  const document = pagesThatMatter(request.document, request.params, assessment);
  const said = await extractWithModel(deps, { ...request, document }, signal);
  for (const { name, format } of request.params) {
    const isNothing = leavesOf(said.evidence[name] ?? null).length === 0;
    // If the model's value was rejected, or if the model found no list, the built-in result may
    // still be correct, so it is kept. Otherwise, the model's null replaces it.
    if (isNothing && (format === "list" || said.refused.has(name))) continue;
    take(found, name, said);
  }
}

/**
 * Sets a field to the model's result. Keeps the built-in result if the model's value is doubtful
 * and has a lower confidence.
 */
function take(found: Extraction, name: string, from: { data: ValueRecord; evidence: EvidenceRecord } | undefined) {
  const [before] = leavesOf(found.evidence[name] ?? null);
  const [now] = leavesOf(from?.evidence[name] ?? null);
  if (before && now && now.confidence <= doubtful && before.confidence > now.confidence) return;
  define(found.data, name, from?.data[name] ?? null);
  define(found.evidence, name, from?.evidence[name] ?? null);
}

/**
 * A document with more pages than this is not shown to the model as a whole. Chosen by hand,
 * 2026-11.
 */
const manyPages = 4;

/**
 * Returns the relevant pages of a long document: the first page, pages with built-in results, pages
 * with many words of the field names and descriptions (at least half as many as any other page),
 * and the pages before and after each of these. A list may continue on those neighbouring pages.
 */
function pagesThatMatter(document: Document, params: readonly ExtractionParam[], first: Extraction): Document {
  const { pages } = document;
  if (pages.length <= manyPages) return document;
  const wanted = new Set(params.flatMap(({ name, description }) => wordsOf(`${name} ${description}`)));
  const found = new Set(params.flatMap(({ name }) => leavesOf(first.evidence[name] ?? null)).map(({ page }) => page));
  const scores = pages.map(
    ({ words }) => new Set(words.flatMap(({ text }) => wordsOf(text)).filter((word) => wanted.has(word))).size,
  );
  const enough = Math.max(1, Math.max(...scores) / 2);
  const matters = pages.map(({ number }, at) => at === 0 || found.has(number) || (scores[at] ?? 0) >= enough);
  const kept = pages.filter((_, at) => matters[at] || matters[at - 1] || matters[at + 1]);
  return { ...document, pages: kept };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
