/**
 * Compares fields with the texts around values, by meaning and by words. Each text is compared with
 * each field only once.
 */
import { type AskTypes, typesOf } from "../../../language/ask-types.ts";
import { type AskedConcepts, agreement, conceptsAskedBy, conceptsLabelledBy } from "../../../language/concepts.ts";
import { greatestCosine, meaningOf } from "../../../language/meaning.ts";
import { familiesIn } from "../../lexicon/family-terms.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import { typesAskedBy } from "../labels/field-meaning.ts";
import type { Relation } from "../labels/label-contexts.ts";
import type { PoolValue } from "./pool-value.ts";

/** Positions of a label relative to its value, in the order of their features. */
export const relations: readonly Relation[] = ["inline", "left", "above", "cell", "behind", "below"];

/** A field, and its similarity to each text that it was compared with. */
export interface ComparedField {
  field: AskedField;
  types: AskTypes;
  /**
   * Concepts that the description alone asks for, and concepts that name and description together
   * ask for.
   */
  concepts: readonly AskedConcepts[];
  /**
   * Similarity by meaning, 0 to 1. All arrays of this interface are indexed by the number that
   * `ContextTexts` assigns to a text.
   */
  byMeaning: (number | undefined)[];
  byWords: (number | undefined)[];
  labels: (LabelSimilarity | undefined)[];
  /** True if the text clearly names a concept other than the field's. */
  namesAnother: (boolean | undefined)[];
  /** How well the concepts that the text names agree with those that the field asks for, 0 to 1. */
  byConcepts: (number | undefined)[];
}

/**
 * Similarity of a label to a field, 0 to 1: by meaning, by meaning of the field's name alone, and
 * by words.
 */
interface LabelSimilarity {
  meaning: number;
  ofName: number;
  words: number;
}

export const comparedField = (field: AskedField): ComparedField => ({
  field,
  types: typesAskedBy(field.meaning),
  concepts: [field.meaning.description, field.meaning.both].flatMap((vector) =>
    vector ? [conceptsAskedBy(vector)] : [],
  ),
  byMeaning: [],
  byWords: [],
  labels: [],
  namesAnother: [],
  byConcepts: [],
});

interface NumberedLabel {
  /** Number that `ContextTexts` assigns to the label. */
  text: number;
  /**
   * Number that `ContextTexts` assigns to the end of the label, the only part compared by meaning.
   */
  tail: number;
  /** Index in `relations`. */
  relation: number;
  factor: number;
}

/**
 * Numbers that `ContextTexts` assigns to the texts around a value. Undefined if a text is missing.
 */
interface NumberedTexts {
  labels: readonly NumberedLabel[];
  sentence: number | undefined;
  section: number | undefined;
  /** Number of the value's own text. Undefined unless the value is a short text. */
  own: number | undefined;
}

/** Similarity of the texts around a value to a field, 0 to 1. */
export interface ContextSimilarity {
  bestMeaning: number;
  bestWords: number;
  ofName: number;
  sentence: number;
  value: number;
  /** Factor of the label that is most similar by meaning. 0 if no label is similar at all. */
  factor: number;
  /**
   * Number of the end of the label that is most similar by meaning. If no label is similar, it is
   * the number of the end of the first label.
   */
  label: number | undefined;
}

/** Only this many UTF-16 units at the end of a label are compared. Chosen by hand, 2026-11. */
export const maxLabel = 70;

/**
 * Minimum factor at which a label clearly belongs to this value and not to another value. Chosen by
 * hand, 2026-11.
 */
const ownLabel = 0.9;
/** Minimum score by words at which a label names the field. Chosen by hand, 2026-11. */
const namesField = 0.5;

/**
 * Assigns numbers to the texts around a document's values, and caches what is computed from them.
 */
export class ContextTexts {
  readonly #fields: readonly ComparedField[];
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** Vector of each text. Null for a text without words. */
  readonly #vectors: (Float32Array | null)[] = [];
  readonly #types: (Float32Array | undefined)[] = [];
  /**
   * Concept probabilities of the texts, keyed by the vector of a text. Texts with the same words
   * share one vector object.
   */
  readonly #concepts = new Map<Float32Array, Float32Array>();
  readonly #ofValue = new Map<PoolValue, NumberedTexts>();
  readonly #rivals = new Map<number, { best: number; second: number }>();

  /**
   * @param fields all fields of the request. When a label is compared with one field, all others
   * are rivals for that label.
   */
  constructor(fields: readonly ComparedField[]) {
    this.#fields = fields;
  }

  similarityOf(field: ComparedField, value: PoolValue): ContextSimilarity {
    const { labels, sentence, own } = this.#textsOf(value);
    const similar: ContextSimilarity = {
      bestMeaning: 0,
      bestWords: 0,
      ofName: 0,
      sentence: sentence === undefined ? 0 : this.#meaning(field, sentence),
      value: own === undefined ? 0 : this.#meaning(field, own),
      factor: 0,
      label: labels[0]?.tail,
    };
    for (const label of labels) {
      const { meaning, words, ofName } = this.#labelOf(field, label);
      if (meaning * label.factor > similar.bestMeaning) {
        similar.bestMeaning = meaning * label.factor;
        similar.factor = label.factor;
        similar.label = label.tail;
      }
      similar.bestWords = Math.max(similar.bestWords, words * label.factor);
      similar.ofName = Math.max(similar.ofName, ofName * label.factor);
    }
    return similar;
  }

  /**
   * Writes to `similar`, for each position of a label, the greatest similarity by meaning and by
   * words. `similar` must contain only zeros.
   */
  writeByRelation(similar: Float32Array, field: ComparedField, value: PoolValue): void {
    for (const label of this.#textsOf(value).labels) {
      const { meaning, words } = this.#labelOf(field, label);
      const at = 2 * label.relation;
      similar[at] = Math.max(similar[at] as number, meaning);
      similar[at + 1] = Math.max(similar[at + 1] as number, words);
    }
  }

  ofSection(field: ComparedField, value: PoolValue): number {
    const { section } = this.#textsOf(value);
    return section === undefined ? 0 : this.#meaning(field, section);
  }

  /** Returns the share of the words in the field's description that occur in the sentence. */
  wordsOfSentence({ asks }: AskedField, sentence: string): number {
    if (asks.size === 0 || sentence === "") return 0;
    const said = familiesIn(sentence);
    let shared = 0;
    for (const family of asks) if (said.has(family)) shared++;
    return shared / asks.size;
  }

  /** Returns the greatest similarity (0 to 1) of the label to any other field. */
  ofRival(field: ComparedField, label: number | undefined): number {
    if (label === undefined || this.#textOf(label) === "") return 0;
    let rivals = this.#rivals.get(label);
    if (rivals === undefined) {
      rivals = { best: 0, second: 0 };
      for (const other of this.#fields) {
        const similar = this.#meaning(other, label);
        if (similar > rivals.best) rivals = { best: similar, second: rivals.best };
        else rivals.second = Math.max(rivals.second, similar);
      }
      this.#rivals.set(label, rivals);
    }
    return this.#meaning(field, label) >= rivals.best ? rivals.second : rivals.best;
  }

  /** Returns how well the concepts of the value's best label agree with the field, 0 to 1. */
  byConcepts(field: ComparedField, value: PoolValue): number {
    const { labels } = this.#textsOf(value);
    let best = 0;
    for (const { tail, factor } of labels) best = Math.max(best, factor * this.#agreement(field, tail));
    return best;
  }

  /** Returns the best agreement (0 to 1) between the concepts of the label and any other field. */
  ofRivalConcepts(field: ComparedField, label: number | undefined): number {
    if (label === undefined || this.#textOf(label) === "") return 0;
    let best = 0;
    for (const other of this.#fields) if (other !== field) best = Math.max(best, this.#agreement(other, label));
    return best;
  }

  /** Returns the probability that the label and the field ask for the same type of value. */
  typesShared({ types }: ComparedField, label: number | undefined): number {
    const vector = label === undefined ? null : this.#vectorOf(label);
    if (label === undefined || vector === null) return 0;
    const own = this.#types[label] ?? typesOf(vector);
    this.#types[label] = own;
    let shared = 0;
    for (let at = 0; at < own.length; at++) shared += (own[at] as number) * (types.types[at] as number);
    return shared;
  }

  /** Returns true if a label of the value clearly names a concept other than the field's. */
  hasLabelOfAnother(compared: ComparedField, value: PoolValue): boolean {
    const { field, namesAnother } = compared;
    if (field.concept === undefined) return false;
    const { labels } = this.#textsOf(value);
    for (const { text } of labels) if (this.#words(compared, text) >= namesField) return false;
    for (const { text, factor } of labels) {
      if (factor < ownLabel) continue;
      const isAnother = namesAnother[text] ?? field.namesAnother(this.#textOf(text));
      namesAnother[text] = isAnother;
      if (isAnother) return true;
    }
    return false;
  }

  lengthOf(label: number | undefined): number {
    return label === undefined ? 0 : this.#textOf(label).length;
  }

  #textsOf(value: PoolValue): NumberedTexts {
    let known = this.#ofValue.get(value);
    if (known === undefined) {
      const number = (text: string): number | undefined => (text === "" ? undefined : this.#numberOf(text));
      known = {
        labels: value.contexts.map(({ text, relation, factor }) => ({
          text: this.#numberOf(text),
          tail: this.#numberOf(text.slice(-maxLabel)),
          relation: relations.indexOf(relation),
          factor,
        })),
        sentence: number(value.sentence),
        section: number(value.section),
        own: typeof value.value === "string" && value.value.length <= maxLabel ? number(value.value) : undefined,
      };
      this.#ofValue.set(value, known);
    }
    return known;
  }

  #numberOf(text: string): number {
    let known = this.#numbers.get(text);
    if (known === undefined) {
      known = this.#texts.push(text) - 1;
      this.#numbers.set(text, known);
    }
    return known;
  }

  #textOf(number: number): string {
    return this.#texts[number] ?? "";
  }

  #meaning({ field, byMeaning }: ComparedField, number: number): number {
    const known = byMeaning[number];
    if (known !== undefined) return known;
    const vector = this.#vectorOf(number);
    const similar = vector ? greatestCosine(vector, field.meaning.description, field.meaning.both) : 0;
    byMeaning[number] = similar;
    return similar;
  }

  #words({ field, byWords }: ComparedField, number: number): number {
    const score = byWords[number] ?? field.scoreByWords(this.#textOf(number));
    byWords[number] = score;
    return score;
  }

  #vectorOf(number: number): Float32Array | null {
    let vector = this.#vectors[number];
    if (vector === undefined) {
      vector = meaningOf(this.#textOf(number)) ?? null;
      this.#vectors[number] = vector;
    }
    return vector;
  }

  #agreement({ concepts, byConcepts }: ComparedField, number: number): number {
    const known = byConcepts[number];
    if (known !== undefined) return known;
    const vector = this.#vectorOf(number);
    let best = 0;
    if (vector) {
      const labelled = this.#concepts.get(vector) ?? conceptsLabelledBy(vector);
      this.#concepts.set(vector, labelled);
      for (const asked of concepts) best = Math.max(best, agreement(asked, labelled));
    }
    byConcepts[number] = best;
    return best;
  }

  #labelOf(compared: ComparedField, { text, tail }: NumberedLabel): LabelSimilarity {
    let similar = compared.labels[text];
    if (similar === undefined) {
      const vector = this.#vectorOf(tail);
      similar = {
        meaning: this.#meaning(compared, tail),
        ofName: vector ? greatestCosine(vector, compared.field.meaning.name, undefined) : 0,
        words: this.#words(compared, text),
      };
      compared.labels[text] = similar;
    }
    return similar;
  }
}
