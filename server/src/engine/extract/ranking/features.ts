/**
 * Describes how well each value of the pool fits a field, in numbers for the forest. A number that
 * does not apply is 0.
 */
import { type AskTypes, askParties, askTypes, askTypesOf } from "../../../language/ask-types.ts";
import { spellOut } from "../../../language/label-tokens.ts";
import { dot, meaningOf } from "../../../language/meaning.ts";
import { overlapShare, type TextRun } from "../../page/text-runs.ts";
import { isAddressLine, isStreetLine } from "../../values/address-lines.ts";
import type { Candidate } from "../candidates/find-candidates.ts";
import { isLabel } from "../candidates/labelled-text.ts";
import { hasLegalForm, isProse, looksLikeName, nameKey } from "../candidates/names.ts";
import { looksLikePerson } from "../candidates/party-lines.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { PartyView } from "../parties/party-view.ts";
import { partyCandidates } from "../parties/party-votes.ts";
import type { PoolKind, PoolValue } from "./pool.ts";

const formats = ["number", "date", "text", "boolean"] as const;
const relations = ["inline", "left", "above", "cell", "behind", "below"] as const;
const kinds: readonly PoolKind[] = [
  ...(["money", "number", "percent", "date", "code", "iban", "bic", "vat", "email", "phone", "url", "text"] as const),
  ...(["company", "person", "boolean", "statement", "address", "name"] as const),
];

/** Features of the field alone. */
const askNames: readonly string[] = [
  ...formats.map((format) => `format ${format}`),
  ...askTypes.map((type) => `asks ${type}`),
  ...askParties.map((party) => `asks of ${party}`),
];

/** Features of the value alone. */
const valueNames: readonly string[] = [
  ...kinds.map((kind) => `kind ${kind}`),
  ...["quality", "lines", "page", "pages", "x", "y", "height", "bold", "ocr"],
  ...["length", "words", "digits", "capitals", "prose", "name", "person", "legal form", "address line", "is label"],
  ...["in row", "same value", "column repeats", "siblings", "label said", "has label"],
  ...["seller", "buyer", "order", "size rank", "street below", "bottom"],
  ...["colon inside", "share of run", "from start", "to end", "colon before"],
  ...[
    "magnitude",
    "integer",
    "year",
    "negative",
    "currency beside",
    "unit behind",
    "percent",
    "earlier dates",
    "later dates",
  ],
];

/** Features of both. */
const pairNames: readonly string[] = [
  ...["asked kind", "old score", "old lead", "old first"],
  ...relations.flatMap((relation) => [`meaning ${relation}`, `words ${relation}`]),
  ...["best meaning", "best meaning lead", "best words", "best words lead", "best factor", "meaning of name"],
  ...[
    "meaning of sentence",
    "sentence lead",
    "words of sentence",
    "meaning of section",
    "meaning of value",
    "value lead",
  ],
  ...["rival label", "label type", "label length"],
];

export const featureNames: readonly string[] = [...askNames, ...valueNames, ...pairNames];

/** A field, with what its words mean. */
export interface Ask {
  field: AskedField;
  types: AskTypes;
  /** Vectors of the description, and of the name with the description. */
  vectors: readonly Float32Array[];
  /** Vector of the name. */
  name: Float32Array | undefined;
  /** How near each text is, by the number of the text. */
  meanings: (number | undefined)[];
  labels: (LabelNearness | undefined)[];
}

/** How near a label is to a field: by meaning, to the name alone, and by words. */
interface LabelNearness {
  meaning: number;
  ofName: number;
  words: number;
}

const noTypes: AskTypes = { types: new Float32Array(askTypes.length), parties: new Float32Array(askParties.length) };

export function askOf(field: AskedField): Ask {
  const { description } = field;
  const words = spellOut(field.name);
  const both = meaningOf(`${words} ${description}`);
  return {
    field,
    types: both ? askTypesOf(both) : noTypes,
    vectors: [meaningOf(description), both].filter((vector) => vector !== undefined),
    name: meaningOf(words),
    meanings: [],
    labels: [],
  };
}

/** Characters at the end of a label that are compared, in UTF-16 units. Chosen by hand, 2026-11. */
const maxLabel = 70;

/** Numbers the texts around values, so that each is compared with a field only once. */
class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #types: (Float32Array | undefined)[] = [];

  numberOf(text: string): number {
    let known = this.#numbers.get(text);
    if (known === undefined) {
      known = this.#texts.push(text) - 1;
      this.#numbers.set(text, known);
    }
    return known;
  }

  textOf(number: number): string {
    return this.#texts[number] ?? "";
  }

  /** Returns 0 to 1: how near the text is to the field's words. */
  meaning({ vectors, meanings }: Ask, number: number): number {
    let near = meanings[number];
    if (near === undefined) {
      const vector = meaningOf(this.textOf(number));
      near = 0;
      if (vector) for (const each of vectors) near = Math.max(near, dot(each, vector));
      meanings[number] = near;
    }
    return near;
  }

  /** Returns how near the label is to the field. */
  label(ask: Ask, { text, tail }: NumberedLabel): LabelNearness {
    let near = ask.labels[text];
    if (near === undefined) {
      const vector = ask.name && meaningOf(this.textOf(tail));
      const ofName = ask.name && vector ? Math.max(0, dot(ask.name, vector)) : 0;
      near = { meaning: this.meaning(ask, tail), ofName, words: ask.field.scoreByWords(this.textOf(text)) };
      ask.labels[text] = near;
    }
    return near;
  }

  /** Returns the probability that the text and a field with these types are of one type. */
  typesShared(number: number, types: Float32Array): number {
    const vector = this.textOf(number) === "" ? undefined : meaningOf(this.textOf(number));
    if (!vector) return 0;
    const own = this.#types[number] ?? askTypesOf(vector).types;
    this.#types[number] = own;
    return dotOf(own, types);
  }
}

interface NumberedLabel {
  /** Numbers of the text and of its end, to which the meaning is limited. */
  text: number;
  tail: number;
  /** Index in `relations`. */
  relation: number;
  factor: number;
}

/** The texts around a value, by number; undefined if there is none. */
interface Around {
  labels: readonly NumberedLabel[];
  sentence: number | undefined;
  section: number | undefined;
  /** The value itself, if it is a short text. */
  own: number | undefined;
}

/** How near the texts around a value are to a field. */
interface Nearness {
  bestMeaning: number;
  bestWords: number;
  /** Label with the nearest meaning. */
  label: NumberedLabel | undefined;
  ofName: number;
  sentence: number;
  value: number;
}

/**
 * Values that are looked at closer: those with the nearest texts, and some at the top of the first
 * page, where names and dates stand without a label. Chosen by hand, 2026-11.
 */
const mostNear = 40;
const mostFree = 20;
const freeRows = 14;

/** How promising a value is, before its features are known. @param score by the rules */
const promiseOf = ({ bestMeaning, bestWords, sentence, value }: Nearness, score: number): number =>
  Math.max(1.3 * score, bestMeaning, bestWords, 0.8 * sentence, 0.6 * value);

/** Makes the features of a document's fields and values. */
export class FeatureMaker {
  readonly #view: PartyView;
  readonly #asks: readonly Ask[];
  readonly #texts = new Texts();
  readonly #around = new Map<PoolValue, Around>();
  readonly #ofValue = new Map<PoolValue, Float32Array>();
  readonly #rivals = new Map<number, { best: number; second: number }>();
  readonly #sentenceFamilies = new Map<string, ReadonlySet<string>>();
  #facts: DocumentFacts | undefined;

  constructor(view: PartyView, asks: readonly Ask[]) {
    this.#view = view;
    this.#asks = asks;
  }

  /**
   * Returns the values that may be right, each with its row of features.
   * @param old candidates of the field by the rules, best first
   */
  of(ask: Ask, values: readonly PoolValue[], old: readonly Candidate[]): { value: PoolValue; row: Float32Array }[] {
    const scores = oldScores(old);
    const topOld = old[0]?.score ?? 0;
    const top = { meaning: 0, words: 0, sentence: 0, value: 0 };
    const rated = values.map((value) => {
      const near = this.#nearnessOf(ask, value);
      top.meaning = Math.max(top.meaning, near.bestMeaning);
      top.words = Math.max(top.words, near.bestWords);
      top.sentence = Math.max(top.sentence, near.sentence);
      top.value = Math.max(top.value, near.value);
      const score = scores.size === 0 ? 0 : (scores.get(keyOf(value.run, value.words, value.value)) ?? 0);
      return { value, near, score, promise: promiseOf(near, score) };
    });
    rated.sort((a, b) => b.promise - a.promise);
    const free = rated.slice(mostNear).filter(({ value: { run } }) => run.page === 0 && run.row < freeRows);
    const { types, parties } = ask.types;
    const ofAsk = [...formats.map((format) => (ask.field.format === format ? 1 : 0)), ...types, ...parties];
    return [...rated.slice(0, mostNear), ...free.slice(0, mostFree)].map(({ value, near, score }) => {
      const row = new Float32Array(featureNames.length);
      row.set(ofAsk, 0);
      row.set(this.#featuresOf(value), askNames.length);
      const ofPair = [
        value.kind === ask.field.kind ? 1 : 0,
        score,
        score - topOld,
        score > 0 && score === topOld ? 1 : 0,
      ];
      ofPair.push(...this.#byRelation(ask, value), near.bestMeaning, near.bestMeaning - top.meaning);
      ofPair.push(near.bestWords, near.bestWords - top.words, near.label?.factor ?? 0, near.ofName);
      ofPair.push(near.sentence, near.sentence - top.sentence, this.#wordsOfSentence(ask.field, value.sentence));
      ofPair.push(this.#sectionOf(ask, value), near.value, near.value - top.value);
      const label = near.label?.tail ?? this.#aroundOf(value).labels[0]?.tail;
      ofPair.push(this.#rivalOf(ask, label) - near.bestMeaning);
      ofPair.push(
        label === undefined ? 0 : this.#texts.typesShared(label, types),
        this.#texts.textOf(label ?? -1).length,
      );
      row.set(ofPair, askNames.length + valueNames.length);
      return { value, row };
    });
  }

  #aroundOf(value: PoolValue): Around {
    let known = this.#around.get(value);
    if (known === undefined) {
      const number = (text: string): number | undefined => (text === "" ? undefined : this.#texts.numberOf(text));
      known = {
        labels: value.contexts.map(({ text, relation, factor }) => ({
          text: this.#texts.numberOf(text),
          tail: this.#texts.numberOf(text.slice(-maxLabel)),
          relation: relations.indexOf(relation),
          factor,
        })),
        sentence: number(value.sentence),
        section: number(value.section),
        own: typeof value.value === "string" && value.value.length <= maxLabel ? number(value.value) : undefined,
      };
      this.#around.set(value, known);
    }
    return known;
  }

  #nearnessOf(ask: Ask, value: PoolValue): Nearness {
    const { labels, sentence, own } = this.#aroundOf(value);
    const near: Nearness = {
      bestMeaning: 0,
      bestWords: 0,
      label: undefined,
      ofName: 0,
      sentence: sentence === undefined ? 0 : this.#texts.meaning(ask, sentence),
      value: own === undefined ? 0 : this.#texts.meaning(ask, own),
    };
    for (const label of labels) {
      const { meaning, words, ofName } = this.#texts.label(ask, label);
      if (meaning * label.factor > near.bestMeaning) {
        near.bestMeaning = meaning * label.factor;
        near.label = label;
      }
      near.bestWords = Math.max(near.bestWords, words * label.factor);
      near.ofName = Math.max(near.ofName, ofName * label.factor);
    }
    return near;
  }

  /** Returns the nearness of the labels by meaning and by words, for each relation. */
  #byRelation(ask: Ask, value: PoolValue): number[] {
    const near = new Array<number>(2 * relations.length).fill(0);
    for (const label of this.#aroundOf(value).labels) {
      const { meaning, words } = this.#texts.label(ask, label);
      const at = 2 * label.relation;
      near[at] = Math.max(near[at] ?? 0, meaning);
      near[at + 1] = Math.max(near[at + 1] ?? 0, words);
    }
    return near;
  }

  #sectionOf(ask: Ask, value: PoolValue): number {
    const { section } = this.#aroundOf(value);
    return section === undefined ? 0 : this.#texts.meaning(ask, section);
  }

  /** Returns the share of the description's words that the sentence has. */
  #wordsOfSentence({ asks, familiesOf }: AskedField, sentence: string): number {
    if (asks.size === 0 || sentence === "") return 0;
    // Families do not depend on the field, and sentences have many values.
    const said = this.#sentenceFamilies.get(sentence) ?? familiesOf(sentence);
    this.#sentenceFamilies.set(sentence, said);
    let shared = 0;
    for (const family of asks) if (said.has(family)) shared++;
    return shared / asks.size;
  }

  /** Returns how near the label is to another field. */
  #rivalOf(ask: Ask, label: number | undefined): number {
    if (label === undefined || this.#texts.textOf(label) === "") return 0;
    let rivals = this.#rivals.get(label);
    if (rivals === undefined) {
      rivals = { best: 0, second: 0 };
      for (const other of this.#asks) {
        const near = this.#texts.meaning(other, label);
        if (near > rivals.best) rivals = { best: near, second: rivals.best };
        else rivals.second = Math.max(rivals.second, near);
      }
      this.#rivals.set(label, rivals);
    }
    return this.#texts.meaning(ask, label) >= rivals.best ? rivals.second : rivals.best;
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

function dotOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** What a document's values are compared with. */
interface DocumentFacts {
  pages: number;
  /** Median height of runs. */
  height: number;
  /** Heights of the runs of each page, tallest first. */
  heights: readonly (readonly number[])[];
  /** Distinct dates, in order. */
  dates: readonly string[];
  /** How often each text of a run stands in the document. */
  counts: ReadonlyMap<string, number>;
  /** Score of each name as the seller's and the buyer's. */
  parties: readonly ReadonlyMap<string, number>[];
}

function factsOf(view: PartyView): DocumentFacts {
  const { pages } = view.layout;
  const heights = pages.map(({ runs }) => runs.map(({ height }) => height).sort((a, b) => b - a));
  const all = heights.flat().sort((a, b) => a - b);
  const counts = new Map<string, number>();
  for (const { runs } of pages) for (const { text } of runs) counts.set(text, (counts.get(text) ?? 0) + 1);
  const parties = (["seller", "buyer"] as const).map((party) => {
    const scores = new Map<string, number>();
    for (const { value, score } of partyCandidates(party, view.votes())) {
      const key = nameKey(String(value));
      scores.set(key, Math.max(scores.get(key) ?? 0, score));
    }
    return scores;
  });
  return {
    pages: pages.length,
    height: all[all.length >> 1] ?? 1,
    heights,
    dates: [...new Set(view.places("date").map(({ found }) => String(found.value)))].sort(),
    counts,
    parties,
  };
}

function valueFeatures(value: PoolValue, facts: DocumentFacts): Float32Array {
  return Float32Array.from([
    ...kinds.map((kind) => (kind === value.kind ? 1 : 0)),
    ...placed(value, facts),
    ...worded(value),
    ...beside(value, facts),
    ...ranked(value, facts),
    ...spanned(value),
    ...shaped(value, facts),
  ]);
}

function placed({ quality, lines, page, run }: PoolValue, facts: DocumentFacts): number[] {
  const { width, height, source } = page.page;
  return [
    ...[quality, lines, Math.min(run.page, 5), Math.min(facts.pages, 6), run.box[0] / width, run.box[1] / height],
    ...[run.height / facts.height, run.bold ? 1 : 0, source === "ocr" ? 1 : 0],
  ];
}

function worded({ value, run, start, end }: PoolValue): number[] {
  const text = String(value);
  const printed = run.text.slice(start, end);
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return [
    ...[Math.min(text.length, 120), Math.min(count(/\S+/g), 20), count(/\d/g) / Math.max(1, text.length)],
    ...[count(/\p{Lu}/gu) / Math.max(1, count(/\p{L}/gu)), isProse(text) ? 1 : 0],
    ...[
      looksLikeName(printed),
      looksLikePerson(printed),
      hasLegalForm(printed),
      isAddressLine(text),
      isLabel(printed),
    ].map(Number),
  ];
}

function beside(value: PoolValue, { counts }: DocumentFacts): number[] {
  const { page, run, contexts } = value;
  const row = page.rows[run.row] ?? [];
  const shape = shapeOf(run.text);
  let repeats = 0;
  for (const step of [-2, -1, 1, 2]) {
    const other = page.rows[run.row + step]?.find((each) => overlapShare(each.box, run.box) > 0.5);
    if (other && shapeOf(other.text) === shape) repeats++;
  }
  const siblings = row.filter((other) => other !== run && /\d/.test(other.text)).length;
  const text = value.value;
  // A label may be taken for a value.
  const said =
    typeof text === "string" && contexts.some((label) => label.text.length > 2 && text.startsWith(label.text.trim()));
  const same = Math.min(counts.get(run.text) ?? 1, 6);
  return [Math.min(row.length, 10), same, repeats, Math.min(siblings, 8), said ? 1 : 0, contexts.length > 0 ? 1 : 0];
}

const shapeOf = (text: string): string =>
  text
    .slice(0, 40)
    .replace(/\p{L}+/gu, "a")
    .replace(/\d+/g, "0");

function ranked({ value, page, run, lines }: PoolValue, { heights, parties }: DocumentFacts): number[] {
  const key = nameKey(String(value));
  const below = page.rows[run.row + lines]?.find((other) => overlapShare(other.box, run.box) > 0.5);
  const larger = (heights[run.page] ?? []).findIndex((height) => height <= run.height * 1.02);
  return [
    ...[parties[0]?.get(key) ?? 0, parties[1]?.get(key) ?? 0, Math.min(run.row, 60), Math.min(larger, 30)],
    ...[
      below && (isStreetLine(below.text) || isAddressLine(below.text)) ? 1 : 0,
      Math.min(page.rows.length - run.row, 30),
    ],
  ];
}

function spanned({ run: { text }, start, end }: PoolValue): number[] {
  return [
    ...[/[:：]/.test(text.slice(start, end)) ? 1 : 0, (end - start) / Math.max(1, text.length)],
    ...[start === 0 ? 1 : 0, end >= text.length ? 1 : 0, /[:：]\s*$/.test(text.slice(0, start)) ? 1 : 0],
  ];
}

const currency = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|INR|AUD|Fr\.?)\b/u;

function shaped({ kind, value, run, start, end }: PoolValue, { dates }: DocumentFacts): number[] {
  const isNumber = typeof value === "number";
  const number = isNumber ? value : 0;
  const whole = isNumber && Number.isInteger(number);
  const printed = run.text.slice(start, end);
  const after = run.text.slice(end, end + 12);
  const around = `${run.text.slice(Math.max(0, start - 5), start)}${printed}${after.slice(0, 5)}`;
  const date = kind === "date" ? dates.indexOf(String(value)) : -1;
  return [
    ...[
      Math.log10(Math.abs(number) + 1),
      whole ? 1 : 0,
      whole && number >= 1900 && number < 2100 ? 1 : 0,
      number < 0 ? 1 : 0,
    ],
    ...[currency.test(around) ? 1 : 0, /^\s?\p{L}/u.test(after) ? 1 : 0, /%/.test(printed + after.slice(0, 2)) ? 1 : 0],
    ...[date < 0 ? 0 : Math.min(date, 8), date < 0 ? 0 : Math.min(dates.length - 1 - date, 8)],
  ];
}

const keyOf = (run: TextRun, words: readonly number[], value: unknown): string =>
  `${run.page} ${words[0] ?? -1} ${String(value).toLowerCase()}`;

function oldScores(old: readonly Candidate[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const { run, words, value, score } of old) {
    const key = keyOf(run, words, value);
    scores.set(key, Math.max(scores.get(key) ?? 0, score));
  }
  return scores;
}
