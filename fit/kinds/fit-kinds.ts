/**
 * `npm run fit -- kinds` fits the weights that recognize the kind of a document, and prints them.
 * Uses this project's own documents and papers-a. `--leave-out` fits without each author in turn
 * and measures on that author's documents. The committed weights are chosen by hand: see decision
 * 0063.
 */
import { parseArgs } from "node:util";
import { lookScores } from "../../server/src/engine/classify/appearance.ts";
import { namedKinds, pageEvidence } from "../../server/src/engine/classify/kind-scores.ts";
import { kindWeights, titleWeights } from "../../server/src/engine/classify/kind-weights.ts";
import { factsOf, type ReadPage } from "../../server/src/engine/classify/page-facts.ts";
import { stemsOf } from "../../server/src/engine/classify/phrases.ts";
import { searchCoordinates } from "../coordinate-search.ts";
import { readFirstPapers, withDocuments } from "../papers/fitted-papers.ts";
import { heldOutAuthor } from "../papers/papers.ts";

/** The first page of a document. */
interface Example {
  author: string;
  /**
   * Indexes of the correct kinds: those that the lexicon finds in the name of the document's kind.
   */
  right: ReadonlySet<number>;
  page: ReadPage;
  looks: Float64Array;
}

type Group = Record<string, number>;

/**
 * Weights that are not fitted. `strongCue` and `weakCue` are weights of phrases, which cannot
 * change after the lexicon was read. `leastStrength` only prevents a division by 0.
 */
const fixed = new Set(["strongCue", "weakCue", "leastStrength"]);
const groups: readonly Group[] = [kindWeights, titleWeights];
const fitted = groups.flatMap((group) =>
  Object.keys(group).flatMap((name) => (fixed.has(name) ? [] : [{ group, name }])),
);
const prior = fitted.map(({ group, name }) => group[name] ?? 0);
/**
 * Initial shares. Weights are fitted as shares of twice their prior, so a share of 0.5 is the
 * prior.
 */
const start = prior.map(() => 0.5);
/**
 * Strength of the regularization: factor of the squared distance of the shares from their initial
 * values. Chosen by hand, 2026-11.
 */
const decay = 0.3;

export async function fitKinds(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { "leave-out": { type: "boolean" } } });
  const all = await readExamples();
  const heldOut = all.filter(({ author }) => author === heldOutAuthor);
  const examples = all.filter(({ author }) => author !== heldOutAuthor);
  if (!values["leave-out"]) {
    const shares = fit(examples);
    report(`author ${heldOutAuthor}, held out`, [[heldOut, shares]]);
    report("fitted", [[examples, shares]]);
    console.log(Object.fromEntries(fitted.map(({ name }, at) => [name, weightAt(shares, at)])));
    return;
  }
  const leftOut = [...new Set(examples.map(({ author }) => author))].map((author): Judged => {
    const own = examples.filter((example) => example.author === author);
    const shares = fit(examples.filter((example) => example.author !== author));
    report(author, [[own, shares]]);
    return [own, shares];
  });
  report("all, left out", leftOut);
}

async function readExamples(): Promise<Example[]> {
  const examples: Example[] = [];
  for await (const [{ author, kind }, document] of withDocuments(readFirstPapers())) {
    const [first] = document.pages;
    const right = new Set(namedKinds(stemsOf(kind)).map(({ value }) => value));
    if (!first || right.size === 0) continue;
    const page = factsOf(first);
    examples.push({ author, right, page, looks: lookScores(page.facts) });
  }
  return examples;
}

const weightAt = (shares: readonly number[], at: number): number =>
  Number(((shares[at] ?? 0) * 2 * (prior[at] ?? 0)).toFixed(3));

/** Sets the weights in the objects that the engine also uses. */
function setWeights(shares: readonly number[]): void {
  for (const [at, { group, name }] of fitted.entries()) group[name] = weightAt(shares, at);
}

const fit = (examples: readonly Example[]): number[] =>
  searchCoordinates(start, (shares) => {
    const distance = shares.reduce((sum, share) => sum + (share - 0.5) ** 2, 0);
    return measured(examples, shares).loss + decay * distance;
  });

/**
 * Returns the number of documents whose best kind is correct, and the mean loss (softmax over the
 * scores).
 */
function measured(examples: readonly Example[], shares: readonly number[]): { right: number; loss: number } {
  setWeights(shares);
  let [right, loss] = [0, 0];
  for (const { right: kinds, page, looks } of examples) {
    const { scores } = pageEvidence(page.layout, page.style);
    const powers = scores.map((score, kind) => Math.exp(score + (looks[kind] ?? 0)));
    const most = Math.max(...powers);
    if (kinds.has(powers.indexOf(most))) right++;
    const own = [...kinds].reduce((sum, kind) => sum + (powers[kind] ?? 0), 0);
    loss -= Math.log(own / powers.reduce((sum, power) => sum + power, 0));
  }
  setWeights(start);
  return { right, loss: loss / Math.max(1, examples.length) };
}

type Judged = [examples: readonly Example[], shares: readonly number[]];

function report(what: string, judged: readonly Judged[]): void {
  const sumOf = (byHand: boolean): { right: number; loss: number; count: number } =>
    judged
      .map(([examples, shares]) => ({ ...measured(examples, byHand ? start : shares), count: examples.length }))
      .reduce((sum, { right, loss, count }) => ({
        right: sum.right + right,
        loss: (sum.loss * sum.count + loss * count) / (sum.count + count),
        count: sum.count + count,
      }));
  const [fit, hand] = [sumOf(false), sumOf(true)];
  console.log(
    `${what}: ${fit.right} of ${fit.count} kinds right, mean loss ${fit.loss.toFixed(3)}; ` +
      `by hand: ${hand.right}, ${hand.loss.toFixed(3)}`,
  );
}
