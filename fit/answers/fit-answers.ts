/**
 * `npm run fit -- answers` fits the forest that chooses the answer of a question among facts and
 * quotes, and writes it to `server/src/engine/answer/answers.bin`. `--leave-out` fits without each
 * set of questions in turn, measures on the set that was left out, and writes nothing.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chancesOf } from "../../server/src/engine/extract/ranking/chances.ts";
import { mulberry32 } from "../random.ts";
import { boost, logitOf, type Tree, toBytes } from "../ranking/boost.ts";
import { type AnswerExample, readAnswerExamples } from "./examples.ts";
import { articleSets, paperQuestionSets } from "./question-sets.ts";

const options = { trees: 150, depth: 5, rate: 0.06, minWeight: 12, lambda: 2, features: 0.5, choices: 0.6 };
/** Weight of a question about an article. There are more of them than questions about papers. */
const ofArticle = 0.4;
const heldOut = "held-out";

export async function fitAnswers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { "leave-out": { type: "boolean", default: false } } });
  const examples = await readAnswerExamples([...paperQuestionSets, ...articleSets]);
  const fitted = examples.filter(({ set }) => set !== heldOut);
  if (!values["leave-out"]) {
    const trees = fit(fitted);
    writeFileSync(join(import.meta.dirname, "../../server/src/engine/answer/answers.bin"), toBytes(trees));
    report(
      `${heldOut}, not fitted`,
      trees,
      examples.filter(({ set }) => set === heldOut),
    );
    return;
  }
  for (const [left, own] of Map.groupBy(fitted, ({ set }) => set))
    report(left, fit(fitted.filter(({ set }) => set !== left)), own);
}

const fit = (examples: readonly AnswerExample[]): Tree[] =>
  boost(
    examples
      .filter(({ rows }) => rows.length > 0)
      .map(({ set, rows, right }) => ({ rows, right, weight: articleSets.includes(set) ? ofArticle : 1 })),
    options,
    mulberry32(1),
  );

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
