/**
 * `npm run fit -- parties` fits the weights that choose the name of a party, such as the seller,
 * and prints them. Uses this project's own documents and papers-a. `--leave-out` fits without each
 * author in turn and measures on that author's documents. The committed weights are chosen by hand:
 * see decision 0063. Takes about a minute.
 */
import { parseArgs } from "node:util";
import { readAskedFields } from "../../server/src/engine/extract/labels/asked-fields.ts";
import { partyCandidates } from "../../server/src/engine/extract/parties/party-candidates.ts";
import { partyViewOf } from "../../server/src/engine/extract/parties/party-view.ts";
import type { Vote } from "../../server/src/engine/extract/parties/party-votes.ts";
import { partyWeights, type VoteKind } from "../../server/src/engine/extract/parties/party-weights.ts";
import type { Party } from "../../server/src/engine/lexicon/all-concepts.ts";
import { searchCoordinates } from "../coordinate-search.ts";
import { readFirstPapers, withDocuments } from "../papers/fitted-papers.ts";
import { heldOutAuthor } from "../papers/papers.ts";
import { isSame } from "../papers/same-value.ts";

/** A field that asks for the name of a party. */
interface Example {
  author: string;
  party: Party;
  votes: readonly Vote[];
  isRight: (value: unknown) => boolean;
}

const kinds = Object.keys(partyWeights) as VoteKind[];
const prior = kinds.map((kind) => partyWeights[kind]);
/** Weight of the squared distance from the committed weights. Chosen by hand, 2026-11. */
const decay = 0.1;
/** Number of names per field whose scores count in the loss. Chosen by hand, 2026-11. */
const maxNames = 6;

export async function fitParties(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { "leave-out": { type: "boolean" } } });
  const [heldOut, examples] = parted(await readExamples());
  if (!values["leave-out"]) {
    const weights = fit(examples);
    report(`author ${heldOutAuthor}, held out`, [[heldOut, weights]]);
    report("fitted", [[examples, weights]]);
    console.log(Object.fromEntries(kinds.map((kind, at) => [kind, weights[at]])));
    return;
  }
  const leftOut = [...new Set(examples.map(({ author }) => author))].map((author): Judged => {
    const own = examples.filter((example) => example.author === author);
    const weights = fit(examples.filter((example) => example.author !== author));
    report(author, [[own, weights]]);
    return [own, weights];
  });
  report("all, left out", leftOut);
}

/** Returns the examples of the held-out author, and those of all others. */
const parted = (all: readonly Example[]): [Example[], Example[]] => [
  all.filter(({ author }) => author === heldOutAuthor),
  all.filter(({ author }) => author !== heldOutAuthor),
];

async function readExamples(): Promise<Example[]> {
  const examples: Example[] = [];
  for await (const [{ author, params, fields }, document] of withDocuments(readFirstPapers())) {
    const asked = readAskedFields(params);
    const votes = partyViewOf(document, asked).votes();
    for (const { name, party, kind, format } of asked) {
      const expected = fields.get(name) ?? [];
      if (!party || kind !== "name" || format !== "text" || expected[0] == null) continue;
      const isRight = (value: unknown): boolean => expected.some((each) => isSame(String(value), each, "text"));
      examples.push({ author, party, votes, isRight });
    }
  }
  return examples;
}

const fit = (examples: readonly Example[]): number[] =>
  searchCoordinates(prior, (weights) => {
    const distance = weights.reduce((sum, weight, at) => sum + (weight - (prior[at] ?? 0)) ** 2, 0);
    return lossOf(examples, weights) + decay * distance;
  });

const namesOf = ({ party, votes }: Example, weights: readonly number[]) =>
  partyCandidates(
    party,
    votes,
    Object.fromEntries(kinds.map((kind, at) => [kind, weights[at]])) as typeof partyWeights,
  );

/** Returns the mean loss, taking each score as the probability that the name is correct. */
function lossOf(examples: readonly Example[], weights: readonly number[]): number {
  let loss = 0;
  for (const example of examples)
    for (const { value, score } of namesOf(example, weights).slice(0, maxNames)) {
      const bounded = Math.min(0.98, Math.max(0.02, score));
      loss -= Math.log(example.isRight(value) ? bounded : 1 - bounded);
    }
  return loss / examples.length;
}

type Judged = [examples: readonly Example[], weights: readonly number[]];

function report(what: string, judged: readonly Judged[]): void {
  const all = judged.flatMap(([examples]) => examples);
  const right = (byPrior: boolean): number =>
    judged.flatMap(([examples, weights]) =>
      examples.filter((example) => example.isRight(namesOf(example, byPrior ? prior : weights)[0]?.value)),
    ).length;
  const loss = judged.reduce((sum, [examples, weights]) => sum + examples.length * lossOf(examples, weights), 0);
  console.log(
    `${what}: ${right(false)} of ${all.length} first names right, mean loss ${(loss / all.length).toFixed(3)}; ` +
      `by hand: ${right(true)}, ${lossOf(all, prior).toFixed(3)}`,
  );
}
