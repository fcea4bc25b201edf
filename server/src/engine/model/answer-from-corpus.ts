/**
 * Answers questions from a corpus with a language model. In `auto` mode, the model is asked only if
 * the built-in engine is not sure of the sentences that it quotes.
 */
import { quoteFromCorpus } from "../answer/quote-from-corpus.ts";
import type { Answerer, AnswerRequest, AnswerStream, CorpusAnswer, PassageText, StreamedParts } from "../answering.ts";
import { fallbackReason } from "../engine.ts";
import type { Meter } from "../meter.ts";
import { isLikelyField, isSure } from "./answer-sureness.ts";
import type { ModelAnswerer, ModelAsking } from "./answer-with-model.ts";

export interface CorpusAnswererDeps {
  model: ModelAnswerer;
  /** Answerer of the built-in engine. */
  answerer: Answerer;
}

export type MeteredAnswerRequest<Passage extends PassageText> = AnswerRequest<Passage> & { meter: Meter };

/**
 * Returns the model's answer. With `isAuto`, the model is asked only if the built-in engine is not
 * sure of its own answer. If the model then fails, the built-in answer is returned.
 */
export async function answerWithModel<Passage extends PassageText>(
  deps: CorpusAnswererDeps,
  request: MeteredAnswerRequest<Passage>,
  isAuto: boolean,
  signal: AbortSignal,
): Promise<CorpusAnswer<Passage>> {
  const { question, corpus } = request;
  if (!isAuto) return askModel(deps, request, await corpus.findPassages(question.searchText), isAuto, signal);
  const quoted = await quoteFromCorpus(deps.answerer, corpus, question, signal);
  if (isSure(quoted.answer)) return quoted;
  try {
    const said = await askModel(deps, request, quoted.passages, isAuto, signal);
    return !said.answer.found && isLikelyField(quoted.answer) ? quoted : said;
  } catch (error) {
    const reason = fallbackReason(error);
    if (reason === undefined) throw error;
    return { ...quoted, fallback: { reason } };
  }
}

/**
 * Returns the model's answer. If the model finds no answer, returns the fixed sentence that says
 * so.
 */
async function askModel<Passage extends PassageText>(
  deps: CorpusAnswererDeps,
  request: MeteredAnswerRequest<Passage>,
  passages: Passage[],
  isAuto: boolean,
  signal: AbortSignal,
): Promise<CorpusAnswer<Passage>> {
  const asking = await askingOf(deps, request, passages, isAuto, signal);
  const { tokens: _, ...said } = await deps.model.answer(asking, signal);
  const answer = said.found ? said : await deps.answerer.answer(request.question, [], [], signal);
  return { answer, passages };
}

async function askingOf<Passage extends PassageText>(
  { answerer }: CorpusAnswererDeps,
  { request, question, meter }: MeteredAnswerRequest<Passage>,
  passages: readonly Passage[],
  isAuto: boolean,
  signal: AbortSignal,
): Promise<ModelAsking> {
  const likely = isAuto ? await answerer.likelySpans(question, passages, signal) : undefined;
  return { request, question, passages, likely, meter };
}

/**
 * Streams the model's answer. With `isAuto`, resolves to undefined if the built-in engine is sure
 * of its own answer. Throws as `answerWithModel` does.
 */
export async function streamWithModel<Passage extends PassageText>(
  deps: CorpusAnswererDeps,
  request: MeteredAnswerRequest<Passage>,
  isAuto: boolean,
  signal: AbortSignal,
): Promise<AnswerStream<Passage> | undefined> {
  const { question, corpus } = request;
  const quoted = isAuto ? await quoteFromCorpus(deps.answerer, corpus, question, signal) : undefined;
  if (quoted && isSure(quoted.answer)) return undefined;
  return streamParts(deps, request, quoted, signal);
}

async function* streamParts<Passage extends PassageText>(
  deps: CorpusAnswererDeps,
  request: MeteredAnswerRequest<Passage>,
  quoted: CorpusAnswer<Passage> | undefined,
  signal: AbortSignal,
): AnswerStream<Passage> {
  const { question, corpus } = request;
  let isBegun = false;
  try {
    const passages = quoted?.passages ?? (await corpus.findPassages(question.searchText));
    const asking = await askingOf(deps, request, passages, quoted !== undefined, signal);
    for await (const part of deps.model.stream(asking, signal)) {
      const said = isBegun ? part : { ...part, before: "", text: part.text.trimStart() };
      // Parts that were sent can't be withdrawn. If the receiver rejects a part, only that part is
      // dropped.
      if (yield { parts: [said], passages }) isBegun = true;
    }
  } catch (error) {
    if (!quoted || isBegun || fallbackReason(error) === undefined) throw error;
    if (yield partsOf(quoted)) return;
    throw error;
  }
  if (isBegun) return;
  if (quoted && isLikelyField(quoted.answer) && (yield partsOf(quoted))) return;
  const { parts } = await deps.answerer.answer(question, [], [], signal);
  yield { parts, passages: [] };
}

const partsOf = <Passage extends PassageText>({ answer, passages }: CorpusAnswer<Passage>): StreamedParts<Passage> => ({
  parts: answer.parts,
  passages,
});
