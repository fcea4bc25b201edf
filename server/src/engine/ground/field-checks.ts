/**
 * Chooses the correct position of each field's value. Considers the form of the value, the labels
 * around it, and other fields with a value at the same position.
 */

import { foldWord } from "../../language/folding.ts";
import { languageByFunctionWords } from "../../language/function-words.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import { itemAt } from "../../lib/item-at.ts";
import { pageText } from "../../reading/document.ts";
import type { AskedField } from "../extract/labels/asked-fields.ts";
import { wordAt } from "../page/text-runs.ts";
import type { PageText } from "./document-index.ts";
import type { RejectionReason } from "./ground-record.ts";
import type { Grounded } from "./ground-value.ts";
import { isDisguised, isEncoded, isInstruction } from "./instructions.ts";
import type { Ground } from "./open-ground.ts";
import { isInLanguage } from "./sentence-language.ts";
import { contextsAt, isOfOtherField, labelScore, minLabel } from "./surrounding-labels.ts";
import { fitOf } from "./value-forms.ts";

/**
 * Maximum confidence of a value whose form or label does not fit the field. Chosen by hand,
 * 2026-11.
 */
export const doubtful = 0.35;
/**
 * A value without a label is rejected if at least this many other text fields have their value at
 * the same position. Numbers are exempt, because one amount may be net, gross and due. Chosen by
 * hand, 2026-11.
 */
const mostUnlabelled = 2;
/**
 * Minimum number of words that a line must have for its language to be detected. Chosen by hand,
 * 2026-11.
 */
const minSentence = 4;

export interface FieldChoice {
  query: AskedField;
  /** Sorted best first. */
  choices: readonly Grounded[];
}

export interface CheckedField {
  choice: Grounded | undefined;
  /** Reason why the model is asked for this value again. */
  reason?: RejectionReason;
}

/** Returns one result for each field, in the order of `fields`. */
export function checkFields(fields: readonly FieldChoice[], ground: Ground): CheckedField[] {
  const queries = fields.map(({ query }) => query);
  const checked = fields.map(({ query, choices }) => checkField(query, choices, queries, ground));
  const labels = checked.map(({ choice }, at) => (choice ? labelAt(itemAt(queries, at), choice, ground) : 0));
  return checked.map((field, at) => {
    if (!field.choice || (labels[at] ?? 0) >= minLabel) return field;
    const key = placeOf(field.choice);
    const sharing = checked.flatMap(({ choice }, other) =>
      other !== at && choice && placeOf(choice) === key ? [itemAt(queries, other)] : [],
    );
    const query = itemAt(queries, at);
    const texts = sharing.filter((other) => other.format === "text" && query.format === "text");
    const isShared = texts.length >= mostUnlabelled || sharing.some((other) => isUnlike(query, other));
    return isShared ? { choice: undefined, reason: "other_field" } : field;
  });
}

function checkField(
  query: AskedField,
  choices: readonly Grounded[],
  asked: readonly AskedField[],
  ground: Ground,
): CheckedField {
  if (choices.length === 0) return { choice: undefined };
  const fits = choices.map((choice) => ({ choice, fit: fitOf(query, String(choice.value)) }));
  const possible = fits.find(({ choice, fit }) => fit !== "unfit" && !isStray(query, choice, ground));
  if (!possible) return { choice: undefined, reason: "not_a_value" };
  const { choice, fit } = possible;
  const lowered = { ...choice, confidence: Math.min(choice.confidence, doubtful) };
  if (fit === "doubtful") return { choice: lowered };
  const contexts = contextsAt(itemAt(ground.index.pages, choice.page), choice.words);
  return isOfOtherField(query, contexts, asked) ? { choice: lowered, reason: "other_field" } : { choice };
}

const labelAt = (query: AskedField, { page, words }: Grounded, { index }: Ground): number =>
  labelScore(query, contextsAt(itemAt(index.pages, page), words));

const placeOf = ({ page, words }: Grounded): string => `${page}:${words.join(",")}`;

/**
 * Returns true for two fields that cannot have the same value: fields of different kinds, two
 * different codes, or seller and buyer.
 */
function isUnlike(a: AskedField, b: AskedField): boolean {
  if (a.concept === undefined || b.concept === undefined) return false;
  if (a.concept.key === b.concept.key || a.means.has(b.concept.key)) return false;
  if (a.kind !== b.kind) return !(isNumeric(a) && isNumeric(b));
  if (a.kind === "code") return true;
  return (
    a.kind === "name" && a.party !== b.party && [a, b].every(({ party }) => party === "seller" || party === "buyer")
  );
}

const isNumeric = ({ format }: AskedField): boolean => format === "number";

/**
 * Returns true if the value's line is an instruction or disguised text. If the value has no label,
 * also returns true for encoded text and for a sentence in another language than the page.
 */
function isStray(query: AskedField, choice: Grounded, ground: Ground): boolean {
  const on = itemAt(ground.index.pages, choice.page);
  const line = lineOf(on, choice.words);
  const asked = new Set(wordTokensOf(foldWord(query.name.replaceAll("_", " "))).map(({ folded }) => folded));
  if (isInstruction(line, asked) || isDisguised(line)) return true;
  if (query.format !== "text" || labelAt(query, choice, ground) >= minLabel) return false;
  if (isEncoded(line)) return true;
  if (line.split(/\s+/u).length < minSentence) return false;
  // The name of a party is printed beside a label, in a letterhead or in an address, not inside a
  // sentence.
  if (query.kind === "name" && query.concept !== undefined && isRunning(line)) return true;
  const usual = pageLanguage(on);
  return usual !== undefined && isRunning(line) && !isInLanguage(line, usual);
}

/**
 * Returns true if at least half of the line's words start with a lower-case letter, as in a
 * sentence.
 */
function isRunning(line: string): boolean {
  const words = line.split(/\s+/u);
  const small = words.filter((word) => /^\p{Ll}/u.test(word)).length;
  return small * 2 >= words.length;
}

const languages = new WeakMap<PageText, { known: ReturnType<typeof languageByFunctionWords> }>();
const longestRead = 4_000;

function pageLanguage(page: PageText): ReturnType<typeof languageByFunctionWords> {
  let language = languages.get(page);
  if (!language) {
    language = { known: languageByFunctionWords(pageText(page.page).slice(0, longestRead)) };
    languages.set(page, language);
  }
  return language.known;
}

/** Returns the text of the lines that contain the words. */
function lineOf({ page }: PageText, words: readonly number[]): string {
  return page.lines
    .filter(({ start, end }) => words.some((word) => start <= word && word < end))
    .flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => wordAt(page, start + at).text))
    .join(" ");
}
