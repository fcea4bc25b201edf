/**
 * Formats numbers by the tokens of a format: grouping, percent, scientific notation, and fractions.
 * The caller adds the sign.
 */
import { decimalOf, generalText } from "./decimal.ts";
import type { FormatToken } from "./format-code.ts";

/** Returns the text of a number. `value` must be finite and not negative. */
export function numberText(value: number, tokens: readonly FormatToken[]): string {
  const plan = plans.get(tokens);
  if (plan !== undefined) return plannedText(value, plan);
  if (tokens.some(({ kind }) => kind === "general")) return withGeneral(value, tokens);
  if (tokens.some(({ kind }) => kind === "exponent")) return scientificText(value, tokens);
  const slash = fractionSlash(tokens);
  return slash < 0 ? plainText(value, tokens) : fractionText(value, tokens, slash);
}

function withGeneral(value: number, tokens: readonly FormatToken[]): string {
  return tokens.map((token) => (token.kind === "general" ? generalText(value) : literalText(token))).join("");
}

function literalText(token: FormatToken): string {
  if (token.kind === "literal") return token.text;
  if (token.kind === "percent") return "%";
  return token.kind === "slash" ? "/" : "";
}

const isDigit = (token: FormatToken | undefined): token is Extract<FormatToken, { kind: "digit" }> =>
  token?.kind === "digit";

/** A plain number format, analysed once for all the numbers that it formats. */
interface NumberPlan {
  before: FormatToken[];
  /** Undefined if the format has no decimal point. */
  after: FormatToken[] | undefined;
  scale: number;
  places: number;
  grouped: boolean;
  /** True if there is a placeholder for digits before the decimal point. */
  hasWhole: boolean;
  /**
   * The part before the decimal point. Undefined if literal text or optional spaces stand between
   * its digits.
   */
  simple: SimpleWhole | undefined;
  /**
   * Literal text after the digits of the fraction, if all these digits are always shown. Undefined
   * if trailing zeros may be dropped.
   */
  fractionSuffix: string | undefined;
}

/**
 * The part of a format before the decimal point, if nothing stands between its digits. This is the
 * case in nearly all formats.
 */
interface SimpleWhole {
  prefix: string;
  suffix: string;
  /** Minimum number of digits. Shorter numbers are padded with zeros. */
  leastDigits: number;
}

/** Cache of plans. It contains plans of plain number formats only. */
const plans = new WeakMap<readonly FormatToken[], NumberPlan>();

function planOf(tokens: readonly FormatToken[]): NumberPlan {
  const known = plans.get(tokens);
  if (known !== undefined) return known;
  const point = tokens.findIndex(({ kind }) => kind === "point");
  const before = tokens.slice(0, point < 0 ? tokens.length : point);
  const after = point < 0 ? undefined : tokens.slice(point + 1);
  const places = after?.filter(isDigit).length ?? 0;
  const plan = {
    before,
    after,
    scale: scaleOf(tokens),
    places,
    grouped: isGrouped(before),
    hasWhole: before.some(isDigit),
    simple: simpleWhole(before),
    fractionSuffix: after && fractionSuffix(after, places),
  };
  plans.set(tokens, plan);
  return plan;
}

function simpleWhole(tokens: readonly FormatToken[]): SimpleWhole | undefined {
  const first = tokens.findIndex(isDigit);
  const last = tokens.findLastIndex(isDigit);
  const run = tokens.slice(first, last + 1);
  const isSimple = run.every((token) => token.kind === "comma" || (isDigit(token) && token.placeholder !== "?"));
  if (first < 0 || !isSimple) return undefined;
  const digits = run.filter(isDigit);
  const firstZero = digits.findIndex(({ placeholder }) => placeholder === "0");
  // After a "0", even a "#" always shows a digit.
  if (firstZero >= 0 && digits.slice(firstZero).some(({ placeholder }) => placeholder !== "0")) return undefined;
  const textOf = (parts: readonly FormatToken[]): string => parts.map(literalText).join("");
  return {
    prefix: textOf(tokens.slice(0, first)),
    suffix: textOf(tokens.slice(last + 1)),
    leastDigits: firstZero < 0 ? 0 : digits.length - firstZero,
  };
}

function fractionSuffix(tokens: readonly FormatToken[], places: number): string | undefined {
  const areShown = tokens.slice(0, places).every((token) => isDigit(token) && token.placeholder === "0");
  return areShown ? tokens.slice(places).map(literalText).join("") : undefined;
}

function simpleText(digits: string, { prefix, suffix, leastDigits }: SimpleWhole, grouped: boolean): string {
  const padded = digits.length < leastDigits ? digits.padStart(leastDigits, "0") : digits;
  if (!grouped || padded.length <= 3) return prefix + padded + suffix;
  let text = padded.slice(0, padded.length % 3);
  for (let at = padded.length % 3; at < padded.length; at += 3) {
    text += (at > 0 ? "," : "") + padded.slice(at, at + 3);
  }
  return prefix + text + suffix;
}

const plainText = (value: number, tokens: readonly FormatToken[]): string => plannedText(value, planOf(tokens));

function plannedText(value: number, plan: NumberPlan): string {
  const { before, after, scale, places, grouped, hasWhole, simple, fractionSuffix } = plan;
  const { whole, fraction } = decimalOf(value * scale, places);
  const left = simple ? simpleText(whole, simple, grouped) : wholeText(whole, before, grouped);
  if (after === undefined) return left;
  // The digits before the point are shown even if the format has no placeholder for them.
  const right = fractionSuffix === undefined ? fractionDigits(fraction, after) : fraction + fractionSuffix;
  return `${left}${hasWhole ? "" : whole}.${right}`;
}

/**
 * Returns the factor by which values are multiplied before they are shown. Each percent sign
 * multiplies by a hundred. Each comma after the last digit divides by a thousand.
 */
function scaleOf(tokens: readonly FormatToken[]): number {
  const percents = tokens.filter(({ kind }) => kind === "percent").length;
  let scale = 100 ** percents;
  const point = tokens.findIndex(({ kind }) => kind === "point");
  for (const end of point < 0 ? [tokens.length] : [point, tokens.length]) {
    for (let at = tokens.slice(0, end).findLastIndex(isDigit) + 1; at > 0 && at < end; at++) {
      if (tokens[at]?.kind !== "comma") break;
      scale /= 1000;
    }
  }
  return scale;
}

/** Returns true if a comma stands between two digits. All digits are then grouped. */
function isGrouped(tokens: readonly FormatToken[]): boolean {
  const first = tokens.findIndex(isDigit);
  const last = tokens.findLastIndex(isDigit);
  return tokens.some(({ kind }, index) => kind === "comma" && index > first && index < last);
}

/**
 * Returns the digits before the decimal point. They fill the placeholders from the right. Surplus
 * digits stand before the first placeholder.
 */
function wholeText(digits: string, tokens: readonly FormatToken[], grouped: boolean): string {
  const places = tokens.filter(isDigit).length;
  const parts: string[] = [];
  let used = 0;
  let place = places;
  for (const token of tokens.toReversed()) {
    if (!isDigit(token)) {
      if (token.kind !== "comma") parts.push(literalText(token));
      continue;
    }
    place--;
    const rest = place === 0 ? digits.slice(0, Math.max(0, digits.length - used)) : digits.at(-1 - used);
    const shown = rest || { "0": "0", "?": " " }[token.placeholder] || "";
    for (const digit of [...shown].reverse()) {
      if (grouped && used > 0 && used % 3 === 0 && digit !== " ") parts.push(",");
      parts.push(digit);
      used++;
    }
  }
  return parts.reverse().join("");
}

/**
 * Returns the digits after the decimal point. Trailing zeros are shown as their placeholders
 * require.
 */
function fractionDigits(digits: string, tokens: readonly FormatToken[]): string {
  const significant = digits.replace(/(?<!0)0+$/u, "").length;
  let place = 0;
  let text = "";
  for (const token of tokens) {
    if (!isDigit(token)) {
      text += literalText(token);
      continue;
    }
    const isZero = place >= significant && token.placeholder !== "0";
    text += isZero ? (token.placeholder === "?" ? " " : "") : (digits[place] ?? "0");
    place++;
  }
  return text;
}

function scientificText(value: number, tokens: readonly FormatToken[]): string {
  const at = tokens.findIndex(({ kind }) => kind === "exponent");
  const mantissaTokens = tokens.slice(0, at);
  const point = mantissaTokens.findIndex(({ kind }) => kind === "point");
  const step = Math.max(1, mantissaTokens.slice(0, point < 0 ? at : point).filter(isDigit).length);
  const places = point < 0 ? 0 : mantissaTokens.slice(point).filter(isDigit).length;
  let power = value === 0 ? 0 : Math.floor(Number(value.toExponential(14).split("e")[1]) / step) * step;
  // If rounding adds a digit, the next higher power is used.
  if (value > 0 && decimalOf(value / 10 ** power, places).whole.length > step) power += step;
  const exponent = wholeText(String(Math.abs(power)).replace(/^0$/u, ""), tokens.slice(at + 1), false);
  const token = tokens[at];
  const sign = power < 0 ? "-" : token?.kind === "exponent" && token.signed ? "+" : "";
  return `${plainText(value / 10 ** power, mantissaTokens)}E${sign}${exponent || "0"}`;
}

/**
 * Returns the index of the slash of a fraction, which is a slash with digits on both sides. Returns
 * -1 if there is none.
 */
function fractionSlash(tokens: readonly FormatToken[]): number {
  const slash = tokens.findIndex(({ kind }) => kind === "slash");
  const before = tokens.slice(0, Math.max(slash, 0)).some(isDigit);
  return before && isDenominator(tokens[slash + 1]) ? slash : -1;
}

const isDenominator = (token: FormatToken | undefined): boolean =>
  isDigit(token) || (token?.kind === "literal" && /^[1-9]/u.test(token.text));

function fractionText(value: number, tokens: readonly FormatToken[], slash: number): string {
  const numeratorStart = startOfRun(tokens, slash);
  const hasWhole = tokens.slice(0, numeratorStart).some(isDigit);
  const { fixed, digits, end } = denominatorOf(tokens, slash + 1);
  const whole = hasWhole ? Math.floor(value) : 0;
  const exact = hasWhole ? value - whole : value;
  const [numerator, denominator] = fixed ? [Math.round(exact * fixed), fixed] : bestFraction(exact, 10 ** digits - 1);
  const carried = hasWhole && numerator === denominator;
  const shownWhole = whole + (carried ? 1 : 0);
  const isWhole = hasWhole && (numerator === 0 || carried);
  const left = hasWhole
    ? wholeText(shownWhole === 0 && !isWhole ? "" : String(shownWhole), tokens.slice(0, numeratorStart), false)
    : "";
  const right = isWhole ? "" : `${numerator}/${denominator}`;
  return `${left}${hasWhole ? "" : prefixOf(tokens, numeratorStart)}${right}${suffixOf(tokens, end)}`;
}

function startOfRun(tokens: readonly FormatToken[], slash: number): number {
  let at = slash;
  while (at > 0 && isDigit(tokens[at - 1])) at--;
  return at;
}

const prefixOf = (tokens: readonly FormatToken[], end: number): string =>
  tokens.slice(0, end).map(literalText).join("");
const suffixOf = (tokens: readonly FormatToken[], start: number): string =>
  tokens.slice(start).map(literalText).join("");

/**
 * Returns the value of a fixed denominator, or the maximum number of digits of a variable one.
 * Consecutive digits, as in `?/16`, are one number.
 */
function denominatorOf(tokens: readonly FormatToken[], start: number): { fixed: number; digits: number; end: number } {
  let end = start;
  let text = "";
  for (; end < tokens.length; end++) {
    const token = tokens[end];
    if (isDigit(token)) text += token.placeholder;
    else if (token?.kind === "literal" && /^\d+$/u.test(token.text)) text += token.text;
    else break;
  }
  const fixed = /^[1-9]\d{0,5}$/u.test(text) ? Number(text) : 0;
  return { fixed, digits: Math.min(text.length, 7), end };
}

/**
 * Returns the best fraction whose denominator is within the limit. This is the last convergent of
 * the continued fraction whose denominator is within the limit.
 */
function bestFraction(value: number, maxDenominator: number): [numerator: number, denominator: number] {
  let [p0, q0, p1, q1] = [0, 1, 1, 0];
  let rest = value;
  for (let round = 0; round < 40; round++) {
    const whole = Math.floor(rest + 1e-9);
    const [p2, q2] = [whole * p1 + p0, whole * q1 + q0];
    if (q2 > maxDenominator) break;
    [p0, q0, p1, q1] = [p1, q1, p2, q2];
    const left = rest - whole;
    if (left < 1e-9 || Math.abs(p1 / q1 - value) < 1e-12) break;
    rest = 1 / left;
  }
  return q1 === 0 ? [0, 1] : [p1, q1];
}
