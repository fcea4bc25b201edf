/**
 * Finds codes: IBANs, BICs, VAT numbers, e-mail addresses, phone numbers, URLs, and identifiers of
 * any other format.
 */
import { remainder97 } from "./check-digits.ts";

export interface FoundCode {
  start: number;
  end: number;
  /** The code as written, including its spaces. */
  text: string;
  /** True if check digits or a strict format confirm that the text is a code. */
  checked: boolean;
}

const ibanPattern = /(?<![\p{L}\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]){10,30}(?![\p{L}\d])/gu;
const bicPattern = /(?<![\p{L}\d])[A-Z]{4}[A-Z]{2}[A-Z\d]{2,3}(?:[A-Z\d]{3})?(?![\p{L}\d])/gu;
const emailPattern = /(?<![\w.+-])[\p{L}\d._%+-]{1,64}@[\p{L}\d.-]{1,190}\.\p{L}{2,24}(?![\p{L}\d])/gu;
const urlPattern = /(?<![\w@.])(?:https?:\/\/[^\s<>"]{2,200}|www\.[^\s<>"]{3,200})/giu;
const phonePattern = /(?<![\p{L}\d])(?:\+|00)?\(?\d[\d ()/.-]{5,22}\d(?![\p{L}\d])/gu;
/** Formats of VAT numbers by country. The patterns match what follows the country prefix. */
const vatForms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8,9}$/,
  BE: /^[01]?\d{9}$/,
  BG: /^\d{9,10}$/,
  CH: /^E\d{9}(?:MWST|TVA|IVA)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{8,10}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z\d]\d{7}[A-Z\d]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z\d]{2}\d{9}$/,
  GB: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z\d]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(?:MVA)?$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^\d{9}$/,
};
const vatPattern =
  /(?<![\p{L}\d])(?:AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|XI)[ -]?[A-Z\d](?:[ .-]?[A-Z\d]){1,14}(?![\p{L}\d])/gu;

const compactOf = (text: string): string => text.replace(/[\s.-]/g, "");

/**
 * Returns true if the check digits are correct (ISO 13616). To check them, the first four
 * characters are moved to the end. The resulting number must be 1 modulo 97.
 */
export function isIban(text: string): boolean {
  const code = compactOf(text);
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(code)) return false;
  return remainder97(code.slice(4) + code.slice(0, 4)) === 1;
}

export function isVatNumber(text: string): boolean {
  const code = compactOf(text);
  return vatForms[code.slice(0, 2)]?.test(code.slice(2)) ?? false;
}

function* matches(text: string, pattern: RegExp): Generator<{ start: number; end: number; text: string }> {
  for (const match of text.matchAll(pattern))
    yield { start: match.index, end: match.index + match[0].length, text: match[0] };
}

export function findIbans(text: string): FoundCode[] {
  return [...matches(text, ibanPattern)].flatMap((found) => {
    const trimmed = longestIban(found.text);
    return trimmed ? [{ ...found, text: trimmed, end: found.start + trimmed.length, checked: isIban(trimmed) }] : [];
  });
}

/**
 * Returns the words at the start of the text that form the longest IBAN with correct check digits.
 * If there is no such IBAN, returns the text without trailing words that have no digits. Returns
 * undefined if the text has fewer than 10 digits or 15 characters.
 */
function longestIban(text: string): string | undefined {
  const words = text.split(" ");
  for (let end = words.length; end > 0; end--) {
    const candidate = words.slice(0, end).join(" ");
    if (isIban(candidate)) return candidate;
  }
  const digits = text.replace(/[^\d]/g, "").length;
  return digits >= 10 && compactOf(text).length >= 15 ? withoutTail(words) : undefined;
}

/** Removes trailing words without digits, such as `BIC`. They are not part of the number. */
function withoutTail(words: readonly string[]): string {
  let end = words.length;
  while (end > 1 && !/\d/.test(words[end - 1] ?? "")) end--;
  return words.slice(0, end).join(" ");
}

export const findBics = (text: string): FoundCode[] =>
  [...matches(text, bicPattern)]
    .filter((found) => found.text.length >= 8)
    .map((found) => ({ ...found, checked: /\d|XXX$/.test(found.text) }));

export const findVatNumbers = (text: string): FoundCode[] =>
  [...matches(text, vatPattern)].flatMap((found) => {
    const words = found.text.split(" ");
    for (let end = words.length; end > 0; end--) {
      const candidate = words.slice(0, end).join(" ");
      if (isVatNumber(candidate))
        return [{ ...found, text: candidate, end: found.start + candidate.length, checked: true }];
    }
    return [];
  });

export const findEmails = (text: string): FoundCode[] =>
  [...matches(text, emailPattern)].map((found) => ({ ...found, checked: true }));

export const findUrls = (text: string): FoundCode[] =>
  [...matches(text, urlPattern)].map((found) => {
    const trimmed = found.text.replace(/(?<![.,;:)\]])[.,;:)\]]+$/, "");
    return { start: found.start, end: found.start + trimmed.length, text: trimmed, checked: true };
  });

export const findPhones = (text: string): FoundCode[] =>
  [...matches(text, phonePattern)]
    .filter((found) => found.text.replace(/\D/g, "").length >= 6 && found.text.replace(/\D/g, "").length <= 16)
    .map((found) => ({ ...found, checked: /^(?:\+|00|0|\()/.test(found.text) }));

/** Maximum length of an identifier, in UTF-16 units. Chosen by hand, 2026-11. */
const maxIdentifierLength = 60;
const hasDigit = (word: string): boolean => /\d/.test(word);
/**
 * Returns true for a word that can be part of an identifier: it contains a digit or is all in
 * capitals.
 */
const isIdentifierPart = (word: string): boolean =>
  (/^[\p{Lu}\d#][\p{L}\d._/\-#&+*]*$/u.test(word) && (hasDigit(word) || word === word.toUpperCase())) ||
  (/^\p{L}+[-_/.]/u.test(word) && /^[\p{L}\d._/-]+$/u.test(word) && hasDigit(word));
/** Number sign directly before an identifier, as in "n°562044387". */
const numberMark = /^(?:n[°ºo]\.?|№|#)(?=\p{L}*\d)/iu;

/**
 * Finds identifiers that have no fixed format: words with a digit. Adjacent words are also returned
 * together as one identifier, such as `22 00 0 001` or `HRB 1234`.
 */
export function findIdentifiers(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  let run: { start: number; end: number }[] = [];
  const flush = (): void => {
    found.push(...identifiersOf(text, run));
    run = [];
  };
  for (const match of text.matchAll(/[^\s:;,()[\]|]+/gu)) {
    const before = run.at(-1);
    const mark = numberMark.exec(match[0])?.[0].length ?? 0;
    const word = match[0].slice(mark).replace(/(?<!\.)\.+$/, "");
    const start = match.index + mark;
    if (before && (start - before.end > 1 || mark > 0)) flush();
    if (word === "#" || (!isIdentifierPart(word) && !/^\d/.test(word))) flush();
    else run.push({ start, end: start + word.length });
  }
  flush();
  return found;
}

function* identifiersOf(text: string, run: readonly { start: number; end: number }[]): Generator<FoundCode> {
  const first = run[0];
  const last = run.at(-1);
  if (!first || !last) return;
  const whole = text.slice(first.start, last.end);
  if (run.length > 1 && whole.length <= maxIdentifierLength && hasDigit(whole))
    yield { start: first.start, end: last.end, text: whole, checked: false };
  for (const { start, end } of run) {
    const word = text.slice(start, end);
    if (hasDigit(word) && end - start <= maxIdentifierLength) yield { start, end, text: word, checked: false };
  }
}
