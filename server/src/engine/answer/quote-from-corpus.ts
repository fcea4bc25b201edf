/**
 * Answers a question by quoting the corpus: document fields first, then sentences of the passages.
 */
import type { Answerer, Corpus, CorpusAnswer, FieldValue, PassageText, Question, QuestionField } from "../answering.ts";

/**
 * Searches up to three times until an answer is found: with the words of the question, with the
 * label words of the field that it asks for, and in every document of a small corpus. A document
 * may contain the field but none of the words of the question.
 */
export async function quoteFromCorpus<Passage extends PassageText>(
  answerer: Answerer,
  corpus: Corpus<Passage>,
  question: Question,
  signal: AbortSignal,
): Promise<CorpusAnswer<Passage>> {
  const { field } = question;
  const answerFrom = async (passages: Passage[], fields: readonly FieldValue[]): Promise<CorpusAnswer<Passage>> => ({
    answer: await answerer.answer(question, passages, fields, signal),
    passages,
  });
  const search = async (searchText: string): Promise<CorpusAnswer<Passage>> => {
    const passages = await corpus.findPassages(searchText);
    return answerFrom(passages, await readFields(passages));
  };
  const readFields = async (passages: readonly Passage[]): Promise<FieldValue[]> =>
    field === undefined ? [] : fieldsIn(answerer, corpus, question, field, passages, signal);

  const found = await search(question.searchText);
  if (found.answer.found || field === undefined) return found;
  const wider = await search(field.widerText);
  if (wider.answer.found) return wider;
  const all = await corpus.listIfFew();
  if (all === undefined) return found;
  const read = await answerFrom(all, await readFields(all));
  return read.answer.found ? read : found;
}

async function fieldsIn<Passage extends PassageText>(
  answerer: Answerer,
  corpus: Corpus<Passage>,
  question: Question,
  { param }: QuestionField,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<FieldValue[]> {
  const values: FieldValue[] = [];
  for (const at of await answerer.documentsToRead(question, passages, signal)) {
    const passage = passages[at];
    const evidence = passage && (await corpus.readField(passage, param));
    if (evidence) values.push({ passage: at, evidence });
  }
  return values;
}
