/**
 * `npm run fit -- boundaries` fits the weights that find where a document starts in a file of
 * several documents. Writes them to `server/src/engine/classify/boundary-weights.ts`. `--leave-out`
 * fits without each source in turn, measures on the files of that source, and writes nothing. Takes
 * a few seconds, and five minutes more in the first run, which reads the files.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BoundaryFeatures } from "../../server/src/engine/classify/boundary-weights.ts";
import { minBoundaryChance } from "../../server/src/engine/classify/classify-pages.ts";
import { logitOf } from "../../server/src/engine/extract/lists/logit.ts";
import { fitChoices, type Sign } from "../choices.ts";
import { heldOutAuthor } from "../papers/papers.ts";
import { type Example, readExamples } from "./examples.ts";
import { priorBias, priorWeights } from "./prior-weights.ts";

const names = Object.keys(priorWeights) as (keyof BoundaryFeatures)[];
/** The bias, followed by the weights of `names`. */
const prior = [priorBias, ...names.map((name) => priorWeights[name])];
const signs = prior.map((weight, at): Sign => (at === 0 ? "any" : weight < 0 ? "negative" : "positive"));
const rowOf = ({ features }: Example): number[] => [1, ...names.map((name) => features[name])];

const heldOutSource = `author ${heldOutAuthor}`;
/**
 * Weight of the squared distance from the prior. The best of values from 0.003 to 0.1, measured on
 * left-out sources.
 */
const decay = 0.03;

export async function fitBoundaries(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { "leave-out": { type: "boolean" } } });
  const [heldOut = [], fitted = []] = parted(await readExamples(), heldOutSource);
  if (!values["leave-out"]) {
    const weights = fit(fitted);
    write(weights, fitted);
    report(`${heldOutSource}, held out`, judged(heldOut, weights), judged(heldOut, prior));
    report("fitted", judged(fitted, weights), judged(fitted, prior));
    return;
  }
  const leftOut = [...new Set(fitted.map(({ source }) => source))].flatMap((source) => {
    const [own = [], others = []] = parted(fitted, source);
    const judgedOwn = judged(own, fit(others));
    report(source, judgedOwn, judged(own, prior));
    return judgedOwn;
  });
  report("all", leftOut, judged(fitted, prior));
}

/** Returns the examples of one source, and those of all others. */
const parted = (examples: readonly Example[], source: string): Example[][] => [
  examples.filter((example) => example.source === source),
  examples.filter((example) => example.source !== source),
];

const fit = (examples: readonly Example[]): number[] =>
  fitChoices(
    examples.map((example) => ({ options: [rowOf(example)], right: example.starts ? [0] : [] })),
    signs,
    decay,
    prior,
  );

interface Judged {
  starts: boolean;
  /** Probability (0–1) that a document starts at the page. */
  chance: number;
}

const judged = (examples: readonly Example[], weights: readonly number[]): Judged[] =>
  examples.map((example) => ({
    starts: example.starts,
    chance: 1 / (1 + Math.exp(-logitOf(rowOf(example), weights))),
  }));

const report = (what: string, byFit: readonly Judged[], byPrior: readonly Judged[]): void =>
  console.log(`${what}: ${summaryOf(byFit)}; prior weights: ${summaryOf(byPrior)}`);

function summaryOf(pages: readonly Judged[]): string {
  const found = (chance: number): boolean => chance >= minBoundaryChance;
  const right = pages.filter(({ chance, starts }) => found(chance) && starts).length;
  const wrong = pages.filter(({ chance, starts }) => found(chance) !== starts).length;
  const f1 = (2 * right) / (2 * right + wrong);
  const loss = pages.reduce((sum, { chance, starts }) => sum - Math.log(starts ? chance : 1 - chance), 0);
  return `F1 ${f1.toFixed(3)}, ${wrong} of ${pages.length} wrong, mean loss ${(loss / pages.length).toFixed(3)}`;
}

function write([bias, ...weights]: readonly number[], examples: readonly Example[]): void {
  const lines = names.map((name, at) => `  ${name}: ${weights[at]},`);
  writeFileSync(
    join(import.meta.dirname, "../../server/src/engine/classify/boundary-weights.ts"),
    `/**
 * Weights of the features of a boundary between two pages, in logits. Made by
 * \`npm run fit -- boundaries\` from ${examples.length} pairs of pages of joined files.
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
