/**
 * `npm run quality -- paper-questions [SET…]`: answers questions about a set of office documents,
 * with the service's search and built-in engine. All documents of a set form one corpus. If the
 * corpus does not answer a question, the correct result is no answer.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  indexFiles,
  isAccepted,
  type PaperQuestion,
  paperQuestionSets,
  readQuestionSet,
} from "../../fit/answers/question-sets.ts";
import { answerText } from "../../server/src/engine/answer/answer-question.ts";
import type { Corpus, Turn } from "../../server/src/engine/answering.ts";
import type { Engine } from "../../server/src/engine/engine.ts";
import { openEngine } from "../../server/src/engine/open-engine.ts";
import { type AgentHit, openPassageIndex } from "../../server/src/search/passage-index.ts";

/**
 * @param names sets of questions; all if empty
 * @param errors maximum number of wrong answers to print for each set
 */
export async function runPaperQuestions(names: readonly string[], errors: number): Promise<void> {
  const { signal } = new AbortController();
  for (const name of names.length > 0 ? names : paperQuestionSets) {
    const { files, questions } = readQuestionSet(name);
    const folder = await mkdtemp(join(tmpdir(), "sheaf-questions-"));
    const engine = await openEngine({ threads: 2 });
    const index = await openPassageIndex({ folder });
    const scores = new Map<string, Score>();
    let wrong = 0;
    try {
      const { findPassages, pagesOf } = await indexFiles(files, index);
      const corpus: Corpus<AgentHit> = {
        findPassages,
        listIfFew: () => Promise.resolve(undefined),
        readFacts: async (passages, question) => {
          const pages = pagesOf(passages);
          return pages ? engine.readFacts(pages, question, signal) : [];
        },
      };
      for (const question of questions) {
        const answered = await answer(question, corpus, engine, signal);
        const isRight = isRightAnswer(answered, question);
        for (const group of ["all", question.type]) add(scores, group, question, answered, isRight);
        if (!isRight && wrong++ < errors)
          console.log(
            `${question.id} ${(question.turns ?? [question.question]).join(" / ")}: expected ${JSON.stringify(question.answers)} of ${question.documents.join()}, got ${JSON.stringify(answered)}`,
          );
      }
    } finally {
      await engine.close();
      await index[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
    console.log(name);
    console.table(Object.fromEntries([...scores].map(([group, score]) => [group, figuresOf(score)])));
  }
}

interface Answered {
  text: string | null;
  confidence: number;
  /** Documents that the answer quotes. */
  documents: string[];
}

async function answer(
  { question, turns = [] }: PaperQuestion,
  corpus: Corpus<AgentHit>,
  engine: Engine,
  signal: AbortSignal,
): Promise<Answered> {
  const historic: Turn[] = [];
  let answered: Answered = { text: null, confidence: 0, documents: [] };
  for (const query of question === undefined ? turns : [question]) {
    const request = { query, instructions: [], consignes: [], historic: [...historic] };
    const understood = await engine.understand(request, signal);
    const { answer, passages } = await engine.answer({ request, question: understood, corpus }, signal);
    const sources = answer.parts.flatMap((part) => part.sources);
    answered = {
      text: answer.found ? answerText(answer) : null,
      confidence: answer.confidence,
      documents: [...new Set(sources.flatMap(({ passage }) => passages[passage]?.document ?? []))],
    };
    historic.push({ role: "user", content: query }, { role: "assistant", content: answerText(answer) });
  }
  return answered;
}

/**
 * Returns true if the answer is accepted. For a yes-or-no question, the words that prove the answer
 * are accepted too.
 */
function isRightAnswer({ text }: Answered, { answers, quote }: PaperQuestion): boolean {
  if (answers.length === 0 || text === null) return answers.length === 0 && text === null;
  return isAccepted(text, quote === undefined ? answers : [...answers, quote]);
}

interface Score {
  questions: number;
  right: number;
  /** Number of questions that got an answer, whether correct or wrong. */
  answered: number;
  withDocument: number;
  /** Number of questions whose answer quotes a document that contains the correct answer. */
  rightDocument: number;
}

function add(
  scores: Map<string, Score>,
  group: string,
  { documents }: PaperQuestion,
  answered: Answered,
  isRight: boolean,
): void {
  const score = scores.get(group) ?? { questions: 0, right: 0, answered: 0, withDocument: 0, rightDocument: 0 };
  scores.set(group, score);
  score.questions++;
  if (isRight) score.right++;
  if (answered.text !== null) score.answered++;
  if (documents.length > 0) score.withDocument++;
  if (documents.some((holder) => answered.documents.includes(holder))) score.rightDocument++;
}

function figuresOf({ questions, right, answered, withDocument, rightDocument }: Score): object {
  return {
    questions,
    right: (right / questions).toFixed(3),
    answered: (answered / questions).toFixed(3),
    "right document": withDocument === 0 ? "–" : (rightDocument / withDocument).toFixed(3),
  };
}
