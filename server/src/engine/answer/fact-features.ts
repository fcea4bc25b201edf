/**
 * Computes the features of a value that may answer a question, each about 0 to 1.
 */
import { askTypesOf } from "../../language/ask-types.ts";
import { dot, meaningOf } from "../../language/meaning.ts";
import { answersType, type ValueType, valueTypes, valueTypesOf } from "../../language/value-types.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import type { Relation } from "../extract/labels/label-contexts.ts";
import { maxLabel } from "../extract/ranking/context-similarity.ts";
import type { PoolValue } from "../extract/ranking/pool-value.ts";
import type { DocumentRuns, PageRuns, TextRun } from "../page/text-runs.ts";
import type { QuestionTerm } from "./analyze-question.ts";
import { weightsWithoutNames } from "./fact-question.ts";
import type { Matcher } from "./match-terms.ts";
import type { TableCell } from "./table-cells.ts";
import { heldShare, raiseTo, type Strengths, strongest, termWeights } from "./term-strengths.ts";

/**
 * Groups of value types. Questions distinguish between these groups, but not between the types of a
 * group.
 */
const valueTypeGroups = [
  ["person", ["person"]],
  ["organisation", ["organisation"]],
  ["place", ["address", "place"]],
  ["code", ["code", "account", "phone", "web"]],
  ["date", ["date", "time"]],
  ["duration", ["duration"]],
  ["amount", ["amount"]],
  ["quantity", ["quantity", "percent", "number"]],
  ["text", ["text", "job", "boolean", "sentence"]],
  ["label", ["label"]],
] as const satisfies readonly (readonly [string, readonly ValueType[]])[];

export const factFeatureNames: readonly string[] = [
  // Probability of the value in extraction, and the logarithm of that probability.
  "chance",
  "log chance",
  // 1 if the value is the most probable one of its format.
  "first",
  // 1 if the value has the format that suits the question best.
  "format",
  // Confidence that the value belongs to the field that the lexicon recognizes in the question. 0
  // if extraction does not choose this value for that field.
  "known field",
  // Shares of the question terms, by weight, that occur in the row of the value, its column
  // heading, its other labels, its sentence, and the heading of its section. The last three are the
  // shares for any of these places, for both row and column, and for the whole document.
  "row",
  "column",
  "label",
  "sentence",
  "section",
  "near",
  "row and column",
  "in document",
  // Shares of the question terms without names: in the row, in the column heading, in the other
  // labels, in the sentence, or in any place near the value.
  "asked in row",
  "asked in column",
  "asked in label",
  "asked in sentence",
  "asked near",
  // Share of the names, numbers and codes of the question that are in the document.
  "names",
  // Share of the words of the value that are in the question.
  "asked",
  // Similarity in meaning between the question and the column heading, the other labels, the
  // sentence, or the value.
  "meaning of column",
  "meaning of label",
  "meaning of sentence",
  "meaning of value",
  // Probability that the value is of the type that the question asks for.
  "type",
  "runs in row",
  "words",
  // 1 if the value is in a table.
  "in table",
  // Shares of the words of three texts that occur in the question. The texts are the first cell of
  // the row, the column heading, and the best other label.
  "key asked",
  "column asked",
  "label asked",
  // Probabilities of the types of the value.
  ...valueTypeGroups.map(([name]) => `is ${name}`),
  // Leads: the value of a feature for this fact minus the greatest value of that feature among all
  // facts of the document.
  ...[
    "lead of chance",
    "lead of row",
    "lead of near",
    "lead of meaning",
    "lead of type",
    "lead of all in row",
    "lead of column",
    "lead of key",
  ],
];

/** Names of the features for which leads are computed, in the order of the lead features. */
const ofLeads: readonly string[] = [
  "chance",
  "asked in row",
  "asked near",
  "meaning of label",
  "type",
  "row",
  "meaning of column",
  "key asked",
];

/**
 * Writes the lead features of each fact. A lead is the value of a feature for this fact minus the
 * greatest value of that feature among all facts of the document.
 */
export function writeLeads(rows: readonly Float32Array[]): void {
  const first = factFeatureNames.length - ofLeads.length;
  for (const [lead, name] of ofLeads.entries()) {
    const at = factFeatureNames.indexOf(name);
    const most = rows.reduce((greatest, row) => Math.max(greatest, row[at] ?? 0), 0);
    for (const row of rows) row[first + lead] = (row[at] ?? 0) - most;
  }
}

export interface AskedTerms {
  terms: readonly QuestionTerm[];
  match: Matcher;
  /** Folded words of the question. */
  words: ReadonlySet<string>;
  description: string;
}

/** Describes how extraction ranks a value. */
export interface FactRank {
  /** Probability (0 to 1) that this is the value of a field whose description is the question. */
  chance: number;
  /** True for the most probable value of its format. */
  isFirst: boolean;
  /** True if the value has the format that suits the question best. */
  hasFormat: boolean;
  /**
   * Confidence that the value belongs to the field that the lexicon recognizes in the question. 0
   * if extraction does not choose this value for that field.
   */
  known: number;
}

type CellOf = (page: number, word: number) => TableCell | undefined;

const none: Strengths = new Map();

export class FactFeatures {
  readonly #asked: AskedTerms;
  readonly #cellOf: CellOf;
  readonly #weights: number[];
  /** Weight of each question term; 0 for names. */
  readonly #asks: number[];
  readonly #whole: Strengths;
  readonly #ofText = new Map<string, Strengths>();
  readonly #vector: Float32Array | undefined;
  readonly #types: Float32Array | undefined;

  constructor(layout: DocumentRuns, asked: AskedTerms, cellOf: CellOf) {
    this.#cellOf = cellOf;
    this.#asked = asked;
    this.#vector = meaningOf(asked.description);
    this.#types = this.#vector && askTypesOf(this.#vector).types;
    const counts = asked.terms.map(() => 0);
    const whole = new Map<number, number>();
    let rows = 0;
    for (const page of layout.pages)
      for (const row of page.rows) {
        rows++;
        const held = new Map<number, number>();
        for (const run of row) raiseTo(held, this.#of(run.text));
        for (const [term, strength] of held) counts[term] = (counts[term] ?? 0) + strength;
        raiseTo(whole, held);
      }
    this.#whole = whole;
    this.#weights = termWeights(asked.terms, counts, rows);
    this.#asks = weightsWithoutNames(this.#weights, asked.terms, asked.description);
  }

  /** Returns the features of a value. Those that `writeLeads` computes are 0. */
  of(value: PoolValue, { chance, isFirst, hasFormat, known }: FactRank): Float32Array {
    const { words } = this.#asked;
    const row = this.#rowOf(value);
    const cell = this.#cellOf(value.run.page, value.words[0] ?? -1);
    const column = new Map(this.#ofContexts(value, aboveRelations));
    if (cell) raiseTo(column, this.#of(cell.column));
    const label = this.#ofContexts(value, labelRelations);
    const sentence = this.#of(value.sentence);
    const section = this.#of(value.section);
    const near = new Map<number, number>();
    for (const each of [row, column, label, sentence, section]) raiseTo(near, each);
    const names = this.#asks.flatMap((weight, at) => (weight === 0 ? [this.#whole.get(at) ?? 0] : []));
    const printed = typeof value.value === "string" ? value.value : value.run.text.slice(value.start, value.end);
    const own = wordTokensOf(printed);
    const repeated = own.filter(({ folded }) => words.has(folded)).length;
    const features = [
      chance,
      Math.max(0, 1 + Math.log10(chance + leastChance) / -Math.log10(leastChance)),
      Number(isFirst),
      Number(hasFormat),
      known,
      heldShare(row, this.#weights),
      heldShare(column, this.#weights),
      heldShare(label, this.#weights),
      heldShare(sentence, this.#weights),
      heldShare(section, this.#weights),
      heldShare(near, this.#weights),
      Math.min(heldShare(row, this.#weights), heldShare(column, this.#weights)),
      heldShare(this.#whole, this.#weights),
      ...[row, column, label, sentence, near].map((held) => heldShare(held, this.#asks)),
      names.length === 0 ? 1 : names.reduce((sum, strength) => sum + strength, 0) / names.length,
      repeated / Math.max(1, own.length),
      Math.max(this.#meaningOfContexts(value, aboveRelations), cell ? this.#meaning(cell.column) : 0),
      this.#meaningOfContexts(value, labelRelations),
      this.#meaning(value.sentence),
      this.#meaning(printed),
      this.#types ? answersType(this.#types, printed) : 0,
      Math.min(1, (value.page.rows[value.run.row]?.length ?? 1) / 8),
      Math.min(1, own.length / 12),
      Number(cell !== undefined),
      cell ? this.#coverage(cell.key) : 0,
      cell ? this.#coverage(cell.column) : 0,
      value.contexts.reduce(
        (most, { text, relation }) =>
          relation === "left" || relation === "inline" ? Math.max(most, this.#coverage(text.slice(-maxLabel))) : most,
        0,
      ),
      ...groupsOf(printed),
    ];
    const written = new Float32Array(factFeatureNames.length);
    written.set(features);
    return written;
  }

  /** Rates how well the row of the value matches the question. */
  rateRow({ page, run, words }: PoolValue): number {
    const held = new Map<number, number>();
    for (const other of page.rows[run.row] ?? []) raiseTo(held, this.#of(other.text));
    const cell = this.#cellOf(run.page, words[0] ?? -1);
    if (cell) raiseTo(held, this.#of(cell.row));
    for (const other of continuing(page, run)) raiseTo(held, this.#of(other.text));
    return heldShare(held, this.#asks) + smallShare * heldShare(held, this.#weights);
  }

  /** Returns the share of the words of a text that match the question. */
  #coverage(text: string): number {
    const tokens = wordTokensOf(text).filter(({ folded }) => folded.length > 2 || /\p{Nd}/u.test(folded));
    if (tokens.length === 0) return 0;
    return this.#asked.match(tokens).reduce((sum, { strength }) => sum + strength, 0) / tokens.length;
  }

  /**
   * Returns the question terms that occur in the row of the value or in lines that continue the
   * row. The words of the value itself do not count.
   */
  #rowOf({ page, run, start, end, words }: PoolValue): Strengths {
    const cell = this.#cellOf(run.page, words[0] ?? -1);
    const held = new Map(cell ? this.#of(cell.row) : none);
    for (const other of page.rows[run.row] ?? []) if (other !== run) raiseTo(held, this.#of(other.text));
    raiseTo(held, this.#of(`${run.text.slice(0, start)} ${run.text.slice(end)}`));
    for (const other of continuing(page, run)) raiseTo(held, this.#of(other.text));
    return held;
  }

  #ofContexts(value: PoolValue, relations: ReadonlySet<Relation>): Strengths {
    const held = new Map<number, number>();
    for (const { text, relation } of value.contexts) if (relations.has(relation)) raiseTo(held, this.#of(text));
    return held;
  }

  #meaningOfContexts(value: PoolValue, relations: ReadonlySet<Relation>): number {
    let best = 0;
    for (const { text, relation } of value.contexts)
      if (relations.has(relation)) best = Math.max(best, this.#meaning(text.slice(-maxLabel)));
    return best;
  }

  #meaning(text: string): number {
    const vector = text === "" ? undefined : meaningOf(text);
    return vector && this.#vector ? Math.max(0, dot(vector, this.#vector)) : 0;
  }

  #of(text: string): Strengths {
    if (text === "") return none;
    let known = this.#ofText.get(text);
    if (known === undefined) {
      known = strongest(this.#asked.match(wordTokensOf(text)));
      this.#ofText.set(text, known);
    }
    return known;
  }
}

/**
 * Added to a probability before its logarithm is taken, so that the logarithm has a lower bound.
 * Chosen by hand, 2026-11.
 */
const leastChance = 0.0001;
/**
 * The rating of a row is the share of the question terms without names, plus this factor times the
 * share of all terms. The factor is small because names rarely identify a row. Chosen by hand,
 * 2026-11.
 */
const smallShare = 0.3;

const groupIndices = valueTypeGroups.map(([, types]) => types.map((type) => valueTypes.indexOf(type)));

function groupsOf(printed: string): number[] {
  const chances = valueTypesOf(printed);
  return groupIndices.map((types) => types.reduce((sum, type) => sum + (chances[type] ?? 0), 0));
}

/** Maximum gap between a row and a line that continues it, in line heights. Chosen by hand, 2026-11. */
const maxRowGap = 0.9;
const aboveRelations: ReadonlySet<Relation> = new Set(["above"]);
const labelRelations: ReadonlySet<Relation> = new Set(["inline", "left", "cell", "behind", "below"]);

/**
 * Returns the first text run of each line that continues a row. Only the lines directly above and
 * below are considered, and only if the row has several text runs. A line continues the row if it
 * has at most two text runs and begins where the row begins.
 */
function continuing(page: PageRuns, run: TextRun): TextRun[] {
  const row = page.rows[run.row] ?? [];
  const [first] = row;
  if (row.length < 2) return [];
  return [run.row - 1, run.row + 1].flatMap((at) => {
    const line = page.rows[at] ?? [];
    const [own] = line;
    if (first === undefined || own === undefined || line.length > 2) return [];
    const gap = at < run.row ? run.box[1] - own.box[3] : own.box[1] - run.box[3];
    return gap <= maxRowGap * run.height && Math.abs(own.box[0] - first.box[0]) < run.height ? [own] : [];
  });
}
