/**
 * `npm run fit -- value-types` trains the classifier of printed texts, and writes
 * `server/src/language/value-types.bin`. It learns from the values, labels and sentences of the
 * corpus in `fit/meaning`, and from names and addresses that faker invents for each country.
 * `--hold 08` trains without one author's part, measures on that part and writes nothing.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  softmaxOf,
  type ValueType,
  valueTypeFeatures,
  valueTypeRows,
  valueTypes,
} from "../../server/src/language/value-types.ts";
import { languages, readConcepts } from "../meaning/corpus.ts";
import { mulberry32 } from "../random.ts";
import { inventedValues } from "./invented-values.ts";

interface Example {
  part: string;
  text: string;
  rows: readonly number[];
  type: number;
}

export function fitValueTypes(args: readonly string[]): void {
  const { values } = parseArgs({ args: [...args], options: { hold: { type: "string" } } });
  const examples = [...fromCorpus(), ...fromFaker()];
  const weights = train(examples.filter(({ part }) => part !== values.hold));
  if (values.hold === undefined)
    writeFileSync(join(import.meta.dirname, "../../server/src/language/value-types.bin"), toBytes(weights));
  else
    report(
      examples.filter(({ part }) => part === values.hold),
      weights,
    );
}

/** Types of the corpus whose values have a different type in this classifier. */
const renamed: Readonly<Record<string, ValueType>> = { list_item: "text", unit: "text", currency: "text" };

function fromCorpus(): Example[] {
  return readConcepts().flatMap(({ part, type, values, labels, sentences }) => {
    const own = (renamed[type] ?? type) as ValueType;
    const typed = values.map((text): [string, ValueType] => [text, own]);
    const label = languages.flatMap((language) =>
      labels[language].slice(0, 2).map((text): [string, ValueType] => [text, "label"]),
    );
    const sentence = languages.flatMap((language) =>
      (sentences[language] ?? []).slice(0, 1).map((text): [string, ValueType] => [text.trim(), "sentence"]),
    );
    return [...typed, ...label, ...sentence].flatMap(([text, name]) => exampleOf(part, text, name));
  });
}

const fromFaker = (): Example[] => inventedValues().flatMap(([text, type]) => exampleOf("faker", text, type));

function exampleOf(part: string, text: string, name: ValueType): Example[] {
  const type = valueTypes.indexOf(name);
  return type < 0 || text === "" ? [] : [{ part, text, rows: valueTypeFeatures(text), type }];
}

const epochs = 12;
const learningRate = 0.25;
const decay = 2e-6;

/** Trains a multinomial logistic regression by stochastic gradient descent (Adagrad). */
function train(examples: readonly Example[]): Float32Array {
  const random = mulberry32(1);
  const width = valueTypes.length;
  const weights = new Float32Array(valueTypeRows * width);
  const squares = new Float32Array(weights.length).fill(1e-4);
  const byType = valueTypes.map((_, type) => examples.filter((example) => example.type === type));
  const total = examples.length * epochs;
  for (let step = 0; step < total; step++) {
    // Half of the examples are drawn evenly from all types, so that rare types are learned too.
    const from = random() < 0.5 ? examples : (byType[Math.floor(random() * width)] ?? examples);
    const example = from[Math.floor(random() * from.length)];
    if (!example) continue;
    const factor = 1 / Math.sqrt(example.rows.length);
    const rate = learningRate * (1 - (0.9 * step) / total);
    const errors = softmaxOf(logitsOf(weights, example.rows));
    errors[example.type] = (errors[example.type] ?? 0) - 1;
    for (const row of example.rows)
      for (let type = 0; type < width; type++) {
        const at = row * width + type;
        const gradient = (errors[type] as number) * factor + decay * (weights[at] as number);
        squares[at] = (squares[at] as number) + gradient * gradient;
        weights[at] = (weights[at] as number) - (rate * gradient) / Math.sqrt(squares[at] as number);
      }
  }
  return weights;
}

function logitsOf(weights: Float32Array, rows: readonly number[]): Float32Array {
  const logits = new Float32Array(valueTypes.length);
  const factor = 1 / Math.sqrt(rows.length);
  for (const row of rows)
    for (let type = 0; type < logits.length; type++)
      logits[type] = (logits[type] as number) + factor * (weights[row * logits.length + type] as number);
  return logits;
}

/** Returns the weights as signed bytes, then their scale as a little-endian float. */
function toBytes(weights: Float32Array): Buffer {
  const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Buffer.alloc(weights.length + 4);
  for (const [at, weight] of weights.entries()) bytes.writeInt8(Math.round(weight / scale), at);
  bytes.writeFloatLE(scale, weights.length);
  return bytes;
}

function report(held: readonly Example[], weights: Float32Array): void {
  const results = held.map((example) => {
    const logits = logitsOf(weights, example.rows);
    return { ...example, given: logits.indexOf(Math.max(...logits)) };
  });
  for (const [type, name] of valueTypes.entries()) {
    const own = results.filter((each) => each.type === type);
    const right = own.filter((each) => each.given === type).length;
    const wrong = own.filter((each) => each.given !== type).slice(0, 6);
    console.log(
      `${name}: ${right} of ${own.length} right`,
      wrong.map(({ text, given }) => `${text} → ${valueTypes[given]}`).join(" | "),
    );
  }
}
