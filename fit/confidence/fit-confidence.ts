/**
 * `npm run fit -- confidence` fits the function that computes the confidence of values that the
 * rules find, and prints its weights. Uses the values that the rules rank first on this project's
 * own documents and on papers-a. `--leave-out` fits without each author in turn and measures on
 * that author's documents. The committed weights were fitted to other documents: see decision 0063.
 * Takes half a minute.
 */
import { parseArgs } from "node:util";
import { binsOf, calibrationError } from "../../bench/quality/calibration.ts";
import { featuresOf, isFormless } from "../../server/src/engine/extract/candidates/confidence.ts";
import { confidenceWeights } from "../../server/src/engine/extract/candidates/confidence-weights.ts";
import { readAskedFields } from "../../server/src/engine/extract/labels/asked-fields.ts";
import { logitOf } from "../../server/src/engine/extract/lists/logit.ts";
import { partyViewOf } from "../../server/src/engine/extract/parties/party-view.ts";
import { rankByRules } from "../../server/src/engine/extract/ranking/rank-by-rules.ts";
import { fitChoices, type Sign } from "../choices.ts";
import { readFirstPapers, withDocuments } from "../papers/fitted-papers.ts";
import { heldOutAuthor } from "../papers/papers.ts";
import { isSame } from "../papers/same-value.ts";

/** The value that the rules rank first for a field. */
interface Example {
  author: string;
  features: readonly number[];
  right: boolean;
}

const names = Object.keys(confidenceWeights);
const committed = Object.values(confidenceWeights);
const signs = committed.map((weight, at): Sign => (at === 0 ? "any" : weight < 0 ? "negative" : "positive"));
/** Weight of the squared distance from 0. Chosen by hand, 2026-11. */
const decay = 0.001;
/** Number of bins, of equal width, for the calibration error. */
const bins = 10;

export async function fitConfidence(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { "leave-out": { type: "boolean" } } });
  const [heldOut, examples] = parted(await readExamples());
  if (!values["leave-out"]) {
    const weights = fit(examples);
    report(`author ${heldOutAuthor}, held out`, heldOut, judged(heldOut, weights));
    report("fitted", examples, judged(examples, weights));
    console.log(Object.fromEntries(names.map((name, at) => [name, weights[at]])));
    return;
  }
  const leftOut = [...new Set(examples.map(({ author }) => author))].flatMap((author) => {
    const own = examples.filter((example) => example.author === author);
    const judgedOwn = judged(own, fit(examples.filter((example) => example.author !== author)));
    report(author, own, judgedOwn);
    return judgedOwn;
  });
  report("all, left out", examples, leftOut);
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
    for (const { query, candidates } of rankByRules(asked, partyViewOf(document, asked))) {
      const [best] = candidates;
      const expected = fields.get(query.name);
      if (!best || !expected) continue;
      const key = (value: unknown): string => String(value).toLowerCase();
      const runnerUp = candidates.find(({ value }) => key(value) !== key(best.value))?.score ?? 0;
      const confirmed = "confirmed" in best && best.confirmed === true;
      const recognized = document.pages[best.page]?.source === "ocr";
      const sureness = { score: best.score, runnerUp, confirmed, recognized, formless: isFormless(query.kind) };
      const right = expected.some((each) => isSame(best.value, each, query.format));
      examples.push({ author, features: featuresOf(sureness), right });
    }
  }
  return examples;
}

const fit = (examples: readonly Example[]): number[] =>
  fitChoices(
    examples.map(({ features, right }) => ({ options: [features], right: right ? [0] : [] })),
    signs,
    decay,
  );

interface Judged {
  confidence: number;
  right: boolean;
}

const judged = (examples: readonly Example[], weights: readonly number[]): Judged[] =>
  examples.map(({ features, right }) => ({ confidence: 1 / (1 + Math.exp(-logitOf(features, weights))), right }));

function report(what: string, examples: readonly Example[], byFit: readonly Judged[]): void {
  console.log(`${what}: ${summaryOf(byFit)}; committed: ${summaryOf(judged(examples, committed))}`);
}

function summaryOf(values: readonly Judged[]): string {
  const loss = values.reduce((sum, { confidence, right }) => sum - Math.log(right ? confidence : 1 - confidence), 0);
  const right = values.filter((value) => value.right).length;
  const error = calibrationError(binsOf(values, bins));
  return (
    `${right} of ${values.length} right, mean loss ${(loss / values.length).toFixed(3)}, ` +
    `calibration error ${error.toFixed(3)}`
  );
}
