/**
 * `npm run fit -- boundaries` fits the weights that find where a document starts in a joined file,
 * and writes `server/src/engine/classify/boundary-weights.ts`. `--leave-out` fits them without each
 * source in turn, measures on its files, and writes nothing. About two minutes the first time,
 * while files are read.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BoundaryFeatures } from "../../server/src/engine/classify/boundary-weights.ts";
import { heldOutAuthor } from "../papers/papers.ts";
import { type Example, readExamples } from "./examples.ts";
import { priorBias, priorWeights } from "./prior-weights.ts";

const names = Object.keys(priorWeights) as (keyof BoundaryFeatures)[];
/** Bias first, then the weights of `names`. */
const prior = [priorBias, ...names.map((name) => priorWeights[name])];
const rowOf = ({ features }: Example): number[] => [1, ...names.map((name) => features[name])];

const steps = 3_000;
const rate = 0.2;
/** Weight of the squared distance from the prior weights. Of 0.003 to 0.1 the best, left out. */
const defaultDecay = 0.03;

export async function fitBoundaries(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { "leave-out": { type: "boolean" }, decay: { type: "string" } },
  });
  const decay = Number(values.decay ?? defaultDecay);
  const all = await readExamples();
  const fitted = all.filter(({ source }) => source !== heldOutAuthor);
  const heldOut = all.filter(({ source }) => source === heldOutAuthor);
  if (!values["leave-out"]) {
    const weights = fit(fitted, decay);
    write(weights, fitted);
    report(`author ${heldOutAuthor}, held out`, heldOut, weights);
    report("fitted", fitted, weights);
    return;
  }
  const judged: { example: Example; chance: number }[] = [];
  for (const [source, own] of Map.groupBy(fitted, (example) => example.source)) {
    const weights = fit(
      fitted.filter((example) => example.source !== source),
      decay,
    );
    report(source, own, weights);
    judged.push(...own.map((example) => ({ example, chance: chanceOf(rowOf(example), weights) })));
  }
  console.log("all", summaryOf(judged));
}

/** Fits by gradient descent (Adagrad). Each weight keeps the sign of its prior. */
function fit(examples: readonly Example[], decay: number): number[] {
  const rows = examples.map(rowOf);
  const weights = [...prior];
  const moments = weights.map(() => 1e-8);
  for (let step = 0; step < steps; step++) {
    const slope = weights.map((weight, at) => decay * (weight - (prior[at] ?? 0)));
    for (const [index, row] of rows.entries()) {
      const error = (chanceOf(row, weights) - Number(examples[index]?.starts)) / rows.length;
      for (const [at, value] of row.entries()) slope[at] = (slope[at] ?? 0) + error * value;
    }
    for (const [at, own] of slope.entries()) {
      moments[at] = (moments[at] ?? 0) + own * own;
      const moved = (weights[at] ?? 0) - (rate * own) / Math.sqrt(moments[at] ?? 1);
      weights[at] = at === 0 || Math.sign(moved) === Math.sign(prior[at] ?? 0) ? moved : 0;
    }
  }
  return weights.map((weight) => Number(weight.toFixed(2)));
}

const chanceOf = (row: readonly number[], weights: readonly number[]): number =>
  1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)));

function report(what: string, examples: readonly Example[], weights: readonly number[]): void {
  const judgedBy = (by: readonly number[]): string =>
    summaryOf(examples.map((example) => ({ example, chance: chanceOf(rowOf(example), by) })));
  console.log(what, judgedBy(weights), "| prior", judgedBy(prior));
}

function summaryOf(judged: readonly { example: Example; chance: number }[]): string {
  const count = (test: (found: boolean, starts: boolean) => boolean): number =>
    judged.filter(({ example, chance }) => test(chance >= 0.5, example.starts)).length;
  const right = count((found, starts) => found && starts);
  const wrong = count((found, starts) => found !== starts);
  const loss = judged.reduce((sum, { example, chance }) => sum - Math.log(example.starts ? chance : 1 - chance), 0);
  return `F1 ${((2 * right) / (2 * right + wrong)).toFixed(3)}, ${wrong} of ${judged.length} wrong, loss ${(loss / judged.length).toFixed(3)}`;
}

function write([bias = 0, ...weights]: readonly number[], examples: readonly Example[]): void {
  const lines = names.map((name, at) => `  ${name}: ${weights[at] ?? 0},`);
  writeFileSync(
    join(import.meta.dirname, "../../server/src/engine/classify/boundary-weights.ts"),
    `/**
 * Weights of a logistic regression over \`boundaryFeatures\`, in logits: a document starts.
 * Made by \`npm run fit -- boundaries\` from ${examples.length} pairs of pages.
 */
export const boundaryWeights = {
${lines.join("\n")}
};

export type BoundaryFeatures = Record<keyof typeof boundaryWeights, number>;

/** Log odds of a boundary if all features are 0. */
export const boundaryBias = ${bias};
`,
  );
}
