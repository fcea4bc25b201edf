/**
 * Splits text into atoms, the normalized form in which quotes and pages are compared. An atom is a
 * sequence of letters, a number, or a mark that changes a number, such as a minus sign, "€" or "%".
 * Differences in case, accents, ligatures, character width, soft hyphens, white space and other
 * punctuation are removed. Differences that change an amount, date or name are kept.
 */
import { type DecimalMark, readDigits } from "../values/numbers.ts";

export interface Atom {
  /** Folded text. A number has no thousands separators, and a point as decimal mark. */
  text: string;
  /** Span in the source text, in UTF-16 units. */
  start: number;
  end: number;
}

const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}";
const invisible = "\\u00ad\\u200b-\\u200d\\u2060\\ufeff";
/**
 * Matches an atom. The first alternative is a sign. A sign either stands before digits and does not
 * follow a letter or digit, or it follows an amount with cents.
 */
const pattern = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])[-−–](?=[.,]?\\p{Nd})|(?<=[.,]\\p{Nd}{2})[-−–](?![\\p{L}\\p{N}])`,
    `\\p{Nd}+(?:[.,'’．，]\\p{Nd}+)*`,
    `[${unspaced}]\\p{M}*`,
    `(?:(?![${unspaced}])[\\p{L}\\p{M}])(?:(?![${unspaced}])[\\p{L}\\p{M}${invisible}])*`,
    `[\\p{Sc}%٪％]|[\\p{No}\\p{Nl}]`,
  ].join("|"),
  "gu",
);
const plainWord = /^[A-Za-z]+$/;

/**
 * Returns the atoms of a text. `mark` is the decimal mark. If it is a comma, "1.234" means 1234.
 */
export function atomsOf(text: string, mark: DecimalMark): Atom[] {
  if (plainWord.test(text)) return [{ text: text.toLowerCase(), start: 0, end: text.length }];
  const atoms: Atom[] = [];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const end = index + found.length;
    if (/^\p{Nd}/u.test(found)) addNumber(atoms, found, index, mark);
    else if (/^[-−–]/.test(found)) atoms.push({ text: "-", start: index, end });
    else atoms.push({ text: foldLetters(found), start: index, end });
  }
  return atoms.filter((atom) => atom.text !== "");
}

/**
 * Adds a number. If its groups of digits do not form one number, as in a date, each group becomes
 * an atom.
 */
function addNumber(atoms: Atom[], written: string, start: number, mark: DecimalMark): void {
  const plain = written.normalize("NFKC").replaceAll("’", "'");
  // Five or more digits after a comma are a separate number, such as the postcode in "Jalan
  // 2/16,40000 Shah Alam".
  const read = /,\d{5,}$/.test(plain) ? undefined : /[.,]/.test(plain) ? readDigits(plain, mark) : { decimals: 0 };
  if (read) {
    const digits = plain.replace(/[.,']/g, "");
    const whole = digits.length - read.decimals;
    const text = read.decimals > 0 ? `${digits.slice(0, whole)}.${digits.slice(whole)}` : digits;
    atoms.push({ text, start, end: start + written.length });
  } else {
    for (const { 0: digits, index } of written.matchAll(/\p{Nd}+/gu))
      atoms.push({ text: digits.normalize("NFKC"), start: start + index, end: start + index + digits.length });
  }
}

/** Replaces each full-width digit or mark by its ASCII character. The length stays the same. */
export const asciiDigits = (text: string): string => text.replace(/[\uff01-\uff5e]/g, (mark) => mark.normalize("NFKC"));

const ascii = /^[\x20-\x7e]*$/;

/**
 * Folds text to lower case without accents, ligatures and invisible characters. Combining marks are
 * removed only in Latin, Greek, Cyrillic and Arabic script. In other scripts they are vowels.
 */
export function foldLetters(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640\u00ad\u200b-\u200d\u2060\ufeff]+/g, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ø/g, "o")
    .replace(/ı/g, "i");
}

export const isNumber = (atom: string | undefined): boolean => atom !== undefined && /^\p{Nd}/u.test(atom);
