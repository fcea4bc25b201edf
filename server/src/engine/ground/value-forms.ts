/**
 * Checks whether a value has the form that its field requires, such as the form of an IBAN. A text
 * field whose concept is unknown accepts any form.
 */

import type { AskedField } from "../extract/labels/asked-fields.ts";
import type { ValueKind } from "../lexicon/all-concepts.ts";
import { findBics, findEmails, findIbans, findPhones, findUrls, isIban, isVatNumber } from "../values/codes.ts";
import { findCurrencies, toCurrencyCode } from "../values/currencies.ts";
import { findDates } from "../values/dates.ts";

/** Maximum length of a value whose form is checked, in UTF-16 units. Chosen by hand, 2026-11. */
const longest = 500;
const mostCodeWords = 8;
const mostNameWords = 16;
const minTaxDigits = 5;

/**
 * Returns the kind whose form is checked. Returns undefined for lists and for text without a known
 * concept, because these may have any form.
 */
const kindOf = ({ kind, concept, format }: Pick<AskedField, "kind" | "concept" | "format">): ValueKind | undefined =>
  format === "list" || (kind === "text" && concept === undefined) ? undefined : kind;

export type FormFit = "fits" | "doubtful" | "unfit";

/**
 * Returns how well the form of a value fits the field. An IBAN with wrong check digits is doubtful
 * but possible, because documents contain such IBANs.
 */
export function fitOf(query: AskedField, value: string): FormFit {
  const kind = query.format === "text" && query.allowed.length === 0 ? kindOf(query) : undefined;
  const text = value.slice(0, longest).trim();
  switch (kind) {
    case "iban":
      if (isIban(text.toUpperCase())) return "fits";
      return /^[A-Z]{2}\d{2}/iu.test(text) && text.replace(/[^\p{L}\p{N}*]/gu, "").length >= 12 ? "doubtful" : "unfit";
    case "bic":
      return /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/iu.test(text.replace(/\s/g, "")) ? "fits" : "unfit";
    case "vat":
      return isVatNumber(text.toUpperCase()) || digitsIn(text) >= minTaxDigits ? "fits" : "unfit";
    case "email":
      return isOnly(findEmails(text), text) ? "fits" : "unfit";
    case "url":
      return findUrls(text).length > 0 || /^[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,5}(?:\/\S*)?$/u.test(text)
        ? "fits"
        : "unfit";
    case "phone":
      return findPhones(text).length > 0 || digitsIn(text) >= minTaxDigits ? "fits" : "unfit";
    case "currency":
      return toCurrencyCode(text) !== undefined || findCurrencies(text).length > 0 || /^\p{L}{3}$/u.test(text)
        ? "fits"
        : "unfit";
    case "code":
      return isCode(text) ? "fits" : "unfit";
    case "name":
      return isName(text) ? "fits" : "unfit";
    case "address":
      return /\p{L}{2}/u.test(text) ? "fits" : "unfit";
    case "money":
    case "number":
    case "percent":
      return /\p{Nd}/u.test(text) ? "fits" : "unfit";
    default:
      return "fits";
  }
}

/** Returns true if the text may contain a value of the field. */
export function fitsSomewhere(query: AskedField, text: string): boolean {
  const looked = text.slice(0, longest * 4);
  switch (kindOf(query)) {
    case "iban":
      return findIbans(looked).length > 0 || /\b[A-Z]{2}\d{2}/u.test(looked);
    case "bic":
      return findBics(looked).length > 0;
    case "email":
      return findEmails(looked).length > 0;
    case "url":
      return /\p{L}\.\p{L}{2}/u.test(looked);
    case "phone":
    case "vat":
      return digitsIn(looked) >= minTaxDigits;
    case "currency":
      return findCurrencies(looked).length > 0;
    case "code":
      return /\p{Nd}/u.test(looked) || /(?<![\p{L}\d])[A-Z]{5,8}(?![\p{L}\d])/u.test(looked);
    case "date":
    case "money":
    case "number":
    case "percent":
      return hasNumber(looked);
    default:
      return true;
  }
}

const hasNumber = (text: string): boolean => /\p{Nd}/u.test(text) || writtenNumber.test(text);
/**
 * Matches number words and related words such as "half" and "none", in languages with Latin script.
 * They may be the beginning of a longer word. Also matches Chinese numerals.
 */
const writtenNumber =
  /(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|no|none|zero|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|halb|kein|un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|een|twee|drie|vijf|zes|zeven|negen|tien|um|uma|dois|duas|três|quatro|sete|oito|dez)|[一二三四五六七八九十百千万半两]/iu;

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;
const wordsIn = (text: string): number => text.split(/\s+/u).length;
/**
 * If a value makes up at least this share of a text, it counts as the only content of the text.
 * Chosen by hand, 2026-11.
 */
const minShare = 0.6;
const isOnly = (found: readonly { start: number; end: number }[], text: string): boolean =>
  found.some(({ start, end }) => end - start >= text.length * minShare);

/**
 * Returns true for a short text with a digit, and for a code in capitals such as a booking
 * reference.
 */
const isCode = (text: string): boolean =>
  wordsIn(text) <= mostCodeWords && (/\p{Nd}/u.test(text) || /^[A-Z]{5,8}$/u.test(text)) && !isDate(text);

const isName = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  wordsIn(text) <= mostNameWords &&
  !isDate(text) &&
  !isIban(text) &&
  !isOnly(findEmails(text), text);

const isDate = (text: string): boolean => isOnly(findDates(text, "dmy"), text) && !/^\d{8}$/.test(text);
