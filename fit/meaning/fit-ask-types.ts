/**
 * `npm run fit -- ask-types` trains the classifier that determines what type of value a description
 * asks for, and whose value it is. Uses the vectors of all questions and labels of the corpus, so
 * run `npm run fit -- meaning` first. Writes `server/src/language/ask-types.bin`. `--hold 08`
 * trains without one author's part, measures on that part and writes nothing.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { askParties, askTypes } from "../../server/src/language/ask-types.ts";
import { meaningOf } from "../../server/src/language/meaning.ts";
import { meaningDimensions as dimensions } from "../../server/src/language/meaning-features.ts";
import { mulberry32 } from "../random.ts";
import { languages, readConcepts } from "./corpus.ts";

/** Roles of parties that issue documents. */
const senders =
  "sender employer insurer bank carrier authority supplier seller landlord doctor company lender licensor";
/** Roles of parties that receive documents. */
const recipients = "recipient employee customer patient insured tenant buyer guest passenger borrower licensee";

interface Example {
  part: string;
  vector: Float32Array;
  type: number;
  party: number;
}

export function fitAskTypes(args: readonly string[]): void {
  const { values } = parseArgs({ args: [...args], options: { hold: { type: "string" } } });
  const examples = readExamples();
  const kept = examples.filter(({ part }) => part !== values.hold);
  const heads = [
    train(kept, ({ type }) => type, askTypes.length),
    train(kept, ({ party }) => party, askParties.length),
  ];
  if (values.hold === undefined) {
    const bytes = Buffer.concat(heads.map((weights) => Buffer.from(Float32Array.from(weights).buffer)));
    writeFileSync(join(import.meta.dirname, "../../server/src/language/ask-types.bin"), bytes);
    return;
  }
  const held = examples.filter(({ part }) => part === values.hold);
  for (const [at, name] of (["type", "party"] as const).entries()) {
    const right = held.filter((example) => best(heads[at] as Float64Array, example.vector) === example[name]);
    console.log(`${name}: ${right.length} of ${held.length} phrases right`);
  }
}

function readExamples(): Example[] {
  return readConcepts().flatMap(({ part, asks, labels, type, party }) => {
    const target = { part, type: askTypes.indexOf(type as (typeof askTypes)[number]), party: partyOf(party) };
    if (target.type < 0) return [];
    const phrases = languages.flatMap((language) => [...asks[language], ...labels[language]]);
    return phrases.flatMap((phrase) => {
      const vector = meaningOf(phrase);
      return vector ? [{ ...target, vector }] : [];
    });
  });
}

function partyOf(party: string): number {
  if (party === "") return askParties.indexOf("nobody");
  if (senders.split(" ").includes(party)) return askParties.indexOf("sender");
  return askParties.indexOf(recipients.split(" ").includes(party) ? "recipient" : "other");
}

const epochs = 6;
const learningRate = 0.15;
/** Learning rate of the bias, as a share of the learning rate of the weights. */
const ofBias = 0.3;
const decay = 1e-5;

/**
 * Trains a multinomial logistic regression by stochastic gradient descent (Adagrad, which has a
 * step size per weight).
 */
function train(examples: readonly Example[], classOf: (example: Example) => number, classes: number): Float64Array {
  const random = mulberry32(1);
  const width = dimensions + 1;
  const weights = new Float64Array(classes * width);
  const squares = new Float64Array(classes * width).fill(1e-6);
  for (let step = 0; step < epochs * examples.length; step++) {
    const example = examples[Math.floor(random() * examples.length)] as Example;
    const probabilities = softmax(weights, example.vector, classes);
    for (const [at, probability] of probabilities.entries()) {
      const error = probability - (at === classOf(example) ? 1 : 0);
      for (let d = 0; d < width; d++) {
        const index = at * width + d;
        const gradient = error * (d < dimensions ? (example.vector[d] ?? 0) : ofBias) + decay * (weights[index] ?? 0);
        squares[index] = (squares[index] ?? 0) + gradient * gradient;
        weights[index] = (weights[index] ?? 0) - (learningRate * gradient) / Math.sqrt(squares[index] ?? 1);
      }
    }
  }
  return weights;
}

function logitsOf(weights: Float64Array, vector: Float32Array, classes: number): number[] {
  return Array.from({ length: classes }, (_, at) => {
    const from = at * (dimensions + 1);
    let sum = weights[from + dimensions] ?? 0;
    for (let d = 0; d < dimensions; d++) sum += (weights[from + d] ?? 0) * (vector[d] ?? 0);
    return sum;
  });
}

function softmax(weights: Float64Array, vector: Float32Array, classes: number): number[] {
  const logits = logitsOf(weights, vector, classes);
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

function best(weights: Float64Array, vector: Float32Array): number {
  const logits = logitsOf(weights, vector, weights.length / (dimensions + 1));
  return logits.indexOf(Math.max(...logits));
}
