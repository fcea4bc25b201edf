/**
 * `npm run fit -- answers` fits the forest that chooses the answer to a question from facts and
 * quotes, and writes it to `server/src/engine/answer/answers.bin`. `--leave-out` fits without each
 * group of question sets in turn, measures on the sets that were left out, and writes nothing.
 * Takes about 20 minutes and 6 GB of memory: `NODE_OPTIONS=--max-old-space-size=11000`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chancesOf } from "../../server/src/engine/extract/ranking/chances.ts";
import { type Forest, forestOf } from "../../server/src/engine/extract/ranking/forest.ts";
import { heldOutAuthor } from "../papers/papers.ts";
import { mulberry32 } from "../random.ts";
import { boost, logitOf, type Tree, toBytes } from "../ranking/boost.ts";
import { readExamples } from "../ranking/examples.ts";
import { fitForest } from "../ranking/fit-ranking.ts";
import { type AnswerExample, readAnswerExamples } from "./examples.ts";
import { articleSets, fieldSet, heldOutSets, paperQuestionSets } from "./question-sets.ts";

const options = { trees: 150, depth: 5, rate: 0.06, minWeight: 12, lambda: 2, features: 0.5, choices: 0.6 };
/** Weight of a question about an article. Below 1, because there are many such questions. */
const ofArticle = 0.3;
/**
 * Weight of a question that is the description of a field. Below 1, because there are many such
 * questions.
 */
const ofField = 0.5;
/**
 * Groups of question sets about the same documents. `--leave-out` leaves out a whole group at a
 * time.
 */
const groups = [["papers-a"], ["own-1", "own-5", "own-9"], ["own-2", "own-6"], ["own-3", "own-4", "own-7", "own-8"]];

export async function fitAnswers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { "leave-out": { type: "boolean", default: false } } });
  const sets = [...paperQuestionSets, fieldSet, ...articleSets];
  const examples = await readAnswerExamples(sets, await forestsWithout());
  const fitted = examples.filter(({ set }) => !heldOutSets.includes(set));
  if (!values["leave-out"]) {
    const trees = fit(fitted);
    writeFileSync(join(import.meta.dirname, "../../server/src/engine/answer/answers.bin"), toBytes(trees));
    for (const heldOut of heldOutSets)
      report(
        `${heldOut}, not fitted`,
        trees,
        examples.filter(({ set }) => set === heldOut),
      );
    return;
  }
  for (const group of groups) {
    const trees = fit(fitted.filter(({ set }) => !group.includes(set)));
    for (const set of group)
      report(
        set,
        trees,
        fitted.filter((each) => each.set === set),
      );
  }
}

/**
 * Fits two forests that rank the values of fields, each without half of the authors. Returns a
 * function that takes the name of a document and returns the forest that was fitted without its
 * author. This is needed because a forest gives too high a probability to values that it was fitted
 * to.
 */
async function forestsWithout(): Promise<(document: string) => Forest> {
  const examples = await readExamples();
  const authors = [...new Set(examples.map(({ author }) => author))]
    .filter((author) => author !== heldOutAuthor)
    .sort();
  const forests = [0, 1].map((half) => {
    const left = new Set(authors.filter((_, at) => at % 2 === half));
    return forestOf(toBytes(fitForest(examples.filter(({ author }) => author !== heldOutAuthor && !left.has(author)))));
  });
  return (document) => {
    const at = authors.indexOf(/^\d\d-/.test(document) ? document.slice(0, 2) : "papers-a");
    return forests[at < 0 ? 0 : at % 2] as Forest;
  };
}

const fit = (examples: readonly AnswerExample[]): Tree[] =>
  boost(
    examples
      .filter(({ rows }) => rows.length > 0)
      .map(({ set, rows, right }) => ({ rows, right, weight: weightOf(set) })),
    options,
    mulberry32(1),
  );

function weightOf(set: string): number {
  if (set === fieldSet) return ofField;
  return articleSets.includes(set) ? ofArticle : 1;
}

function report(name: string, trees: readonly Tree[], examples: readonly AnswerExample[]): void {
  const judged = examples.map(({ texts, rows, right, question }) => {
    const chances = chancesOf(
      texts,
      rows.map((row) => logitOf(trees, row)),
    );
    const best = chances.indexOf(Math.max(0, ...chances));
    return {
      chance: chances[best] ?? 0,
      right: right[best] ?? false,
      any: right.includes(true),
      answerable: question.answers.length > 0,
      type: question.type,
    };
  });
  for (const [type, own] of [["all", judged] as const, ...Map.groupBy(judged, ({ type }) => type)]) {
    const answerable = own.filter((each) => each.answerable);
    const none = own.filter((each) => !each.answerable);
    const cells = [0.2, 0.3, 0.4, 0.5].map((limit) => {
      const right = answerable.filter((each) => each.right && each.chance >= limit).length;
      const given = own.filter((each) => each.chance >= limit).length;
      return `${limit}: right ${(right / Math.max(1, answerable.length)).toFixed(3)} of given ${(right / Math.max(1, given)).toFixed(3)} refused ${(none.filter((each) => each.chance < limit).length / Math.max(1, none.length)).toFixed(3)}`;
    });
    console.log(
      `${name} ${type} ${own.length} (possible ${(answerable.filter(({ any }) => any).length / Math.max(1, answerable.length)).toFixed(3)}, first ${(answerable.filter(({ right }) => right).length / Math.max(1, answerable.length)).toFixed(3)}) ${cells.join(" | ")}`,
    );
  }
}
