/**
 * Chooses the answer from the facts of the documents and the quotes of the passages, or decides
 * that none of them is the answer. A forest of decision trees rates each fact and quote. `npm run
 * fit -- answers` writes the forest to `answers.bin`.
 */
import { join } from "node:path";
import { meaningOf, similarity } from "../../language/meaning.ts";
import { chancesOf } from "../extract/ranking/chances.ts";
import { maxLabel } from "../extract/ranking/context-similarity.ts";
import { type Forest, logitOf, readForest } from "../extract/ranking/forest.ts";
import type { Analysis } from "./analyze-question.ts";
import type { Signs } from "./answer-chance.ts";
import type { RatedDocument } from "./documents-to-read.ts";
import { factFeatureNames } from "./fact-features.ts";

const signNames = [
  ...(["own", "held", "exact", "close", "type", "density", "nowhere"] as const),
  ...(["lacking", "negated", "opposite", "ahead", "terms"] as const),
] satisfies readonly (keyof Signs)[];

const documentFeatureNames = ["share", "lead", "retrieval", "numbers"].map((name) => `${name} of document`);

const quoteFeatureNames: readonly string[] = [
  ...["is quote", ...signNames.map((name) => `${name} of quote`), "chance of quote", "share of quote"],
  ...["met by quote", "met before quote", "meaning of quote", "meaning of label in quote", "is line", "is joined"],
  ...["lead of met", "lead of meaning of quote", "words of quote"],
];

const askedKinds = ["person", "time", "count", "money", "place", "which", "reason", "manner", "yesno", "none"] as const;
const askedTypes = ["time", "number", "money", "percent", "person", "place", "name"] as const;
const questionFeatureNames = [
  ...askedKinds.map((kind) => `asks kind ${kind}`),
  ...askedTypes.map((type) => `asks type ${type}`),
  // Share of sentences among the units of the passages. It is higher in articles than in business
  // documents.
  "sentences in passages",
];

/**
 * Names of all features: of the question, of a fact, of the document that contains the fact or
 * quote, and of a quote.
 */
export const choiceFeatureNames: readonly string[] = [
  ...questionFeatureNames,
  ...factFeatureNames,
  ...documentFeatureNames,
  ...quoteFeatureNames,
];

const factAt = questionFeatureNames.length;
const documentAt = factAt + factFeatureNames.length;
const quoteAt = documentAt + documentFeatureNames.length;
const metAt = choiceFeatureNames.indexOf("met by quote");
const meaningAt = choiceFeatureNames.indexOf("meaning of quote");
const leadOfMetAt = choiceFeatureNames.indexOf("lead of met");
const leadOfMeaningAt = choiceFeatureNames.indexOf("lead of meaning of quote");

/** One or more quotes that together may be the answer. */
export interface QuotedAnswer {
  /** Index of the passage of the best quote. */
  passage: number;
  text: string;
  signs: Signs;
  /** Probability that the quotes answer the question, computed from `signs` alone. */
  chance: number;
  /** Probability that the unit holds the answer, given that one of the units does. */
  share: number;
  /**
   * Shares of the question terms that are in the unit (`met`), and in the unit before it
   * (`metBefore`). Terms count by weight, and names do not count.
   */
  met: number;
  metBefore: number;
  isLine: boolean;
  /** True for quotes of several units. */
  isJoined: boolean;
}

/**
 * Only this many UTF-16 code units of a quote are compared with the question by meaning. Chosen by
 * hand, 2026-11.
 */
const maxCompared = 200;

export class ChoiceFeatures {
  readonly #rated: readonly RatedDocument[];
  readonly #vectors: readonly (Float32Array | undefined)[];
  readonly #ofQuestion: readonly number[];

  /**
   * @param description the question without names
   * @param sentences share of sentences among the units of the passages, 0 to 1
   */
  constructor(
    { kind, type }: Pick<Analysis, "kind" | "type">,
    rated: readonly RatedDocument[],
    description: string,
    sentences: number,
  ) {
    this.#ofQuestion = [
      ...askedKinds.map((each) => Number(each === kind)),
      ...askedTypes.map((each) => Number(each === type)),
      sentences,
    ];
    this.#rated = rated;
    this.#vectors = [meaningOf(description)];
  }

  ofFact(passage: number, features: Float32Array): Float32Array {
    const row = this.#start(passage);
    row.set(features, factAt);
    return row;
  }

  ofQuote({ passage, text, signs, chance, share, met, metBefore, isLine, isJoined }: QuotedAnswer): Float32Array {
    const row = this.#start(passage);
    const label = text.slice(0, Math.max(0, text.search(/\p{Nd}|:/u)));
    row.set(
      [
        ...[1, ...signNames.map((name) => signs[name]), chance, share, met, metBefore],
        ...[similarity(text.slice(0, maxCompared), this.#vectors), similarity(label.slice(-maxLabel), this.#vectors)],
        ...[Number(isLine), Number(isJoined), 0, 0, Math.min(1, text.length / 300)],
      ],
      quoteAt,
    );
    return row;
  }

  /**
   * Writes the lead features of each quote. A lead is the value of a feature for this quote minus
   * the greatest value of that feature among all quotes.
   */
  writeLeads(rows: readonly Float32Array[]): void {
    for (const [at, lead] of [
      [metAt, leadOfMetAt],
      [meaningAt, leadOfMeaningAt],
    ] as const) {
      const most = rows.reduce((greatest, row) => Math.max(greatest, row[at] ?? 0), 0);
      for (const row of rows) row[lead] = (row[at] ?? 0) - most;
    }
  }

  #start(passage: number): Float32Array {
    const row = new Float32Array(choiceFeatureNames.length);
    row.set(this.#ofQuestion);
    const document = this.#rated.find(({ passages }) => passages.includes(passage));
    if (document) row.set([document.share, document.lead, document.retrieval, document.numbers], documentAt);
    return row;
  }
}

let loaded: Forest | undefined;

function answersForest(): Forest {
  loaded ??= readForest(join(import.meta.dirname, "answers.bin"));
  return loaded;
}

export interface Chosen {
  /** Index of the most probable offer. */
  index: number;
  /**
   * Probability that the offer is correct, 0 to 1. It includes the probabilities of offers whose
   * words contain, or are contained in, the words of this offer. "£1,085" supports "£1,085 per
   * month".
   */
  confidence: number;
}

/**
 * Returns the most probable offer, or undefined if there are no offers. The probabilities come from
 * a softmax over all offers and "no answer".
 */
export function chooseOffer(offers: readonly { text: string; row: Float32Array }[]): Chosen | undefined {
  const trees = answersForest();
  const chances = chancesOf(
    offers.map(({ text }) => text),
    offers.map(({ row }) => logitOf(trees, row)),
  );
  const first = chances.indexOf(Math.max(0, ...chances));
  const index = dominating(offers, first, chances);
  const best = offers[index];
  if (best === undefined) return undefined;
  const own = wordsOfText(best.text);
  let confidence = Math.max(chances[first] ?? 0, chances[index] ?? 0);
  for (const [at, { text }] of offers.entries()) {
    const other = wordsOfText(text);
    // Adds the probabilities of offers whose words contain, or are contained in, those of the best
    // offer.
    if (other !== own && (other.includes(own) || own.includes(other))) confidence += chances[at] ?? 0;
  }
  return { index, confidence: Math.min(1, confidence) };
}

/**
 * Features that say how much of the question occurs in a fact's row, labels and sentence. If all
 * other features are equal, a higher value is better.
 */
const sharedNames: readonly string[] = [
  ...["row", "column", "label", "sentence", "section", "near", "row and column"],
  ...["asked in row", "asked in column", "asked in label", "asked in sentence", "asked near"],
  ...["key asked", "column asked", "label asked"],
  ...["lead of row", "lead of near", "lead of all in row", "lead of key"],
];
const isShared = choiceFeatureNames.map((name, at) => at >= factAt && at < documentAt && sharedNames.includes(name));

/**
 * Returns the index of a better offer: one that matches more of the question than the given offer
 * and is equal in all other features. If there are several, returns the most probable one. If there
 * are none, returns `index`. The forest alone may prefer a weaker match. For example, for a question
 * about 2019 it may choose the same fact about 2018.
 */
function dominating(offers: readonly { row: Float32Array }[], index: number, chances: readonly number[]): number {
  const row = offers[index]?.row;
  if (row === undefined) return index;
  const better = [...offers.keys()].filter((at) => {
    const other = offers[at]?.row;
    return (
      at !== index &&
      other?.every((value, d) => (isShared[d] ? value >= (row[d] as number) : value === row[d])) === true &&
      other.some((value, d) => value > (row[d] as number))
    );
  });
  return better.reduce((most, at) => ((chances[at] ?? 0) > (chances[most] ?? 0) ? at : most), better[0] ?? index);
}

/** Returns the words with a space around each, so that a search finds whole words only. */
const wordsOfText = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
