/**
 * Reads the values of fields from the checkboxes of a form. A boolean field gets the state of the
 * box whose text names the field. A text field gets the checked option of the group whose question
 * names the field.
 */
import { foldWord } from "../../../language/folding.ts";
import { spellOut } from "../../../language/label-tokens.ts";
import { stemOfLabel } from "../../../language/stemming.ts";
import type { LeafValue } from "../../engine.ts";
import type { Option, OptionGroup } from "../../page/option-group.ts";
import { optionGroupsOf } from "../../page/option-groups.ts";
import { answerOf } from "../../page/option-rows.ts";
import { wordsBetween } from "../../page/text-runs.ts";
import type { AskedField } from "../labels/asked-fields.ts";
import type { DocumentView } from "./document-view.ts";
import type { Candidate } from "./find-candidates.ts";

/**
 * Minimum fit of a box or question to a field. The fit (0 to 1) says how well the text names the
 * field. Chosen by hand, 2026-11.
 */
const minFit = 0.42;
/**
 * A text field is null if no box of a question is checked and the question fits the field at least
 * this well.
 */
const minFitOfNull = 0.55;
/** Minimum fit of a question whose answer "yes" or "no" may be the value of a text field. */
const minFitOfAnswer = 0.8;
/** Minimum fit of a question to a field that asks for a number, name or address. */
const minFitOfOther = 0.9;
/**
 * Minimum lead in fit of the best box over the best box with another value. Chosen by hand,
 * 2026-11.
 */
const minLead = 0.04;
/** Maximum number of pages whose boxes are read. Chosen by hand, 2026-11. */
const maxPages = 60;

/** Value of a field, as read from the boxes of a form. `candidate` is null if no box is checked. */
export interface BoxAnswer {
  query: AskedField;
  candidate: Candidate | null;
}

/** A possible answer, with the fit of its box or question to the field. */
interface Claim extends BoxAnswer {
  fit: number;
}

/** Returns an answer for each field whose value can be read from boxes. */
export function answersByBoxes(queries: readonly AskedField[], { layout }: DocumentView): Map<AskedField, BoxAnswer> {
  const groups = layout.pages.slice(0, maxPages).flatMap((page) => [...optionGroupsOf(page)]);
  const answers = new Map<AskedField, BoxAnswer>();
  if (groups.length === 0) return answers;
  const weights = new WordWeights(groups);
  for (const query of queries) {
    if (query.format !== "boolean" && (query.format !== "text" || query.kind === "currency")) continue;
    const asked = weights.fieldOf(query);
    const claims = groups
      .flatMap((group) =>
        query.format === "boolean" ? booleanClaims(query, group, asked) : textClaims(query, group, asked),
      )
      .sort((a, b) => b.fit - a.fit);
    const [best] = claims;
    if (!best || best.fit < minFit) continue;
    const other = claims.find(({ candidate }) => candidate?.value !== best.candidate?.value);
    if (other && other.fit > best.fit - minLead) continue;
    if (query.format === "text" && best.fit < minFitOf(query, best.candidate)) continue;
    answers.set(query, best);
  }
  return answers;
}

/**
 * Returns the minimum fit at which boxes may answer a text field. Values such as numbers and names
 * are mostly written out, so they need a better fit.
 */
function minFitOf({ kind, allowed }: AskedField, candidate: Candidate | null): number {
  const isChoice = kind === "text" || kind === "boolean" || allowed.length > 0;
  if (!isChoice) return candidate && answerOf(String(candidate.value)) === undefined ? minFitOfOther : Infinity;
  return candidate ? minFit : minFitOfNull;
}

/** Returns how well a text names the field, 0 to 1. */
type Fit = (text: string) => number;

function booleanClaims(query: AskedField, group: OptionGroup, fit: Fit): Claim[] {
  const { options } = group;
  const isEmptyMenu = options.every(({ mark, field }) => field?.type === "choice" && !mark.checked);
  const answers = options.map(({ text }) => answerOf(text));
  if (answers.every((answer) => answer !== undefined) && new Set(answers).size === 2) {
    const checked = options.filter(({ mark }) => mark.checked);
    const [only] = checked;
    const value = checked.length === 1 && only ? answerOf(only.text) : undefined;
    const candidate = only && value !== undefined ? candidateOf(only, value, fit(group.question)) : null;
    return [{ query, candidate, fit: fitOfQuestion(group, fit) }];
  }
  return options.map((option): Claim => {
    const own = nameOf(option);
    const single = options.length === 1 ? fit(group.question) * ofQuestionAlone : 0;
    const named = fit(own);
    const both = named >= minOwnFit ? fit(`${group.question} ${own}`) * Math.min(1, 2 * named + 0.5) : 0;
    const best = Math.max(named, both, single, fitOfField(option, fit));
    const candidate = isEmptyMenu ? null : candidateOf(option, option.mark.checked, best);
    return { query, candidate, fit: best };
  });
}

/**
 * If the text of an option alone fits a field at least this well, the question and the text
 * together are compared with the field too. Chosen by hand, 2026-11.
 */
const minOwnFit = 0.2;
/**
 * Factor for the fit of a question with a single box. It applies if the question names the field
 * and the text of the box does not.
 */
const ofQuestionAlone = 0.7;
/** Factor for the fit of the names and tooltips of PDF form fields. Chosen by hand, 2026-11. */
const ofFieldName = 0.95;

const fitOfField = ({ field }: Option, fit: Fit): number =>
  ofFieldName * Math.max(field?.tooltip ? fit(field.tooltip) : 0, field?.name ? fit(spellOut(field.name)) : 0);

const fitOfQuestion = ({ question, options }: OptionGroup, fit: Fit): number => {
  const [first] = options;
  return Math.max(fit(question), first?.field && first.field.type !== "checkbox" ? fitOfField(first, fit) : 0);
};

/**
 * Returns the text of an option. Without text, returns the tooltip or export value of its form
 * field.
 */
const nameOf = ({ text, field }: Option): string => text || field?.tooltip || field?.exportValue || "";

function textClaims(query: AskedField, group: OptionGroup, fit: Fit): Claim[] {
  const { options } = group;
  if (options.length < 2) return [];
  const checked = options.filter(({ mark }) => mark.checked);
  const [only, ...others] = checked;
  // If several options are checked, none of them alone is the value of a text field.
  if (others.length > 0) return [];
  const fitting = fitOfQuestion(group, fit);
  // "yes" in "Reported to the police? ☒ yes" is rarely the value of a text field about the police.
  const isQuestion = options.every(({ text }) => answerOf(text) !== undefined);
  const found = isQuestion && fitting < minFitOfAnswer ? 0 : fitting;
  const listed = query.allowed.length > 0 ? shareListed(query.allowed, options) : 0;
  const best = Math.max(found, listed);
  const value = only ? valueFor(query, nameOf(only)) : undefined;
  return [{ query, candidate: only && value ? candidateOf(only, value, best) : null, fit: best }];
}

/**
 * Returns the value for a text field. If the field has a list of allowed values, returns the
 * matching value as spelled in the list.
 */
const valueFor = ({ allowed }: AskedField, text: string): string | undefined =>
  allowed.length === 0 ? text : allowed.find((each) => isWithin(each, text) || isWithin(text, each));

/** Returns the share of the allowed values that occur among the options. */
const shareListed = (allowed: readonly string[], options: readonly Option[]): number =>
  allowed.filter((each) => options.some((option) => isWithin(each, nameOf(option)))).length / allowed.length;

const isWithin = (part: string, whole: string): boolean =>
  part !== "" && ` ${wordsOf(whole).join(" ")} `.includes(` ${wordsOf(part).join(" ")} `);

function candidateOf({ mark, lines }: Option, value: LeafValue, fit: number): Candidate {
  const { run } = mark;
  const text = lines.find((line) => line.run === run);
  const words = [mark, ...lines].flatMap((piece) => wordsBetween(piece.run, piece.start, piece.end));
  const [start, end] = typeof value === "string" && text ? [text.start, text.end] : [mark.start, mark.end];
  const score = surest * (ofAnyFit + (1 - ofAnyFit) * Math.min(1, fit));
  return { value, page: run.page, words, match: "inferred", score, run, start, end };
}

/**
 * `surest` is the confidence of an answer with a fit of 1. An answer with a fit of 0 would have the
 * confidence `surest * ofAnyFit`. Chosen by hand, 2026-11.
 */
const [surest, ofAnyFit] = [0.98, 0.7];

const wordsOf = (text: string): string[] => (text.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []).map(foldWord);

/** Weights of words. Words that occur in many texts of a form have a low weight. */
class WordWeights {
  readonly #counts = new Map<string, number>();
  readonly #texts: number;

  constructor(groups: readonly OptionGroup[]) {
    const texts = groups.flatMap(({ question, options }) => [question, ...options.map(nameOf)]);
    this.#texts = texts.length;
    for (const text of texts)
      for (const word of new Set(termsOf(text))) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  fieldOf(query: AskedField): Fit {
    const names = termsOf(spellOut(query.name));
    const described = termsOf(query.description);
    const asked = [names, described, [...new Set([...names, ...described])]].filter((terms) => terms.length > 0);
    return (text) => {
      const terms = [...new Set(termsOf(text))];
      if (terms.length === 0) return 0;
      const shared = Math.max(0, ...asked.map((each) => this.#similarity(each, terms)));
      return Math.max(shared, query.score(text));
    };
  }

  #similarity(asked: readonly string[], terms: readonly string[]): number {
    const found = terms.filter((term) => asked.some((other) => isAlike(term, other)));
    const precision = this.#sum(found) / this.#sum(terms);
    const recall = this.#sum(asked.filter((term) => terms.some((other) => isAlike(term, other)))) / this.#sum(asked);
    return Math.sqrt(precision * recall);
  }

  #sum(terms: readonly string[]): number {
    return terms.reduce((sum, term) => sum + Math.log(1 + this.#texts / (this.#counts.get(term) ?? 1)), 0);
  }
}

const minTerm = 3;
const termsOf = (text: string): string[] =>
  wordsOf(text.slice(0, maxText))
    .filter((word) => word.length >= minTerm && !common.has(word))
    .map(stemOfLabel);

/** Only this many UTF-16 units of a text are compared. Chosen by hand, 2026-11. */
const maxText = 300;

/**
 * Common words of descriptions and questions. They are ignored because they do not show what a
 * field is about.
 */
const common = new Set(
  (
    "the and are for has have does been this that with whether you your true false not any " +
    "der die das den dem des ein eine ist sind hat haben und oder auf bei mit von zum zur sie ihr ihre wird werden " +
    "les des une est sont pour par avec dans vous votre vos avez etes " +
    "los las una del por para con usted esta sus " +
    "gli dei del della per con che " +
    "het een van voor met heeft bent uw zijn wordt " +
    "dos das uma com seu sua tem"
  ).split(" "),
);

/**
 * Two words count as alike if their common beginning covers at least this share of the longer word,
 * and has at least this many letters. Chosen by hand, 2026-11.
 */
const minBeginning = 0.6;
const minLetters = 4;

function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same >= minLetters && same >= minBeginning * Math.max(a.length, b.length);
}
