/** Computes the features from which the forest judges how well a value fits a field. */
import { askParties, askTypes } from "../../../language/ask-types.ts";
import { answersType } from "../../../language/value-types.ts";
import type { Candidate } from "../candidates/find-candidates.ts";
import type { PartyView } from "../parties/party-view.ts";
import { type ComparedField, type ContextSimilarity, type ContextTexts, relations } from "./context-similarity.ts";
import type { PoolValue } from "./pool-value.ts";
import { type DocumentFacts, factsOf, printedOf, valueFeatureNames, valueFeatures } from "./value-features.ts";
import { hasForm } from "./values-for-field.ts";

const formats = ["number", "date", "text", "boolean"] as const;

/** Features that depend only on the field. */
const fieldFeatureNames: readonly string[] = [
  ...formats.map((format) => `format ${format}`),
  ...askTypes.map((type) => `asks ${type}`),
  ...askParties.map((party) => `asks of ${party}`),
  "asks sign",
];

/**
 * Features of a field together with a value. A "lead" is this value's score minus the best score of
 * all values in the document.
 */
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
  ...["answers type", "answers type lead", "has form"],
];

export const featureNames: readonly string[] = [...fieldFeatureNames, ...valueFeatureNames, ...pairFeatureNames];

const pairFeaturesAt = fieldFeatureNames.length + valueFeatureNames.length;

/** A value that may fill a field, with its features in the order of `featureNames`. */
export interface DescribedValue {
  value: PoolValue;
  row: Float32Array;
}

/**
 * Features are computed for at most this many of the values whose texts and types fit the field
 * best. F1 is the same with four times as many. Chosen on papers-a and our own documents, 2026-11.
 */
const maxSimilar = 40;
/**
 * Features are also computed for at most this many values at the top of the first page, where names
 * and dates have no label. F1 is the same with four times as many. Chosen on papers-a and our own
 * documents, 2026-11.
 */
const maxAtTop = 20;
/** Number of rows that count as the top of the first page. Chosen by hand, 2026-11. */
const topRows = 14;

interface RatedValue {
  value: PoolValue;
  similar: ContextSimilarity;
  /** Score that the rules give to the value. */
  score: number;
  /** Probability that the text is of the type that the field asks for. */
  type: number;
  priority: number;
}

/** The greatest similarities to the field, and the greatest scores, of any value. */
interface BestOfField {
  meaning: number;
  concepts: number;
  words: number;
  sentence: number;
  value: number;
  score: number;
  type: number;
}

/**
 * Factors for the scores and similarities that decide for which values the features are computed.
 * The similarities by meaning and by words have the factor 1. `type` is for the probability that
 * the value is of the type that the field asks for. Chosen by hand, 2026-11.
 */
const worth = { score: 1.3, sentence: 0.8, value: 0.6, type: 0.5 };

/**
 * Returns the priority of a value: the greatest of its scores and similarities, each multiplied by
 * its factor, plus its type probability, also multiplied by its factor. Features are computed for
 * the values with the highest priority.
 */
const priorityOf = (
  { bestMeaning, bestWords, sentence, value }: ContextSimilarity,
  score: number,
  type: number,
): number =>
  Math.max(worth.score * score, bestMeaning, bestWords, worth.sentence * sentence, worth.value * value) +
  worth.type * type;

/** Computes features for the fields and values of a document. */
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
   * Returns the values with the highest priority, with their features.
   * @param byRules candidates that the rules found for the field, best first
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
      type: rated.reduce((most, { type }) => Math.max(most, type), 0),
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
      this.#writePairFeatures(row.subarray(pairFeaturesAt), compared, each, best);
      return { value: each.value, row };
    });
  }

  #rated(compared: ComparedField, values: readonly PoolValue[], byRules: readonly Candidate[]): RatedValue[] {
    const scores = scoresOf(byRules);
    return values.map((value) => {
      const similar = this.#texts.similarityOf(compared, value);
      const score = scoreOf(scores, value);
      const type = answersType(compared.types.types, printedOf(value));
      return { value, similar, score, type, priority: priorityOf(similar, score, type) };
    });
  }

  /** Writes the values of `pairFeatureNames`. */
  #writePairFeatures(
    row: Float32Array,
    compared: ComparedField,
    { value, similar, score, type }: RatedValue,
    best: BestOfField,
  ): void {
    const { bestMeaning, bestWords, sentence, value: own, label } = similar;
    const texts = this.#texts;
    const concepts = texts.byConcepts(compared, value);
    let at = 0;
    row[at++] = Number(value.kind === compared.field.kind);
    row[at++] = score;
    row[at++] = score - best.score;
    row[at++] = Number(score > 0 && score === best.score);
    texts.writeByRelation(row.subarray(at), compared, value);
    at += 2 * relations.length;
    row[at++] = bestMeaning;
    row[at++] = bestMeaning - best.meaning;
    row[at++] = concepts;
    row[at++] = concepts - best.concepts;
    row[at++] = bestWords;
    row[at++] = bestWords - best.words;
    row[at++] = similar.factor;
    row[at++] = similar.ofName;
    row[at++] = sentence;
    row[at++] = sentence - best.sentence;
    row[at++] = texts.wordsOfSentence(compared.field, value.sentence);
    row[at++] = texts.ofSection(compared, value);
    row[at++] = own;
    row[at++] = own - best.value;
    row[at++] = texts.ofRival(compared, label) - bestMeaning;
    row[at++] = texts.ofRivalConcepts(compared, label) - concepts;
    row[at++] = texts.typesShared(compared, label);
    row[at++] = texts.lengthOf(label);
    row[at++] = type;
    row[at++] = type - best.type;
    row[at] = Number(hasForm(compared.field, value));
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
  field.sign,
];

const greatest = (rated: readonly RatedValue[], of: (similar: ContextSimilarity) => number): number =>
  rated.reduce((most, { similar }) => Math.max(most, of(similar)), 0);

/** A value that the rules found, with its best score. */
interface ScoredValue {
  page: number;
  /** Text of the value in lower case. */
  text: string;
  score: number;
}

/**
 * Values that the rules found, by the index of their first word. Values without words have the key
 * -1.
 */
type ScoredValues = ReadonlyMap<number, readonly ScoredValue[]>;

function scoresOf(byRules: readonly Candidate[]): ScoredValues {
  const scores = new Map<number, ScoredValue[]>();
  for (const { run, words, value, score } of byRules) {
    const first = words[0] ?? -1;
    const sameStart = scores.get(first) ?? [];
    scores.set(first, sameStart);
    const text = String(value).toLowerCase();
    const known = sameStart.find((each) => each.page === run.page && each.text === text);
    if (known) known.score = Math.max(known.score, score);
    else sameStart.push({ page: run.page, text, score: Math.max(0, score) });
  }
  return scores;
}

/** Returns the best score that the rules give to the value, or 0 if they did not find it. */
function scoreOf(scores: ScoredValues, { run, words, value }: PoolValue): number {
  const sameStart = scores.get(words[0] ?? -1);
  if (sameStart === undefined) return 0;
  const text = String(value).toLowerCase();
  return sameStart.find((each) => each.page === run.page && each.text === text)?.score ?? 0;
}
