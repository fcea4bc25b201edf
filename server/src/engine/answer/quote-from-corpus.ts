/** Answers a question from the corpus: from facts of its documents, or by quoting its passages. */
import type { Answerer, Corpus, CorpusAnswer, DocumentFacts, Fact, PassageText, Question } from "../answering.ts";
import { EngineFailure } from "../engine.ts";

/**
 * Searches up to three times until an answer is found. The first search uses the words of the
 * question. The second uses the label words of the field that the question asks for. The last
 * considers every document of a small corpus, because a document may contain the field but none of
 * the words of the question.
 */
export async function quoteFromCorpus<Passage extends PassageText>(
  answerer: Answerer,
  corpus: Corpus<Passage>,
  question: Question,
  signal: AbortSignal,
): Promise<CorpusAnswer<Passage>> {
  const answerFrom = async (passages: Passage[]): Promise<CorpusAnswer<Passage>> => ({
    answer: await answerer.answer(
      question,
      passages,
      await factsIn(answerer, corpus, question, passages, signal),
      signal,
    ),
    passages,
  });
  const found = await answerFrom(await corpus.findPassages(question.searchText));
  if (found.answer.found) return found;
  const { field } = question;
  if (field !== undefined) {
    const wider = await answerFrom(await corpus.findPassages(field.widerText));
    if (wider.answer.found) return wider;
  }
  const all = await corpus.listIfFew();
  if (all === undefined) return found;
  const read = await answerFrom(all);
  return read.answer.found ? read : found;
}

/** Reads the facts of the documents that match the question best. */
async function factsIn<Passage extends PassageText>(
  answerer: Answerer,
  corpus: Corpus<Passage>,
  question: Question,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<DocumentFacts[]> {
  const documents = await answerer.documentsToRead(question, passages, signal);
  return Promise.all(
    documents.map(async (indices) => {
      const own = indices.flatMap((index) => passages[index] ?? []);
      const facts = await corpus.readFacts(own, question).catch(noneIfTooMuch);
      return { passage: indices[0] ?? 0, facts };
    }),
  );
}

/**
 * Returns no facts for a document that takes too much time or memory. Its passages are still
 * quoted.
 */
function noneIfTooMuch(error: unknown): readonly Fact[] {
  if (error instanceof EngineFailure) return [];
  throw error;
}
