/**
 * Finds every part of a text that may be a value of the requested kind, such as a number, a date or
 * a code.
 */
import type { LeafValue } from "../engine.ts";
import type { ValueKind } from "../lexicon/all-concepts.ts";
import * as codes from "./codes.ts";
import { findCurrencies, toCurrencyCode } from "./currencies.ts";
import { findDates } from "./dates.ts";
import type { Locale } from "./locale.ts";
import { findNumbers } from "./numbers.ts";
import { sureAmount, valueQualities } from "./value-weights.ts";

export interface FoundValue {
  /** Start of the span in the text, in UTF-16 units. */
  start: number;
  end: number;
  value: LeafValue;
  match: "exact" | "normalized" | "inferred";
  /** How well the text fits the format of the kind, 0 to 1. */
  quality: number;
}

/** Maximum length of a text that is searched, in UTF-16 units. Chosen by hand, 2026-11. */
const maxTextLength = 2_000;

/**
 * Returns all values of one kind in a text. Returns none for kinds without a fixed format, such as
 * names and free text.
 */
export function findValues(text: string, kind: ValueKind, locale: Locale): FoundValue[] {
  const bounded = withoutLeaders(text.length > maxTextLength ? text.slice(0, maxTextLength) : text);
  switch (kind) {
    case "money":
    case "number":
    case "percent":
      return numbers(bounded, kind, locale);
    case "date":
      return findDates(bounded, locale.order).map(({ start, end, value }) => ({
        start,
        end,
        value,
        match: "normalized",
        quality: 1,
      }));
    case "currency":
      return findCurrencies(bounded).map(({ start, end, code, written }) => ({
        start,
        end,
        value: bounded.slice(start, end) === "$" ? locale.dollar : code,
        match: written ? "exact" : "inferred",
        quality: 1,
      }));
    case "code":
      return identifiers(bounded, locale);
    case "iban":
      return exact(codes.findIbans(bounded));
    case "bic":
      return exact(codes.findBics(bounded));
    case "vat":
      return exact([...vatNumbers(bounded), ...taxIdentifiers(bounded, locale)]);
    case "email":
      return exact(codes.findEmails(bounded));
    case "phone":
      return exact(codes.findPhones(bounded));
    case "url":
      return exact(codes.findUrls(bounded));
    default:
      return [];
  }
}

/**
 * Replaces dot leaders and fill-in lines with spaces, so that a value directly after one is found.
 * Offsets do not change.
 */
const withoutLeaders = (text: string): string =>
  text.replace(/\.{3,}|_{3,}|…{2,}/g, (leader) => " ".repeat(leader.length));

const exact = (found: readonly codes.FoundCode[]): FoundValue[] =>
  found.map(({ start, end, text, checked }) => ({
    start,
    end,
    value: text,
    match: "exact",
    quality: checked ? 1 : valueQualities.unchecked,
  }));

/**
 * Returns the VAT numbers that are not part of an IBAN. The first characters of an IBAN can look
 * like a VAT number.
 */
function vatNumbers(text: string): codes.FoundCode[] {
  const ibans = codes.findIbans(text);
  return codes
    .findVatNumbers(text)
    .filter((found) => !ibans.some((iban) => iban.start < found.end && found.start < iban.end));
}

/**
 * Returns identifiers with at least 6 digits. Outside Europe, tax numbers have no common format,
 * and only a label identifies them.
 */
const taxIdentifiers = (text: string, locale: Locale): codes.FoundCode[] =>
  identifiers(text, locale)
    .filter((found) => typeof found.value === "string" && found.value.replace(/\D/g, "").length >= 6)
    .map((found) => ({ start: found.start, end: found.end, text: String(found.value), checked: false }));

function numbers(text: string, kind: "money" | "number" | "percent", locale: Locale): FoundValue[] {
  const w = valueQualities;
  const dates = findDates(text, locale.order);
  return findNumbers(text, locale.mark, locale.currencies)
    .filter((number) => number.percent === (kind === "percent") || (kind === "percent" && !number.currency))
    .filter((number) => !dates.some((date) => date.start < number.end && number.start < date.end))
    .map((number) => {
      const asMoney =
        number.decimals === 2 || number.currency !== undefined
          ? 1
          : number.decimals > 0
            ? w.otherDecimals
            : locale.cents
              ? w.wholeAmongCents
              : w.whole;
      // In "30 Tage", the number counts the days and is rarely an amount of money.
      const counted =
        kind === "money" && asMoney < sureAmount && /^ ?\p{L}{2}/u.test(text.slice(number.end)) ? w.counting : 1;
      // Amounts are rarely 1e9 or more, and do not begin with a zero.
      const written = text.slice(number.start, number.end);
      const long = Math.abs(number.value) >= 1e9 || /^0\d/.test(written) ? w.long : 1;
      const before = text.slice(Math.max(0, number.start - 24), number.start);
      const cited =
        number.currency === undefined && (kind === "money" ? numbered : citation).test(before) ? w.cited : 1;
      const year = isYear(written) && /\p{L}{3}[ ,]+$/u.test(before) ? w.year : 1;
      const quality =
        long *
        counted *
        cited *
        year *
        (kind === "money" ? asMoney : kind === "percent" && !number.percent ? w.withoutPercent : 1);
      return { start: number.start, end: number.end, value: number.value, match: "normalized", quality };
    });
}

/** Matches the text before the number of a legal section, as in "Art. 293 B" or "§ 19". */
const citation = /(?:§§?|(?<!\p{L})(?:art|artt|abs|sect?|section|artikel|article|articolo|ziff)\.?) ?$/iu;
/**
 * Matches the text before a number that is not an amount: a section, "No. 12", "page 2" or "Tel.
 * 44".
 */
const numbered =
  /(?:§§?|(?<!\p{L})(?:art|artt|abs|sect?|section|artikel|article|articolo|ziff|nr|no|n°|page|seite|suite|unit|apt|tel|ph)\.?) ?$/iu;
const isYear = (written: string): boolean => /^(?:19|20)\d{2}$/.test(written);

function identifiers(text: string, locale: Locale): FoundValue[] {
  const dates = findDates(text, locale.order);
  const amounts = findNumbers(text, locale.mark, locale.currencies).filter(
    (number) => number.decimals === 2 && number.currency !== undefined,
  );
  return codes.findIdentifiers(text).flatMap((found) => {
    const inAmount = amounts.some((amount) => amount.start <= found.start && found.end <= amount.end + currencyLength);
    const inDate = dates.some((date) => date.start <= found.start && found.end <= date.end);
    const bracketed = text[found.start - 1] === "(" && text[found.end] === ")" ? valueQualities.bracketed : 1;
    const quality = bracketed * (inDate || inAmount ? valueQualities.inOtherValue : identifierQuality(found.text));
    return quality > 0
      ? [{ start: found.start, end: found.end, value: found.text, match: "exact" as const, quality }]
      : [];
  });
}

/** Length, in UTF-16 units, of a currency such as " EUR" after an amount. */
const currencyLength = 4;

/**
 * Returns how well the text fits as an identifier, 0 to 1. The result is low for amounts,
 * percentages and times, and for one or two characters.
 */
function identifierQuality(text: string): number {
  if (/%$|^[$€£]|[$€£]$/u.test(text) || toCurrencyCode(text)) return 0;
  if (/^(?:[A-Z]{3} )?\d{1,3}(?:[.,]\d{3})*[.,]\d{1,2}(?: [A-Z]{3})?$/.test(text)) return valueQualities.likeAmount;
  if (/^\d{1,2}:\d{2}/.test(text)) return valueQualities.likeTime;
  const letters = text.replace(/[^\p{L}\d]/gu, "").length;
  return letters === 1 ? valueQualities.oneCharacter : letters === 2 ? valueQualities.twoCharacters : 1;
}
