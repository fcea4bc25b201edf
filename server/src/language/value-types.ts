/**
 * Classifies a printed text by what it is: the name of a person, an address, a code, a label, and
 * so on. The classifier is linear over hashed words, letter n-grams and word shapes.
 * `npm run fit -- value-types` computes its weights, which are in `value-types.bin`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AskType, askTypes } from "./ask-types.ts";
import { cachedByText } from "./cached-by-text.ts";
import { fnvBasis, hashed, rowOfHash } from "./feature-hash.ts";
import { foldLabel } from "./folding.ts";

export const valueTypes = [
  "person",
  "organisation",
  "address",
  "place",
  "job",
  "text",
  "code",
  "date",
  "amount",
  "quantity",
  "percent",
  "number",
  "phone",
  "web",
  "account",
  "duration",
  "time",
  "boolean",
  "sentence",
  "label",
] as const;
export type ValueType = (typeof valueTypes)[number];

/** Number of rows of the table of weights. A row has one weight for each type. */
export const valueTypeRows = 16_384;

/** Only this many UTF-16 units of a text are read. */
const maxLength = 80;
/** Only this many words of a text are read. */
const maxWords = 10;

/** Returns the row index of each feature of a text. An index may occur several times. */
export function valueTypeFeatures(text: string): number[] {
  const words = text.slice(0, maxLength).split(/\s+/).filter(Boolean).slice(0, maxWords);
  const shapes = words.map(shapeOf);
  const rows = [
    rowOf(hashed(String(Math.min(words.length, maxCounted)), of.count)),
    rowOf(hashed(shapes.slice(0, maxShapes).join(" "), of.allShapes)),
    rowOf(hashed(shapes[0] ?? "", of.firstShape)),
    rowOf(hashed(shapes.at(-1) ?? "", of.lastShape)),
  ];
  let before = of.shapePair;
  for (const [at, word] of words.entries()) {
    const shape = shapes[at] ?? "";
    rows.push(rowOf(hashed(shape, of.shape)), rowOf(hashed(shape, before)));
    before = hashed(shape, of.shapePair);
    const plain = plainWord(word);
    if (plain === "") continue;
    rows.push(rowOf(hashed(plain, of.word)));
    if (at === 0) rows.push(rowOf(hashed(plain, of.firstWord)));
    if (at === words.length - 1) rows.push(rowOf(hashed(plain, of.lastWord)));
    if (/\d/.test(plain)) continue;
    for (let from = 0; from + gramLength <= plain.length; from++)
      rows.push(rowOf(hashed(plain, of.gram, from, from + gramLength)));
    rows.push(rowOf(hashed(plain, of.beginning, 0, endLength)));
    rows.push(rowOf(hashed(plain, of.ending, Math.max(0, plain.length - endLength))));
  }
  return rows;
}

/** Length of the letter n-grams of a word, in UTF-16 units. */
const gramLength = 3;
/**
 * Length of the prefix and of the suffix of a word that are used as features, in UTF-16 units. Of a
 * shorter word, the whole word is used.
 */
const endLength = 4;
/** The number of words is a feature. Higher numbers are replaced with this number. */
const maxCounted = 8;
/** The joined shapes of this many words, at the start of a text, are one feature. */
const maxShapes = 6;

/**
 * Folds a word, removes punctuation and symbols before and after it, and replaces all digits by 0.
 */
const plainWord = (word: string): string =>
  foldLabel(word)
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u, "")
    .replace(/\d/g, "0");

/** Only this many UTF-16 units of a word contribute to its shape. */
const maxShaped = 24;
const maxDigits = 5;

/**
 * Returns the shape of a word: "A" for one capital, "AA" for several in a row, "a" for a sequence
 * of lowercase letters, and "0" for each digit, at most `maxDigits` in a row. Currency symbols
 * become "$". All other characters stay as they are.
 */
function shapeOf(word: string): string {
  let shape = "";
  let run = 0;
  let last = "";
  for (const letter of word.slice(0, maxShaped)) {
    const kind = kindOf(letter);
    run = kind === last ? run + 1 : 1;
    last = kind;
    const isRepeated = (kind === "a" && run > 1) || (kind === "A" && run > 2) || (kind === "0" && run > maxDigits);
    if (!isRepeated) shape += kind;
  }
  return shape;
}

function kindOf(letter: string): string {
  if (letter >= "0" && letter <= "9") return "0";
  const lower = letter.toLowerCase();
  if (lower !== letter) return "A";
  if (letter.toUpperCase() !== letter) return "a";
  return /\p{Sc}/u.test(letter) ? "$" : letter;
}

const startOf = (name: string): number => hashed(`${name} `, fnvBasis);
/**
 * Start values of the hashes, one per kind of feature. So a word and an equal n-gram, for example,
 * have different hashes.
 */
const of = {
  count: startOf("count"),
  allShapes: startOf("all"),
  firstShape: startOf("first"),
  lastShape: startOf("last"),
  shape: startOf("shape"),
  shapePair: startOf("pair"),
  word: startOf("word"),
  firstWord: startOf("begins"),
  lastWord: startOf("ends"),
  gram: startOf("gram"),
  beginning: startOf("beginning"),
  ending: startOf("ending"),
};

const rowOf = (hash: number): number => rowOfHash(hash, valueTypeRows);

interface Table {
  values: Int8Array;
  scale: number;
}

let loaded: Table | undefined;

function table(): Table {
  if (loaded === undefined) {
    const bytes = readFileSync(join(import.meta.dirname, "value-types.bin"));
    const size = valueTypeRows * valueTypes.length;
    loaded = { values: new Int8Array(bytes.buffer, bytes.byteOffset, size), scale: bytes.readFloatLE(size) };
  }
  return loaded;
}

/** Maximum number of texts whose probabilities are cached. Each takes 0.1 KB. */
const maxKnown = 10_000;

/** Returns the probabilities of a text in the order of `valueTypes`. */
export const valueTypesOf = cachedByText(maxKnown, (text): Float32Array => {
  const { values, scale } = table();
  const rows = valueTypeFeatures(text);
  const sums = new Int32Array(valueTypes.length);
  for (const row of rows) {
    let at = row * valueTypes.length;
    for (let type = 0; type < valueTypes.length; type++) sums[type] = (sums[type] as number) + (values[at++] as number);
  }
  const factor = scale / Math.sqrt(rows.length);
  return softmaxOf(Float32Array.from(sums, (sum) => sum * factor));
});

export function softmaxOf(logits: Float32Array): Float32Array {
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) highest = Math.max(highest, logit);
  const powers = new Float32Array(logits.length);
  let total = 0;
  for (const [at, logit] of logits.entries()) {
    powers[at] = Math.exp(logit - highest);
    total += powers[at] as number;
  }
  for (let at = 0; at < powers.length; at++) powers[at] = (powers[at] as number) / total;
  return powers;
}

/** For each type that a field can ask for, the types of texts that can be its value. */
const answersOf: Record<AskType, readonly ValueType[]> = {
  amount: ["amount", "number"],
  date: ["date"],
  text: ["text", "job", "sentence", "time", "web", "boolean"],
  quantity: ["quantity", "number"],
  code: ["code", "number"],
  person: ["person"],
  duration: ["duration", "number", "time"],
  boolean: ["boolean"],
  percent: ["percent", "number"],
  number: ["number", "quantity", "amount", "code"],
  organisation: ["organisation"],
  list_item: ["text", "job"],
  place: ["place", "address"],
  phone: ["phone"],
  address: ["address"],
  account: ["account", "code"],
};
const answerIndexes = askTypes.map((type) => answersOf[type].map((answer) => valueTypes.indexOf(answer)));

/**
 * Returns the probability that a text has a type that the field asks for. `asked` contains the
 * probability of each of the `askTypes`.
 */
export function answersType(asked: Float32Array, text: string): number {
  const types = valueTypesOf(text);
  let sum = 0;
  for (const [at, indexes] of answerIndexes.entries())
    for (const index of indexes) sum += (asked[at] as number) * (types[index] as number);
  return sum;
}
