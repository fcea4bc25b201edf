/**
 * `npm run fit -- ranking` fits the forest (the decision trees that rank the candidate values of a
 * field), and writes it to `server/src/engine/extract/ranking/forest.bin`.
 * `--leave-out kind|author|language` fits without each kind, author or language in turn, measures
 * on the documents that were left out, and writes nothing. A fit takes about five minutes and 6 GB
 * of memory: `NODE_OPTIONS=--max-old-space-size=12000`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { minProbability } from "../../server/src/engine/extract/choose-values.ts";
import { chancesOf } from "../../server/src/engine/extract/ranking/chances.ts";
import { heldOutAuthor } from "../papers/papers.ts";
import { mulberry32 } from "../random.ts";
import { boost, logitOf, type Tree, toBytes } from "./boost.ts";
import { type Example, readExamples } from "./examples.ts";

const options = { trees: 300, depth: 5, rate: 0.06, minWeight: 30, lambda: 2, features: 0.4, choices: 0.6 };
/**
 * Weight of the examples with fields of other kinds. Below 1, because a document sometimes does
 * have a value for such a field.
 */
const ofOtherKinds = 0.5;

export async function fitRanking(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { "leave-out": { type: "string" } } });
  const examples = await readExamples();
  const fitted = examples.filter(({ author }) => author !== heldOutAuthor);
  const by = values["leave-out"];
  if (by === undefined) {
    const trees = fitForest(fitted);
    writeFileSync(join(import.meta.dirname, "../../server/src/engine/extract/ranking/forest.bin"), toBytes(trees));
    report(
      `author ${heldOutAuthor}, held out`,
      examples
        .filter(({ author, isOfOtherKind }) => author === heldOutAuthor && !isOfOtherKind)
        .map((each) => chosen(trees, each)),
    );
    return;
  }
  if (by !== "kind" && by !== "author" && by !== "language")
    throw new Error("Leave out a kind, an author or a language.");
  const all: Chosen[] = [];
  const real = fitted.filter(({ isOfOtherKind }) => !isOfOtherKind);
  for (const [left, own] of Map.groupBy(real, (example) => example[by])) {
    const trees = fitForest(fitted.filter((example) => example[by] !== left));
    const choices = own.map((example) => chosen(trees, example));
    report(`${by} ${left}`, choices);
    all.push(...choices);
  }
  report("all", all);
}

/** Fits the forest to examples. */
export const fitForest = (examples: readonly Example[]): Tree[] =>
  boost(
    examples.map(({ values, isOfOtherKind }) => ({
      rows: values.map(({ row }) => row),
      right: values.map(({ right }) => right),
      weight: isOfOtherKind ? ofOtherKinds : 1,
    })),
    options,
    mulberry32(1),
  );

interface Chosen {
  probability: number;
  right: boolean;
  isNull: boolean;
}

/** Returns the most probable value of a field, even if another field also uses it. */
function chosen(trees: readonly Tree[], { values, isNull }: Example): Chosen {
  const logits = values.map(({ row }) => logitOf(trees, row));
  const probabilities = chancesOf(
    values.map(({ value }) => value),
    logits,
  );
  let best: Chosen = { probability: 0, right: false, isNull };
  for (const [at, { right }] of values.entries()) {
    const probability = probabilities[at] ?? 0;
    if (probability > best.probability) best = { probability, right, isNull };
  }
  return best;
}

function report(name: string, choices: readonly Chosen[]): void {
  const given = choices.filter(({ probability }) => probability >= minProbability);
  const right = given.filter((choice) => choice.right).length;
  const nulls = choices.filter(({ isNull }) => isNull);
  const kept = nulls.filter(({ probability }) => probability < minProbability).length;
  const sure = given.filter(({ probability }) => probability >= 0.9);
  const f1 = (2 * right) / Math.max(1, given.length + choices.length - nulls.length);
  console.log(
    `${name}: F1 ${f1.toFixed(3)} of ${choices.length - nulls.length} values, precision ${(right / Math.max(1, given.length)).toFixed(3)}, ` +
      `${kept} of ${nulls.length} nulls kept, ${sure.filter((choice) => choice.right).length} of ${sure.length} right at 0.9 or more`,
  );
}
