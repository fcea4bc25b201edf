/** Numbers as documents write them: separators by locale, signs before, behind and in brackets, currency and percent marks. */

export type DecimalMark = "." | ",";

export interface FoundNumber {
  /** Span of the text, in UTF-16 units, marks of sign and currency included. */
  start: number;
  end: number;
  value: number;
  /** Digits behind the decimal mark. */
  decimals: number;
  percent: boolean;
  /** As written: `€`, `CHF`. */
  currency?: string;
}

const maxNumberLength = 40;
const currencyMark = "[$€£¥₹₽₩₺₫฿]|(?:US|A|C|HK|S|NZ)\\$|R\\$|RM|Rs\\.?|Fr\\.|kr\\.?|zł|Kč|Ft|[A-Z]{3}";
// The quantifiers are bounded: hostile text costs no more than its length.
const numberPattern = new RegExp(
  `(?<![\\p{L}\\d.,_/#-])(\\()?([-−–+] ?)?(?:(${currencyMark}) ?)?([-−–])?(\\d{1,15}(?:[.,'’](?:\\d{1,15}))*(?:[.,][-–—]{1,2})?|[.,]\\d{1,6})( ?\\d{3}(?:[.,]\\d{1,4})?)?` +
    `(?: ?(%|${currencyMark})(?!\\p{L}))?([-−–](?![\\p{L}\\d])| [-−–](?=\\s*$))?(\\))?(?![\\d\\p{L}_])`,
  "gu",
);

/** All numbers of the text that stand alone; digits inside of words, dates and codes are not numbers. */
export function findNumbers(text: string, mark: DecimalMark, knownCurrencies: ReadonlySet<string>): FoundNumber[] {
  if (!/\d/.test(text)) return [];
  const found: FoundNumber[] = [];
  for (const match of joinGroups(text).matchAll(numberPattern)) {
    const number = readMatch(match, mark, knownCurrencies);
    if (number) found.push(number);
  }
  return found;
}

/** Spaces between groups of three digits become `'`, so that `1 234,56` and `1 150 €` are one number. Offsets stay. */
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

/** The span without a bracket that has no partner and without capitals that are no currency. */
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
 * Reads digits with separators. The last separator is a decimal mark if it differs from an earlier one, or stands once and is the
 * document's mark or isn't followed by three digits.
 */
export function readDigits(text: string, mark: DecimalMark): { value: number; decimals: number } | undefined {
  const plain = text.replace(/[.,][-–—]{1,2}$/, "").replace(/['’]/g, "");
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  if (last < 0) return finite(plain, 0);
  const separator = plain[last] as DecimalMark;
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

/** True if the digits stand in groups as thousands do (the Indian 1,00,000 too). */
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

/** Votes of a text for a decimal mark: only numbers that can be read one way. */
export function markVotes(text: string): { ",": number; ".": number } {
  const votes = { ",": 0, ".": 0 };
  for (const match of text.matchAll(
    /(?<![\d.,\p{L}-])\d{1,3}((?:[.,'’ ]\d{3}){0,8}|\d*)([.,])(\d{1,2}|\d{4})(?![\d.,]*\d)/gu,
  )) {
    votes[match[2] as DecimalMark] += match[1] && /[.,]/.test(match[1]) ? 3 : match[3]?.length === 2 ? 2 : 1;
  }
  return votes;
}
