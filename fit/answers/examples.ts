/**
 * Creates the training examples for choosing an answer: all candidate answers ("offers") to a
 * question, and which of them are correct.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerText, builtinAnswerer } from "../../server/src/engine/answer/answer-question.ts";
import { offersFor } from "../../server/src/engine/answer/offers.ts";
import { readFacts } from "../../server/src/engine/answer/read-facts.ts";
import type { DocumentFacts, Turn } from "../../server/src/engine/answering.ts";
import type { Forest } from "../../server/src/engine/extract/ranking/forest.ts";
import { findDates } from "../../server/src/engine/values/dates.ts";
import { openPassageIndex } from "../../server/src/search/passage-index.ts";
import { indexFiles, isAccepted, type PaperQuestion, readQuestionSet } from "./question-sets.ts";

export interface AnswerExample {
  set: string;
  question: PaperQuestion;
  texts: string[];
  rows: Float32Array[];
  right: boolean[];
}

/**
 * Types of questions without training examples, because their answer is never among the candidates.
 */
const otherTypes = new Set(["which-document", "count-or-compare"]);

/**
 * @param treesFor returns the forest that ranks the values of a document; it should not be fitted
 * to that document
 */
export async function readAnswerExamples(
  sets: readonly string[],
  treesFor: (document: string) => Forest,
): Promise<AnswerExample[]> {
  const examples: AnswerExample[] = [];
  for (const set of sets) {
    const { files, questions } = readQuestionSet(set);
    const folder = await mkdtemp(join(tmpdir(), "sheaf-questions-"));
    const index = await openPassageIndex({ folder });
    try {
      const { pagesOf, findPassages } = await indexFiles(files, index);
      for (const question of questions) {
        if (otherTypes.has(question.type)) continue;
        const historic: Turn[] = [];
        for (const [at, query] of (question.turns ?? [question.question ?? ""]).entries()) {
          const understood = builtinAnswerer.understand({ query, instructions: [], consignes: [], historic });
          const passages = await findPassages(understood.searchText, question.within);
          const facts = builtinAnswerer.documentsToRead(understood, passages).map((indices): DocumentFacts => {
            const name = passages[indices[0] ?? 0]?.document ?? "";
            const document = pagesOf(indices.flatMap((index) => passages[index] ?? []));
            return { passage: indices[0] ?? 0, facts: document ? readFacts(document, understood, treesFor(name)) : [] };
          });
          if (at < (question.turns?.length ?? 1) - 1) {
            const answer = builtinAnswerer.answer(understood, passages, facts);
            historic.push({ role: "user", content: query }, { role: "assistant", content: answerText(answer) });
            continue;
          }
          const offers = offersFor(understood, passages, facts);
          examples.push({
            set,
            question,
            texts: offers.map(({ text }) => text),
            rows: offers.map(({ row }) => row),
            right: offers.map(({ text, parts }) => {
              const [source] = parts[0]?.sources ?? [];
              const holder = passages[source?.passage ?? -1]?.document ?? "";
              return question.documents.includes(holder) && isRight(text, question);
            }),
          });
        }
      }
    } finally {
      await index[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return examples;
}

function isRight(text: string, { answers, quote, date }: PaperQuestion): boolean {
  if (date !== undefined)
    return (["dmy", "mdy"] as const).some((order) => findDates(text, order).some(({ value }) => value === date));
  return isAccepted(text, quote === undefined ? answers : [...answers, quote]);
}
