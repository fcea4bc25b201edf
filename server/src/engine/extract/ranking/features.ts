/** Describes how well each value of the pool fits a field, in numbers for the forest. */
import { askParties, askTypes } from "../../../language/ask-types.ts";
import type { TextRun } from "../../page/text-runs.ts";
import type { Candidate } from "../candidates/find-candidates.ts";
import type { PartyView } from "../parties/party-view.ts";
import { type ComparedField, type ContextSimilarity, type ContextTexts, relations } from "./context-similarity.ts";
import type { PoolValue } from "./pool-value.ts";
import { type DocumentFacts, factsOf, valueFeatureNames, valueFeatures } from "./value-features.ts";

const formats = ["number", "date", "text", "boolean"] as const;

/** Features of the field alone. */
const fieldFeatureNames: readonly string[] = [
  ...formats.map((format) => `format ${format}`),
  ...askTypes.map((type) => `asks ${type}`),
  ...askParties.map((party) => `asks of ${party}`),
];

/** Features of a field and a value. A lead is the difference to the best value of the document. */
const pairFeatureNames: readonly string[] = [
  ...["asked kind", "rule score", "rule lead", "rule first"],
  ...relations.flatMap((relation) => [`meaning ${relation}`, `words ${relation}`]),
  ...[
    "best meaning",
    "best meaning lead",
    "best concepts",
    "best concepts lead",
    "best words",
    "best words lead",
    "best factor",
    "meaning of name",
  ],
  ...[
    "meaning of sentence",
    "sentence lead",
    "words of sentence",
    "meaning of section",
    "meaning of value",
    "value lead",
  ],
  ...["rival label", "rival concepts", "label type", "label length"],
];

export const featureNames: readonly string[] = [...fieldFeatureNames, ...valueFeatureNames, ...pairFeatureNames];

/** A value that may fill a field, with its features in the order of `featureNames`. */
export interface DescribedValue {
  value: PoolValue;
  row: Float32Array;
}

/**
 * Values that are described: those whose texts are most similar to the field, and some at the top
 * of the first page, where names and dates have no label. With four times as many F1 is the same.
 * Chosen on papers-a and our own papers, 2026-11.
 */
const maxSimilar = 40;
const maxAtTop = 20;
/** Rows at the top of the first page. Chosen by hand, 2026-11. */
const topRows = 14;

interface RatedValue {
  value: PoolValue;
  similar: ContextSimilarity;
  /** Score by the rules. */
  score: number;
  priority: number;
}

/** Greatest similarity and score of any value for a field. */
interface BestOfField {
  meaning: number;
  concepts: number;
  words: number;
  sentence: number;
  value: number;
  score: number;
}

/** Returns how worthwhile it is to describe a value. Factors chosen by hand, 2026-11. */
const priorityOf = ({ bestMeaning, bestWords, sentence, value }: ContextSimilarity, score: number): number =>
  Math.max(1.3 * score, bestMeaning, bestWords, 0.8 * sentence, 0.6 * value);

/** Makes the features of a document's fields and values. */
export class FeatureMaker {
  readonly #view: PartyView;
  readonly #texts: ContextTexts;
  readonly #ofValue = new Map<PoolValue, Float32Array>();
  #facts: DocumentFacts | undefined;

  constructor(view: PartyView, texts: ContextTexts) {
    this.#view = view;
    this.#texts = texts;
  }

  /**
   * Returns the values that may be right, described.
   * @param byRules candidates of the field by the rules, best first
   */
  describe(compared: ComparedField, values: readonly PoolValue[], byRules: readonly Candidate[]): DescribedValue[] {
    const rated = this.#rated(compared, values, byRules);
    const best: BestOfField = {
      meaning: greatest(rated, (similar) => similar.bestMeaning),
      concepts: 0,
      words: greatest(rated, (similar) => similar.bestWords),
      sentence: greatest(rated, (similar) => similar.sentence),
      value: greatest(rated, (similar) => similar.value),
      score: byRules[0]?.score ?? 0,
    };
    rated.sort((a, b) => b.priority - a.priority);
    const others = rated.slice(maxSimilar);
    const atTop = others.filter(({ value: { run, lines } }) => run.page === 0 && run.row < topRows && lines === 1);
    atTop.sort((a, b) => a.value.run.row - b.value.run.row);
    const ofField = fieldFeatures(compared);
    const described = [...rated.slice(0, maxSimilar), ...atTop.slice(0, maxAtTop)];
    for (const { value } of described) best.concepts = Math.max(best.concepts, this.#texts.byConcepts(compared, value));
    return described.map((each) => {
      const row = new Float32Array(featureNames.length);
      row.set(ofField, 0);
      row.set(this.#featuresOf(each.value), fieldFeatureNames.length);
      row.set(this.#pairFeatures(compared, each, best), fieldFeatureNames.length + valueFeatureNames.length);
      return { value: each.value, row };
    });
  }

  #rated(compared: ComparedField, values: readonly PoolValue[], byRules: readonly Candidate[]): RatedValue[] {
    const scores = scoresOf(byRules);
    return values.map((value) => {
      const similar = this.#texts.similarityOf(compared, value);
      const score = scores.size === 0 ? 0 : (scores.get(keyOf(value.run, value.words, value.value)) ?? 0);
      return { value, similar, score, priority: priorityOf(similar, score) };
    });
  }

  #pairFeatures(compared: ComparedField, { value, similar, score }: RatedValue, best: BestOfField): number[] {
    const { bestMeaning, bestWords, sentence, value: own, label } = similar;
    const texts = this.#texts;
    const concepts = texts.byConcepts(compared, value);
    return [
      ...[
        Number(value.kind === compared.field.kind),
        score,
        score - best.score,
        Number(score > 0 && score === best.score),
      ],
      ...texts.byRelation(compared, value),
      ...[bestMeaning, bestMeaning - best.meaning, concepts, concepts - best.concepts],
      ...[bestWords, bestWords - best.words],
      ...[similar.factor, similar.ofName, sentence, sentence - best.sentence],
      ...[texts.wordsOfSentence(compared.field, value.sentence), texts.ofSection(compared, value)],
      ...[own, own - best.value, texts.ofRival(compared, label) - bestMeaning],
      texts.ofRivalConcepts(compared, label) - concepts,
      ...[texts.typesShared(compared, label), texts.lengthOf(label)],
    ];
  }

  #featuresOf(value: PoolValue): Float32Array {
    let known = this.#ofValue.get(value);
    if (known === undefined) {
      this.#facts ??= factsOf(this.#view);
      known = valueFeatures(value, this.#facts);
      this.#ofValue.set(value, known);
    }
    return known;
  }
}

const fieldFeatures = ({ field, types: { types, parties } }: ComparedField): number[] => [
  ...formats.map((format) => Number(field.format === format)),
  ...types,
  ...parties,
];

const greatest = (rated: readonly RatedValue[], of: (similar: ContextSimilarity) => number): number =>
  rated.reduce((most, { similar }) => Math.max(most, of(similar)), 0);

const keyOf = (run: TextRun, words: readonly number[], value: unknown): string =>
  `${run.page} ${words[0] ?? -1} ${String(value).toLowerCase()}`;

/** Returns the best score of each value by the rules. */
function scoresOf(byRules: readonly Candidate[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { run, words, value, score } of byRules) {
    const key = keyOf(run, words, value);
    scores.set(key, Math.max(scores.get(key) ?? 0, score));
  }
  return scores;
}
