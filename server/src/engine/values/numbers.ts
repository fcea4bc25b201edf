/**
 * Finds numbers with the separators of any country, with currency or percent signs, and with a sign
 * before or after the number. Brackets around a number count as a minus sign.
 */

export type DecimalMark = "." | ",";

export interface FoundNumber {
  /** Start of the number in the text, in UTF-16 units. Sign and currency are part of it. */
  start: number;
  end: number;
  value: number;
  /** Number of digits after the decimal mark. */
  decimals: number;
  percent: boolean;
  /** Currency as written, for example `€` or `CHF`. */
  currency?: string;
}

/**
 * Maximum length of a number with its signs and separators, in UTF-16 units. Chosen by hand,
 * 2026-11.
 */
const maxNumberLength = 40;
const currencyMark = "[$€£¥₹₽₩₺₫฿]|(?:US|A|C|HK|S|NZ)\\$|R\\$|RM|Rs\\.?|Fr\\.|kr\\.?|zł|Kč|Ft|[A-Z]{3}";
// The quantifiers are bounded, so that matching takes linear time even on hostile text.
const numberPattern = new RegExp(
  `(?<![\\p{L}\\d.,_/#-])(\\()?([-−–+] ?)?(?:(${currencyMark}) ?)?([-−–])?(\\d{1,15}(?:[.,'’](?:\\d{1,15}))*(?:[.,][-–—]{1,2})?|[.,]\\d{1,6})( ?\\d{3}(?:[.,]\\d{1,4})?)?` +
    `(?: ?(%|${currencyMark})(?!\\p{L}))?([-−–](?![\\p{L}\\d])| [-−–](?=\\s*$))?(\\))?(?![\\d\\p{L}_])`,
  "gu",
);

/** Finds all numbers that stand alone. Digits inside words and codes are not numbers. */
export function findNumbers(text: string, mark: DecimalMark, knownCurrencies: ReadonlySet<string>): FoundNumber[] {
  if (!/\d/.test(text)) return [];
  const found: FoundNumber[] = [];
  for (const match of joinGroups(text).matchAll(numberPattern)) {
    const number = readMatch(match, mark, knownCurrencies);
    if (number) found.push(number);
  }
  return found;
}

/**
 * Replaces spaces between groups of three digits with `'`, so that `1 234,56` and `1 150 €` are
 * matched as one number. Offsets do not change.
 */
function joinGroups(text: string): string {
  return text.replace(
    /(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4}(?=[.,]\d{2}(?!\d)| ?[€£]| (?:kg|g|t|km|m|m²|m³|l|kWh|MWh|EUR|CHF|GBP|USD)(?!\p{L}))/gu,
    (group) => group.replace(/[ \u00a0\u202f]/g, "'"),
  );
}

function readMatch(
  match: RegExpExecArray,
  mark: DecimalMark,
  knownCurrencies: ReadonlySet<string>,
): FoundNumber | undefined {
  const [all, open, sign, before, innerSign, digits = "", spaced, after, trailing, close] = match;
  if (all.length > maxNumberLength || spaced) return undefined;
  const read = readDigits(digits, mark);
  if (!read) return undefined;
  const currency = [before, after].find(
    (code) => code && code !== "%" && (knownCurrencies.has(code) || !/^[A-Z]{3}$/.test(code)),
  );
  const negative = Boolean(
    (open && close) || sign?.includes("-") || sign?.includes("−") || sign?.includes("–") || innerSign || trailing,
  );
  const span = spanOf(match, { open, before, after, currency, close });
  return {
    ...span,
    value: negative && read.value !== 0 ? -read.value : read.value,
    decimals: read.decimals,
    percent: after === "%",
    ...(currency ? { currency } : {}),
  };
}

interface Marks {
  open: string | undefined;
  before: string | undefined;
  after: string | undefined;
  currency: string | undefined;
  close: string | undefined;
}

/**
 * Returns the span of the number, without an unmatched bracket and without capital letters that are
 * not a currency.
 */
function spanOf(match: RegExpExecArray, marks: Marks): { start: number; end: number } {
  let start = match.index;
  let end = match.index + match[0].length;
  if (marks.open && !marks.close) start++;
  if (marks.close && !marks.open) end--;
  if (marks.before && marks.before !== marks.currency)
    start = match.index + match[0].indexOf(marks.before) + marks.before.length;
  if (marks.after && marks.after !== "%" && marks.after !== marks.currency)
    end = match.index + match[0].lastIndexOf(marks.after);
  const text = match[0];
  while (text[start - match.index] === " ") start++;
  while (text[end - match.index - 1] === " ") end--;
  return { start, end };
}

/**
 * Reads digits with separators. If two different separators occur, the last is the decimal mark. A
 * single separator with three digits after it separates thousands, unless it is the decimal mark of
 * the document.
 */
export function readDigits(text: string, mark: DecimalMark): { value: number; decimals: number } | undefined {
  const plain = text.replace(/[.,][-–—]{1,2}$/, "").replace(/['’]/g, "");
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  if (last < 0) return finite(plain, 0);
  const separator: DecimalMark = plain[last] === "." ? "." : ",";
  const whole = plain.slice(0, last);
  const decimals = plain.slice(last + 1);
  const other = separator === "." ? "," : ".";
  if (whole.includes(separator))
    return whole.includes(other) || !grouped(plain) ? undefined : finite(plain.replace(/[.,]/g, ""), 0);
  if (whole.includes(other))
    return grouped(whole) ? finite(`${whole.replaceAll(other, "")}.${decimals}`, decimals.length) : undefined;
  const thousands =
    decimals.length === 3 && separator !== mark && whole.length <= 3 && !/^0/.test(whole) && whole !== "";
  return thousands ? finite(whole + decimals, 0) : finite(`${whole || "0"}.${decimals}`, decimals.length);
}

/** Returns true if the separators group thousands. The Indian grouping 1,00,000 counts too. */
const grouped = (text: string): boolean => {
  const groups = text.split(/[.,]/);
  return (
    (groups[0]?.length ?? 0) <= 3 &&
    groups.slice(1, -1).every((group) => group.length === 2 || group.length === 3) &&
    groups.at(-1)?.length === 3
  );
};

function finite(text: string, decimals: number): { value: number; decimals: number } | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? { value, decimals } : undefined;
}

/**
 * Returns, for each decimal mark, the votes of the numbers in the text that can only be read with
 * this mark. A number has one to three votes, depending on its form. A number that can be read with
 * either mark has none.
 */
export function markVotes(text: string): { ",": number; ".": number } {
  const votes = { ",": 0, ".": 0 };
  for (const match of text.matchAll(
    /(?<![\d.,\p{L}-])\d{1,3}((?:[.,'’ ]\d{3}){0,8}|\d*)([.,])(\d{1,2}|\d{4})(?![\d.,]*\d)/gu,
  )) {
    votes[match[2] === "." ? "." : ","] += match[1] && /[.,]/.test(match[1]) ? 3 : match[3]?.length === 2 ? 2 : 1;
  }
  return votes;
}
